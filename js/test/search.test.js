import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { open } from '../src/node.js';
import { Instance } from '../src/instance.js';
import { Sealed } from '../src/sealed.js';
import { decode, encode } from '../src/text.js';
import { engineBytes, harbour, request } from './support/engine.js';
import { fails } from './support/fails.js';
import { hostile } from './support/hostile.js';

/** @import {Corpus, Engine} from '../src/node.js' */

const wasm = engineBytes();

/** The harbour with what filters ask about. @type {import('../src/abi.js').Document[]} */
const documents = harbour.map((document, i) => ({ ...document, metadata: { berth: i, tags: i % 2 === 0 ? ['even'] : [] } }));

const question = { query: 'crane faults and tide windows', explain: true, count: true };

/** @type {Engine} */
let engine;
/** @type {Corpus} */
let index;
before(async () => {
  engine = await open({ wasm });
  index = await engine.open(documents, { settings: {} });
});
after(() => engine.close());

test('an index answers with passages, and the reply says what it was made with', async () => {
  const { reply, bytes } = await index.search(question);
  assert.deepEqual(reply.hits.map(({ id }) => id).slice(0, 2).sort(), ['d1', 'd2']);
  assert.equal(reply.corpus, index.root);
  assert.equal(reply.engine, engine.name);
  assert.notEqual(reply.verdict, 'no_answer');
  assert.equal(reply.total, reply.hits.length);
  assert.deepEqual(reply.settings, (await engine.describe()).settings);
  assert.deepEqual(JSON.parse(decode(bytes, 'it')), reply);
  for (const { explain, score } of reply.hits) {
    const sum = (explain?.parts ?? []).reduce((so, part) => so + BigInt(Math.round(part.score * 1e9)), 0n);
    assert.equal(sum, BigInt(Math.round(score * 1e9)));
  }
});

test('search beside retrieve: one corpus answers both, with settings or without, and a search does not need it open', async () => {
  const { bytes: want } = await index.search(question);
  const bare = await engine.open(documents);
  assert.deepEqual((await bare.search(question)).bytes, want);
  for (const asked of [question, JSON.stringify(question), encode(JSON.stringify(question), 'it')]) {
    assert.deepEqual((await engine.search(asked, index)).bytes, want);
    assert.deepEqual((await engine.search(asked, documents)).bytes, want);
    assert.deepEqual((await engine.search(asked, JSON.stringify(documents), { settings: '{}' })).bytes, want);
  }
  const plain = await engine.retrieve(request, documents);
  assert.deepEqual((await index.retrieve(request)).bytes, plain.bytes);
  const byIndex = await engine.retrieve({ ...request, profile: 'standard', explain: true }, documents);
  assert.deepEqual((await index.retrieve({ ...request, profile: 'standard', explain: true })).bytes, byIndex.bytes);
  assert.deepEqual(byIndex.reply.settings, (await engine.describe()).settings);
  assert.equal((await index.replay(byIndex)).verdict, 'MATCH');
});

test('settings, filters, collections and pages do what they say', async () => {
  const whole = await engine.search({ query: 'tide' }, documents, { settings: { chunks: 'whole', language: 'none' } });
  assert.deepEqual([whole.reply.settings.chunks, whole.reply.settings.language], ['whole', 'none']);
  const even = await index.search({ query: 'tide crane', filters: { tags: 'even', berth: { lt: 3 } } });
  assert.deepEqual(even.reply.hits.map(({ id }) => id).sort(), ['d1', 'd3']);
  const pilots = await index.search({ query: 'tide', collections: ['pilotage'] });
  assert.deepEqual(pilots.reply.hits.map(({ id }) => id), ['d3']);
  const { reply: all } = await index.search({ query: 'tide crane berth' });
  /** @type {string[]} */
  const ids = [];
  /** @type {{cursor?: string}} */
  let from = {};
  do {
    const { hits, cursor } = (await index.search({ query: 'tide crane berth', limit: 1, ...from })).reply;
    ids.push(...hits.map(({ id }) => id));
    from = { cursor };
  } while (from.cursor !== undefined);
  assert.deepEqual(ids, all.hits.map(({ id }) => id));
});

