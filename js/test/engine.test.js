import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { exportNames, open } from '../src/node.js';
import { Instance } from '../src/instance.js';
import { decode, encode } from '../src/text.js';
import { sha256 } from '../src/sha256.js';
import { engineBytes, harbour, request } from './support/engine.js';
import { fails } from './support/fails.js';
import { hostile } from './support/hostile.js';

/** @import {Engine} from '../src/node.js' */

const wasm = engineBytes();

/** @type {Engine} */
let engine;
before(async () => {
  engine = await open({ wasm });
});
after(() => engine.close());

test('the engine describes the ABI that this package lists', async () => {
  const { abi, exports, codes, profiles, defaults } = await engine.describe();
  assert.equal(abi, 1);
  assert.deepEqual(exports, exportNames);
  assert.ok(codes.includes('CANCELLED'));
  assert.ok(profiles.some(({ name }) => name === 'cosine'));
  assert.equal(defaults.seed, 'rookhaven-default');
});

test('a reply names its engine, its corpus and itself', async () => {
  const corpus = await engine.open(harbour);
  const { reply, bytes } = await corpus.retrieve(request);
  assert.equal(reply.engine, `sha256:${sha256(wasm)}`);
  assert.equal(reply.corpus, corpus.root);
  assert.equal(corpus.documents, harbour.length);
  assert.equal(reply.verdict, 'answered');
  assert.deepEqual(JSON.parse(decode(bytes, 'it')), reply);
  const { digest, ...rest } = reply;
  // Sorted members and JSON.stringify are canonical JSON for what a reply holds.
  assert.equal(digest, `sha256:${sha256(encode(JSON.stringify(sorted(rest)), 'it'))}`);
  assert.equal(decode(bytes, 'it'), JSON.stringify(sorted(reply)));
  await corpus.close();
});

/**
 * @param {any} value
 * @returns {any}
 */
function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return value && typeof value === 'object'
    ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
    : value;
}

test('every way to give a corpus and a request gives the same bytes', async () => {
  const { bytes: want } = await engine.retrieve(request, harbour);
  const text = JSON.stringify(harbour);
  const opened = await engine.open(harbour);
  for (const corpus of [text, encode(text, 'it'), encode(text, 'it').buffer, opened, JSON.stringify(harbour, undefined, 2)]) {
    for (const asked of [request, JSON.stringify(request), encode(JSON.stringify(request), 'it')]) {
      assert.deepEqual((await engine.retrieve(asked, corpus)).bytes, want);
    }
  }
  await opened.close();
});

test('worker, calling thread, both planes and any host give the same bytes', async () => {
  const body = encode(JSON.stringify({ handle: 1, request: { ...request, explain: true, text: 'snippet' } }), 'it');
  const opening = encode(JSON.stringify({ documents: harbour, engine: 'engine:case', list: true }), 'it');
  const calls = /** @type {[import('../src/abi.js').ExportName, Uint8Array][]} */ ([
    ['abi', encode('{}', 'it')], ['describe', new Uint8Array(0)], ['open', opening], ['retrieve', body],
    ['plan', body], ['decompose', encode(JSON.stringify(request), 'it')], ['close', encode('{"handle":1}', 'it')],
  ]);
  const module = await WebAssembly.compile(wasm);
  const fixed = await Instance.start(module);
  const extism = await Instance.start(module);
  const seeds = [1, 2, 3];
  const others = await Promise.all(seeds.map((seed) => Instance.start(module, hostile(seed))));
  const worker = await open({ wasm });
  for (const [name, input] of calls) {
    const want = decode(fixed.call(name, input), name);
    assert.equal(decode(extism.callExtism(name, input), name), want, `${name} on the Extism plane`);
    assert.equal(decode(await worker.call(name, input), name), want, `${name} in a worker`);
    for (const [i, other] of others.entries()) {
      assert.equal(decode(other.call(name, input), name), want, `${name} with hostile seed ${seeds[i]}`);
    }
  }
  await worker.close();
});

