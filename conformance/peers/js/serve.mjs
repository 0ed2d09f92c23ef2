// Serves the protocol of conformance/ir/peer with a search engine in JavaScript.
//
//   node serve.mjs minisearch | minisearch-en | orama
//
// minisearch and orama are as their documents show them first: one field, the
// default tokenizer, any term may match. minisearch-en leaves out English stop
// words and stems by Porter. Index bytes are those of the serialised index.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const stop = new Set('a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(' '))

async function miniSearch(processTerm) {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch({ fields: ['text'], ...(processTerm && { processTerm }) })
  return {
    async build(documents) {
      index.addAll(documents)
    },
    serialised: () => JSON.stringify(index),
    query: async (text, k) => index.search(text).slice(0, k).map(hit => hit.id),
  }
}

async function orama() {
  const { create, insertMultiple, save, search } = await import('@orama/orama')
  const index = create({ schema: { text: 'string' } })
  return {
    build: documents => insertMultiple(index, documents, 1000),
    serialised: () => JSON.stringify(save(index)),
    async query(text, k) {
      const { hits } = await search(index, { term: text, properties: ['text'], limit: k })
      return hits.map(hit => hit.id)
    },
  }
}

async function open(name) {
  if (name === 'orama') return orama()
  if (name === 'minisearch') return miniSearch()
  const { stemmer } = await import('stemmer')
  return miniSearch(term => {
    const word = term.toLowerCase()
    return stop.has(word) ? null : stemmer(word)
  })
}

let documents

async function answer(engine, request) {
  if (request.op === 'read') {
    documents = readFileSync(request.path, 'utf8').split('\n').filter(Boolean).map(line => {
      const d = JSON.parse(line)
      return { id: d.id, text: d.title ? d.title + '\n' + d.text : d.text }
    })
    return { count: documents.length }
  }
  const from = process.hrtime.bigint()
  if (request.op === 'query') {
    const ids = await engine.query(request.q ?? '', request.k)
    return { ids, ns: Number(process.hrtime.bigint() - from) }
  }
  if (request.op !== 'build') throw new Error(`no op ${request.op}`)
  await engine.build(documents)
  const ns = Number(process.hrtime.bigint() - from)
  documents = null
  const file = join(request.folder, 'index.json')
  try {
    writeFileSync(file, engine.serialised())
    return { ns, bytes: readFileSync(file).length }
  } catch {
    return { ns } // a string in V8 holds 512 MB at most
  }
}

const engine = await open(process.argv[2])
for await (const line of createInterface({ input: process.stdin })) {
  let reply
  try {
    reply = await answer(engine, JSON.parse(line))
  } catch (error) {
    reply = { error: String(error) }
  }
  process.stdout.write(JSON.stringify(reply) + '\n')
}