test('a threshold keeps the first hits, and a budget the first of a page', async () => {
  const asked = { query: 'tide crane berth', text: /** @type {const} */ ('full') };
  const { reply: all } = await index.search(asked);
  assert.ok(all.hits.length > 2);
  assert.equal(all.request.minEvidence, 0);
  assert.equal(all.request.budget, undefined);
  for (const { evidence } of all.hits) {
    assert.ok(evidence > 0 && evidence <= 1);
    const { reply } = await index.search({ ...asked, minEvidence: Math.round(evidence * 1e9) });
    assert.deepEqual(reply.hits, all.hits.filter((hit) => hit.evidence >= evidence));
  }
  const { reply: first } = await index.search({ ...asked, budget: 1 });
  assert.deepEqual([first.hits, first.omitted.hits], [all.hits.slice(0, 1), all.hits.length - 1]);
  const { reply: rest } = await index.search({ ...asked, budget: 100_000, cursor: first.cursor });
  assert.deepEqual(rest.hits, all.hits.slice(1));
});

for (const worker of [true, false]) {
  const where = worker ? 'in a worker' : 'in the calling thread';

  test(`segments ${where} are bytes that open again, with the same replies as their documents`, async () => {
    const own = await open({ wasm, worker });
    const { bytes: want } = await index.search(question);
    const built = [await own.buildSegment(documents.slice(0, 2)), await own.buildSegment(JSON.stringify(documents.slice(2)), {})];
    assert.ok(built.every((segment) => segment instanceof Uint8Array && segment.length > 100));
    for (const segments of [built, built.map((segment) => Buffer.from(segment)), built.map((segment) => segment.slice().buffer)]) {
      const opened = await own.openSegments(segments);
      assert.deepEqual([opened.root, opened.documents], [index.root, documents.length]);
      assert.deepEqual((await opened.search(question)).bytes, want);
      await opened.close();
    }
    await own.close();
  });

  test(`what is removed ${where} is gone, and compacting leaves it out`, async () => {
    const own = await open({ wasm, worker });
    const segments = [await own.buildSegment(documents.slice(0, 3)), await own.buildSegment(documents.slice(3))];
    const all = await own.openSegments(segments, '{}');
    const { removed, unknown } = await all.remove(['d2', '__proto__', 'stranger']);
    assert.deepEqual({ removed, unknown }, { removed: [[1], [2]], unknown: ['stranger'] });
    assert.deepEqual((await all.search(question)).bytes, (await index.search(question)).bytes, 'it does not change itself');
    const left = await own.openSegments(segments, {}, { removed });
    const { bytes: want } = await own.search(question, documents.filter(({ id }) => id !== 'd2' && id !== '__proto__'));
    assert.deepEqual((await left.search(question)).bytes, want);
    assert.deepEqual((await left.remove('["d1"]')).removed, [[0, 1], [2]]);
    const one = await own.openSegments([await left.compact()]);
    assert.deepEqual((await one.search(question)).bytes, want);
    await own.close();
  });
}

test('the bytes of a segment stay the caller\'s, and later changes of them change nothing', async () => {
  const segment = Buffer.from(await engine.buildSegment(documents));
  const before = segment.toString('base64');
  const opened = await engine.openSegments([segment]);
  assert.equal(segment.toString('base64'), before);
  const stop = new AbortController();
  const { bytes: want } = await opened.search(question);
  segment.fill(0);
  const call = opened.search(question, { signal: stop.signal });
  stop.abort();
  await assert.rejects(call, fails(/^CANCELLED: /));
  assert.deepEqual((await opened.search(question)).bytes, want);
});

test('an index survives the worker that a signal ended', async () => {
  let stop = new AbortController();
  const own = await open({ wasm, onStage: () => stop.abort() });
  const corpora = [await own.open(documents, { settings: {} }), await own.openSegments([await own.buildSegment(documents)])];
  for (const corpus of corpora) {
    stop = new AbortController();
    await assert.rejects(corpus.search(question, { signal: stop.signal }), fails(/^CANCELLED: /));
    assert.deepEqual((await corpus.search(question)).bytes, (await index.search(question)).bytes);
  }
  await own.close();
});