test('failures have the same text on both planes', async () => {
  const module = await WebAssembly.compile(wasm);
  const bulk = await Instance.start(module);
  const extism = await Instance.start(module);
  for (const input of ['{', '{"query":""}', '{"query":"a","nope":1}', '{"query":"a","query":"b"}', '\ufeff{}', '{"query":"\\ud800"}', '{"query":null}', '[]', '1']) {
    /** @type {any} */
    let want;
    assert.throws(() => bulk.call('decompose', encode(input, 'it')), (thrown) => Boolean(want = thrown));
    assert.throws(() => extism.callExtism('decompose', encode(input, 'it')), fails(want.message));
    await assert.rejects(engine.call('decompose', encode(input, 'it')), fails(want.message));
    await assert.rejects(engine.call('decompose', input), fails(want.message));
    assert.equal(bulk.dead, false);
  }
});

test('wrong requests have the code of the module', async () => {
  const refused = /** @type {[any, string][]} */ ([
    [{ query: '' }, 'QUERY_EMPTY'],
    [{ query: 'a'.repeat(65_537) }, 'QUERY_TOO_LONG'],
    [{ query: 'a', recallBudget: 0 }, 'BUDGET_OUT_OF_RANGE'],
    [{ query: 'a', needs: [] }, 'NEEDS_INVALID'],
    [{ query: 'a', profile: 'nope' }, 'PROFILE_UNKNOWN'],
    [{ query: 'a', workLimit: 1 }, 'WORK_LIMIT'],
    [{ query: 'a', scores: [] }, 'SCORES_INVALID'],
    [{ query: null }, 'REQUEST_INVALID'],
    ['{"query":"a","query":"b"}', 'JSON_INVALID'],
    ['{"query":"a"},"handle":2', 'JSON_INVALID'],
    ['{"query":"\\ud800"}', 'JSON_INVALID'],
    [{ query: '\ud800' }, 'JSON_INVALID'],
  ]);
  for (const [asked, code] of refused) {
    await assert.rejects(engine.retrieve(asked, harbour), fails(new RegExp(`^${code}: `)), JSON.stringify(asked).slice(0, 80));
  }
});

test('wrong corpora have the code of the module', async () => {
  const refused = /** @type {[any, string][]} */ ([
    [[{ id: 'a', text: 'b' }, { id: 'a', text: 'c' }], 'CORPUS_INVALID'],
    [[{ id: '', text: 'b' }], 'CORPUS_INVALID'],
    ['[{"id":"a","text":"\\ud800"}]', 'JSON_INVALID'],
    ['[', 'JSON_INVALID'],
    [Buffer.from('[{"id":"a","text":"\xff"}]', 'latin1'), 'JSON_INVALID'],
  ]);
  for (const [corpus, code] of refused) {
    await assert.rejects(engine.open(corpus), fails(new RegExp(`^${code}: `)), JSON.stringify(corpus));
  }
});

test('marks, NUL and wide characters come back as they went in', async () => {
  const text = '\ufeffcrane\0crane \u{1f3d7}\ufe0f \u2028 "\\" </script> \u{10ffff}';
  for (const way of [[{ id: '\ufeffid\0', text }], JSON.stringify([{ id: '\ufeffid\0', text }])]) {
    const { reply } = await engine.retrieve({ query: '\ufeffcrane\0', text: 'full' }, way);
    assert.equal(reply.hits[0].id, '\ufeffid\0');
    assert.equal(reply.hits[0].text, text);
    assert.equal(reply.request.query, '\ufeffcrane\0');
  }
});

test('a query and a document of a megabyte', async () => {
  const long = 'kran '.repeat(1 << 18);
  await assert.rejects(engine.retrieve({ query: long }, harbour), fails(/^QUERY_TOO_LONG: /));
  const { reply } = await engine.retrieve({ query: 'kran' }, [{ id: 'long', text: long }]);
  assert.equal(reply.hits[0].score, 1);
});

