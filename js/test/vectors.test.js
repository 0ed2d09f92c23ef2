import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { open } from '../src/node.js';
import { decode } from '../src/text.js';
import { engineBytes } from './support/engine.js';
import { fails } from './support/fails.js';

/** @import {Engine} from '../src/node.js' */

const wasm = engineBytes();

/** A model of 32 dimensions, which conformance/cases makes (TestGoldenModel). */
const tiny = new Uint8Array(readFileSync(new URL('support/tiny.rkm', import.meta.url)));

const documents = Array.from({ length: 20 }, (_, i) => ({ id: `d${i}`, text: `tide windows and crane ${i} of berth ${i % 7}` }));
const question = { query: 'crane 3', limit: 30 };

/** @type {Engine} */
let engine;
before(async () => {
  engine = await open({ wasm });
});
after(() => engine.close());

test('an index that is embedded is searched by words and meaning, in any host with the same bytes', async () => {
  const corpus = await engine.open(documents, { settings: {} });
  await assert.rejects(corpus.embed(), fails(/^MODEL_ABSENT: /));
  assert.equal((await corpus.search(question)).reply.request.mode, 'lexical');
  const { digest } = await engine.openModel(tiny);
  /** @type {[number, number][]} */
  const told = [];
  const files = await corpus.embed({ progress: (done, total) => told.push([done, total]) });
  assert.deepEqual(told, [[8, 20], [16, 20], [20, 20]]);
  assert.equal(files.length, 1);
  const { reply, bytes } = await corpus.search(question);
  assert.deepEqual({ mode: reply.request.mode, degraded: reply.degraded, model: reply.model }, { mode: 'hybrid', degraded: [], model: digest });
  assert.equal(reply.hits.length, 20);
  assert.equal((await corpus.replay({ reply, bytes })).verdict, 'MATCH');

  const other = await open({ wasm, worker: false });
  const again = await other.open(documents, { settings: {} });
  const attached = await again.attach(files);
  assert.deepEqual(attached, { bytes: attached.bytes, dimensions: 32, external: false, model: digest, vectors: 20 });
  assert.deepEqual((await again.search(question)).reply.degraded, ['model:absent']);
  await other.openModel(tiny);
  assert.equal(decode((await again.search(question)).bytes, 'the reply'), decode(bytes, 'the reply'));
  await again.attach([]);
  assert.equal((await again.search(question)).reply.request.mode, 'lexical');
  await other.close();
});

test('vectors and the model are there again after a worker ended', async () => {
  const own = await open({ wasm });
  await own.openModel(tiny);
  const corpus = await own.open(documents, { settings: {} });
  await corpus.embed();
  const { bytes } = await corpus.search(question);
  await assert.rejects(corpus.search(question, { signal: AbortSignal.abort() }));
  const ended = new AbortController();
  const embedding = own.embed(Array.from({ length: 1000 }, (_, i) => `tide ${i} `.repeat(50)), { signal: ended.signal });
  setTimeout(() => ended.abort(), 5);
  await assert.rejects(embedding);
  assert.deepEqual((await corpus.search(question)).bytes, bytes);
  await own.close();
});

test('vectors that are damaged, or of another corpus, are refused, and those before stay', async () => {
  await engine.openModel(tiny);
  const corpus = await engine.open(documents, { settings: {} });
  const files = await corpus.embed();
  const { bytes } = await corpus.search(question);
  const damaged = files[0].slice();
  damaged[100] ^= 1;
  const other = await engine.open(documents.slice(1), { settings: {} });
  await assert.rejects(corpus.attach([damaged]), fails(/^VECTORS_CORRUPT: /));
  await assert.rejects(other.attach(files), fails(/^VECTORS_CORRUPT: /));
  await assert.rejects(corpus.attach(/** @type {any} */ (files[0])), fails(/^ARGUMENT_INVALID: the vectors are an object/));
  assert.deepEqual((await corpus.search(question)).bytes, bytes);
});