test('a stored reply of search replays on an index, on its documents and on segments', async () => {
  const answer = await index.search(question);
  const segments = await engine.openSegments([await engine.buildSegment(documents, { chunks: 'whole' })], { chunks: 'whole' });
  const plain = await engine.open(documents);
  for (const corpus of [index, plain, segments]) {
    for (const stored of [answer, answer.reply, answer.bytes]) {
      assert.deepEqual(await corpus.replay(stored), { verdict: 'MATCH', digest: answer.reply.digest });
    }
  }
  assert.equal((await engine.replay(answer, documents)).verdict, 'MATCH');
  const altered = structuredClone(answer.reply);
  altered.hits[0].score = 0.25;
  const mismatch = await index.replay(altered);
  assert.equal(mismatch.verdict === 'MISMATCH' && mismatch.at, 'hits[0].score');
  const other = await engine.replay(answer, documents.slice(1));
  assert.deepEqual(other.verdict === 'UNVERIFIABLE' && [other.missing, other.document], ['corpus', 'd1']);
  const retrieved = await plain.retrieve(request);
  assert.equal((await index.replay(retrieved)).verdict, 'MATCH');
});

test('wrong searches have the code of the module, and the index lives', async () => {
  const segment = await engine.buildSegment(documents);
  const damaged = segment.slice();
  damaged[damaged.length >> 1] ^= 1;
  const { reply: { cursor } } = await index.search({ query: 'tide crane', limit: 1 });
  const plain = await engine.open(documents);
  const refused = /** @type {[() => Promise<unknown>, string][]} */ ([
    [() => plain.remove(['d1']), 'INDEX_ABSENT'],
    [() => plain.compact(), 'INDEX_ABSENT'],
    [() => index.search({ query: '' }), 'QUERY_EMPTY'],
    [() => index.search({ query: 'a', limit: 0 }), 'REQUEST_INVALID'],
    [() => index.search(/** @type {any} */ ({ query: 'a', recallBudget: 3 })), 'REQUEST_INVALID'],
    [() => index.search(/** @type {any} */ ({ query: 'a', profile: 'cosine' })), 'PROFILE_UNKNOWN'],
    [() => index.search({ query: 'a', filters: { tags: /** @type {any} */ ({ near: 1 }) } }), 'FILTER_INVALID'],
    [() => index.search({ query: 'a', cursor: 'x' }), 'CURSOR_INVALID'],
    [() => index.search({ query: 'fog', cursor }), 'CURSOR_STALE'],
    [() => index.search({ query: 'tide', workLimit: 1 }), 'WORK_LIMIT'],
    [() => index.search('tide'), 'REQUEST_INVALID'],
    [() => engine.open(documents, { settings: { target: 0 } }), 'SETTINGS_INVALID'],
    [() => engine.open(documents, { settings: /** @type {any} */ ({ target: undefined }) }), 'SETTINGS_INVALID'],
    [() => engine.buildSegment(documents, { language: 'tlh' }), 'SETTINGS_INVALID'],
    [() => engine.buildSegment([{ id: '', text: '' }]), 'CORPUS_INVALID'],
    [() => engine.openSegments([damaged]), 'SEGMENT_CORRUPT'],
    [() => engine.openSegments([segment.slice(0, 99)]), 'SEGMENT_CORRUPT'],
    [() => engine.openSegments([segment, segment]), 'CORPUS_INVALID'],
    [() => engine.openSegments([new Uint8Array(0)]), 'REQUEST_INVALID'],
    [() => engine.openSegments([segment], {}, { removed: [[], []] }), 'REQUEST_INVALID'],
    [() => index.remove(/** @type {any} */ ([1])), 'REQUEST_INVALID'],
  ]);
  for (const [call, code] of refused) {
    await assert.rejects(call, fails(new RegExp(`^${code}: `)), String(call));
  }
  assert.ok((await index.search(question)).reply.hits.length > 0);
});