test('memory that grows between calls keeps the corpora right', async () => {
  const local = await open({ wasm, worker: false });
  const first = await local.open(harbour);
  const { bytes: want } = await first.retrieve(request);
  const others = [];
  for (let i = 0; i < 8; i++) {
    others.push(await local.open([{ id: `big${i}`, text: `tide ${'x'.repeat(4_000_000)}` }]));
    assert.deepEqual((await first.retrieve(request)).bytes, want);
  }
  for (const [i, other] of others.entries()) {
    assert.equal((await other.retrieve({ query: 'tide' })).reply.hits[0].id, `big${i}`);
    await other.close();
  }
  assert.deepEqual((await first.retrieve(request)).bytes, want);
});

test('a corpus survives the worker that a signal ended', async () => {
  let stop = new AbortController();
  const own = await open({ wasm, onStage: () => stop.abort() });
  const corpora = [await own.open(harbour), await own.open(harbour.slice(1))];
  const want = await Promise.all(corpora.map((corpus) => corpus.retrieve(request)));
  for (let round = 0; round < 3; round++) {
    stop = new AbortController();
    await assert.rejects(corpora[0].retrieve(request, { signal: stop.signal }), fails(/^CANCELLED: /));
    for (const [i, corpus] of corpora.entries()) {
      assert.deepEqual((await corpus.retrieve(request)).bytes, want[i].bytes);
    }
  }
  await own.close();
});

test('a call of the engine is stopped at a stage, also in the calling thread', async () => {
  let stop = new AbortController();
  const own = await open({ wasm, worker: false, onStage: () => stop.abort() });
  const corpus = await own.open(harbour);
  await assert.rejects(corpus.retrieve(request, { signal: stop.signal }), fails(/^CANCELLED: /));
  stop = new AbortController();
  assert.deepEqual((await corpus.retrieve(request)).bytes, (await engine.retrieve(request, harbour)).bytes);
});

test('a closed corpus answers nothing; calls before it are answered', async () => {
  const corpus = await engine.open(harbour);
  const call = corpus.retrieve(request);
  await corpus.close();
  assert.equal((await call).reply.verdict, 'answered');
  await assert.rejects(corpus.retrieve(request), fails('HANDLE_UNKNOWN: the corpus was closed'));
  await corpus.close();
});

test('a corpus of another engine is refused', async () => {
  const other = await open({ wasm, worker: false });
  await assert.rejects(engine.retrieve(request, await other.open(harbour)), fails('HANDLE_UNKNOWN: the corpus was opened by another engine'));
});

test('many calls at once take turns', async () => {
  const corpus = await engine.open(harbour);
  const { bytes: want } = await corpus.retrieve(request);
  const all = await Promise.all(Array.from({ length: 50 }, () => corpus.retrieve(request)));
  assert.ok(all.every(({ bytes }) => Buffer.compare(bytes, want) === 0));
  await corpus.close();
});

test('a scorer, sync or async, decides the scores and not the ranking', async () => {
  const scores = [3, 9, 9, 0, 1, 7];
  // Both needs pick the same documents; fill gives the slot that stayed empty to the next.
  const filled = { ...request, fill: true };
  const corpus = await engine.open(harbour);
  const sync = await corpus.retrieve(filled, () => scores.map((score) => score * 1e8));
  const async = await corpus.retrieve(filled, { scorer: async () => Float64Array.from(scores, (score) => score * 1e8) });
  assert.deepEqual(async.bytes, sync.bytes);
  assert.deepEqual(sync.reply.hits.map(({ score }) => score), [0.9, 0.9, 0.7]);
  assert.deepEqual(Object.keys(sync.reply.request.scores?.[0] ?? {}).sort(), ['__proto__', 'd1', 'd2', 'd3', 'd5']);
  await assert.rejects(corpus.retrieve(request, () => [0.5, 1, 1, 1, 1, 1]), fails('SCORES_INVALID: need 0, document "d1": 0.5 is not an integer of nano-units'));
  await assert.rejects(corpus.retrieve(request, () => [1]), fails('SCORES_INVALID: need 0: the scorer gave 1 scores for 6 documents'));
  await assert.rejects(corpus.retrieve({ ...request, scores: [{}] }, () => scores), fails(/^(REQUEST|SCORES)_INVALID: /));
  await corpus.close();
});

