// The cosine of term counts in plain JavaScript, as a peer: once by scanning every document, once by inverted lists.
// It reads lines of JSON, {"corpus": FILE} or {"queries": […], "way": "scan" | "lists"}, and answers each with one.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const stop = new Set('a an and are as at be by can do for from how i in is it me my of on or please that the this to was we what with you'.split(' '));
const run = /[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*/gu;

function counts(text) {
  const map = new Map();
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(run)) {
    if (!stop.has(word)) map.set(word, (map.get(word) ?? 0) + 1);
  }
  return map;
}

let documents = [];
let lists = new Map();

function open(file) {
  const from = performance.now();
  documents = [];
  for (const { id, text } of JSON.parse(readFileSync(file, 'utf8'))) {
    const terms = counts(text);
    let norm = 0;
    for (const n of terms.values()) norm += n * n;
    documents.push({ id, terms, norm });
  }
  const scanReady = performance.now();
  lists = new Map();
  documents.forEach(({ terms }, doc) => {
    for (const [term, n] of terms) {
      if (!lists.has(term)) lists.set(term, []);
      lists.get(term).push(doc, n);
    }
  });
  return { scanMs: scanReady - from, listsMs: performance.now() - from };
}

function* dotsByScan(need) {
  for (const document of documents) {
    let dot = 0;
    for (const [term, n] of need) dot += n * (document.terms.get(term) ?? 0);
    if (dot > 0) yield [document, dot];
  }
}

function* dotsByLists(need) {
  const dots = new Map();
  for (const [term, n] of need) {
    const list = lists.get(term) ?? [];
    for (let i = 0; i < list.length; i += 2) dots.set(list[i], (dots.get(list[i]) ?? 0) + n * list[i + 1]);
  }
  for (const [doc, dot] of dots) yield [documents[doc], dot];
}

function best(text, k, dots) {
  const need = counts(text);
  let norm = 0;
  for (const n of need.values()) norm += n * n;
  const hits = [];
  for (const [document, dot] of dots(need)) {
    hits.push({ id: document.id, score: Math.round((1e9 * dot) / Math.sqrt(norm * document.norm)) });
  }
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k);
}

function retrieve(query, k, dots) {
  const needs = query.split(/ and |, /);
  const merged = new Map();
  for (const need of needs) {
    for (const hit of best(need, Math.ceil(k / needs.length), dots)) {
      if ((merged.get(hit.id)?.score ?? -1) < hit.score) merged.set(hit.id, hit);
    }
  }
  return [...merged.values()].sort((a, b) => b.score - a.score).slice(0, k);
}

function measure(queries, dots) {
  const times = [];
  let top = 0;
  for (const query of queries) {
    const from = performance.now();
    const hits = retrieve(query, 10, dots);
    times.push(performance.now() - from);
    top += hits[0]?.score ?? 0;
  }
  return { times, top };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const answer = message.corpus ? open(message.corpus) : measure(message.queries, message.way === 'scan' ? dotsByScan : dotsByLists);
  console.log(JSON.stringify(answer));
}