test('arguments of another kind are refused by name', async () => {
  const segment = await engine.buildSegment(documents);
  const opened = await engine.openSegments([segment]);
  const refused = /** @type {[() => Promise<unknown>, string][]} */ ([
    [() => engine.openSegments(/** @type {any} */ (segment)), 'the segments are an object (Uint8Array), not an array of bytes'],
    [() => engine.openSegments(/** @type {any} */ ([segment, 'x'])), 'segments[1] is a string, not bytes'],
    [() => engine.open(documents, { settings: /** @type {any} */ (true) }), 'settings is a boolean, not an object, or its JSON as text or bytes'],
    [() => engine.search(question, index, { settings: {} }), 'settings are for documents that are opened for this call: an open corpus has its own'],
    [() => opened.retrieve(request, () => []), 'a scorer is asked about documents, and the corpus was opened from segments'],
  ]);
  for (const [call, message] of refused) {
    await assert.rejects(call, fails(`ARGUMENT_INVALID: ${message}`), String(call));
  }
});

test('a search has the same bytes on both planes and in any host, and so has a segment', async () => {
  const module = await WebAssembly.compile(wasm);
  const others = await Promise.all([1, 2].map((seed) => Instance.start(module, hostile(seed))));
  const [fixed, extism] = [await Instance.start(module), await Instance.start(module)];
  const json = (/** @type {unknown} */ value) => encode(JSON.stringify(value), 'it');
  const { output, segment = new Uint8Array(0) } = fixed.exchange('build', json({ documents }));
  const inline = Buffer.from(segment).toString('base64');
  assert.equal(JSON.parse(decode(extism.callExtism('build', json({ documents, inline: true })), 'it')).segment.base64, inline);
  assert.equal(JSON.parse(decode(output, 'it')).segment.size, segment.length);
  const opening = { engine: 'engine:case', settings: {} };
  fixed.exchange('open', json(opening), [segment]);
  extism.callExtism('open', json({ ...opening, segments: [{ base64: inline }] }));
  const asked = json({ handle: 1, search: question });
  const want = decode(fixed.call('search', asked), 'it');
  assert.equal(decode(extism.callExtism('search', asked), 'it'), want);
  for (const other of others) {
    assert.deepEqual(other.exchange('build', json({ documents })).segment, segment);
    other.call('open', json({ ...opening, documents }));
    assert.equal(decode(other.call('search', asked), 'it'), want);
  }
});

test('what a call holds in the memory of the module is given back', async () => {
  const module = await WebAssembly.compile(wasm);
  const sealed = new Sealed();
  const { exports } = await WebAssembly.instantiate(module, sealed.imports(module));
  const real = /** @type {import('../src/instance.js').ModuleExports} */ (/** @type {unknown} */ (exports));
  sealed.memory = real.memory;
  real._initialize();
  /** @type {Set<number>} */
  const held = new Set();
  const hold = (/** @type {number} */ address) => held.add(address >>> 0) && address;
  const instance = new Instance({
    ...real,
    bulk_alloc: (size) => hold(real.bulk_alloc(size)),
    bulk_release: (address) => {
      held.delete(address >>> 0);
      real.bulk_release(address);
    },
    bulk_call: (number, address, size) => {
      const result = real.bulk_call(number, address, size);
      hold(Number(BigInt.asUintN(64, result) >> 32n));
      return result;
    },
  }, sealed);
  const json = (/** @type {unknown} */ value) => encode(JSON.stringify(value), 'it');
  const { output, segment = new Uint8Array(0) } = instance.exchange('build', json({ documents }));
  const { address } = JSON.parse(decode(output, 'it')).segment;
  assert.ok(address > 0);
  assert.throws(() => instance.exchange('open', json({ engine: 'e', settings: {}, segments: [{ address, size: segment.length }] })), fails(/^REQUEST_INVALID: there is no reservation of /));
  instance.exchange('open', json({ engine: 'e', settings: {} }), [segment]);
  assert.throws(() => instance.exchange('open', json({ engine: 'e', settings: {} }), [segment, segment]), fails(/^CORPUS_INVALID: /));
  const compacted = instance.exchange('compact', json({ handle: 1 }));
  assert.deepEqual(compacted.segment?.length, segment.length);
  instance.call('search', json({ handle: 1, search: question }));
  assert.deepEqual([...held], []);
});