test('a scorer sees the needs of the engine and the documents as they were opened', async () => {
  const documents = harbour.map((document) => ({ ...document }));
  const corpus = await engine.open(documents);
  documents[0].text = 'changed later';
  /** @type {string[]} */
  const needs = [];
  await corpus.retrieve(request, (need, given) => {
    needs.push(need);
    assert.deepEqual(given, harbour);
    return given.map(() => 1);
  });
  const { subqueries } = await engine.decompose(request);
  assert.deepEqual(needs, subqueries.map(({ text }) => text));
  await corpus.close();
});

test('replay tells what matches, what differs and what cannot be told', async () => {
  const corpus = await engine.open(harbour);
  const answer = await corpus.retrieve(request);
  for (const stored of [answer, answer.reply, answer.bytes, decode(answer.bytes, 'it'), JSON.stringify(answer.reply, undefined, 2)]) {
    assert.deepEqual(await corpus.replay(stored), { verdict: 'MATCH', digest: answer.reply.digest });
  }
  const altered = structuredClone(answer.reply);
  altered.hits[0].score = 0.25;
  const mismatch = await corpus.replay(altered);
  assert.equal(mismatch.verdict === 'MISMATCH' && mismatch.at, 'hits[0].score');
  const changed = harbour.map((document) => (document.id === 'd1' ? { ...document, text: 'other' } : document));
  const unverifiable = await engine.replay(answer, changed);
  assert.deepEqual(unverifiable.verdict === 'UNVERIFIABLE' && [unverifiable.missing, unverifiable.document], ['corpus', 'd1']);
  const renamed = await open({ wasm, engine: 'engine:other', worker: false });
  const other = await renamed.replay(answer, harbour);
  assert.equal(other.verdict === 'UNVERIFIABLE' && other.missing, 'engine');
  await assert.rejects(corpus.replay('{}'), fails(/^REPLY_INVALID: /));
  await assert.rejects(corpus.replay('\ufeff{}'), fails('JSON_INVALID: reply begins with a byte order mark'));
  await corpus.close();
});

test('a scored reply replays without its scorer', async () => {
  const corpus = await engine.open(harbour);
  const answer = await corpus.retrieve(request, () => [1, 2, 3, 4, 5, 6]);
  assert.equal((await corpus.replay(answer)).verdict, 'MATCH');
  await corpus.close();
});

test('leaves make the first differing document exact', async () => {
  const listed = JSON.parse(decode(await engine.call('open', { documents: harbour, engine: engine.name, list: true }), 'it'));
  const answer = await engine.retrieve(request, harbour);
  const changed = harbour.map((document) => (document.id === 'd5' ? { ...document, text: 'no longer empty' } : document));
  const verdict = await engine.replay(answer, changed, { leaves: listed.leaves });
  assert.deepEqual(verdict.verdict === 'UNVERIFIABLE' && [verdict.missing, verdict.document], ['corpus', 'd5']);
});

test('stages come with their names', async () => {
  /** @type {string[]} */
  const stages = [];
  const own = await open({ wasm, worker: false, onStage: (name) => stages.push(name) });
  const silent = await engine.retrieve(request, harbour);
  const loud = await own.retrieve(request, harbour);
  assert.deepEqual(loud.bytes, silent.bytes);
  assert.ok(stages.length > 0);
  assert.ok(stages.every((name) => name.length > 0 && name.length < 200));
});
