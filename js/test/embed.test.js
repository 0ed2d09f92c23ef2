import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { open } from '../src/node.js';
import { Instance } from '../src/instance.js';
import { decode, encode } from '../src/text.js';
import { engineBytes } from './support/engine.js';
import { fails } from './support/fails.js';
import { hostile } from './support/hostile.js';

/** @import {Engine} from '../src/node.js' */

const wasm = engineBytes();

/** A model of 32 dimensions, which conformance/cases makes (TestGoldenModel). */
const tiny = new Uint8Array(readFileSync(new URL('support/tiny.rkm', import.meta.url)));

/** What it makes of texts: conformance/cases/embed/no-query.txtar and query.txtar. */
const plain = { texts: ['tide windows'], tokens: [3], vectors: ['I9vQ4OA12RK6+Tnp48an7zvSDehSEeIuywBIDRl/8C0='] };
const asked = {
  texts: ['tide windows', ''],
  tokens: [5, 2],
  vectors: ['MtzK39U75ALAADbm6s+Y6DTfA+1gBuNCwPpSDBR/7iI=', 'NMjJz81J3QrPBkrb/Myk2jzQAfVT+ulDxfFXDA9/9iE='],
};

/** @param {Int8Array} vector */
const base64 = (vector) => Buffer.from(vector.buffer).toString('base64');

/**
 * demandVectors demands the vectors that are known of an engine.
 *
 * @param {Engine} engine
 */
async function demandVectors(engine) {
  for (const { query, want } of [{ query: false, want: plain }, { query: true, want: asked }]) {
    const { vectors, tokens } = await engine.embed(want.texts, { query });
    assert.ok(vectors.every((vector) => vector instanceof Int8Array && vector.length === 32));
    assert.deepEqual({ tokens, vectors: vectors.map(base64) }, { tokens: want.tokens, vectors: want.vectors });
  }
}

/** @type {Engine} */
let engine;
before(async () => {
  engine = await open({ wasm });
});
after(() => engine.close());

for (const worker of [true, false]) {
  const where = worker ? 'in a worker' : 'in the calling thread';

  test(`a model ${where} is opened, turns texts into vectors, and is closed`, async () => {
    const own = await open({ wasm, worker });
    await assert.rejects(own.embed(['tide']), fails(/^MODEL_ABSENT: /));
    for (const model of [tiny, Buffer.from(tiny), tiny.slice().buffer]) {
      const { name, dimensions, window, bytes } = await own.openModel(model);
      assert.deepEqual({ name, dimensions, window }, { name: 'tiny', dimensions: 32, window: 12 });
      assert.ok(bytes > tiny.length);
      await demandVectors(own);
      assert.deepEqual(await own.embed([]), { vectors: [], tokens: [] });
    }
    await own.closeModel();
    await assert.rejects(own.embed(['tide']), fails(/^MODEL_ABSENT: /));
    await own.closeModel();
    await own.close();
  });

  test(`a model ${where} stays open where the next is refused`, async () => {
    const own = await open({ wasm, worker });
    await own.openModel(tiny);
    const [damaged, other] = [tiny.slice(), tiny.slice()];
    damaged[4000] ^= 1;
    other[7]++;
    await assert.rejects(own.openModel(damaged), fails(/^MODEL_CORRUPT: /));
    await assert.rejects(own.openModel(other), fails(/^MODEL_VERSION: /));
    await assert.rejects(own.openModel(tiny.slice(0, 99)), fails(/^MODEL_CORRUPT: /));
    await demandVectors(own);
    await own.close();
  });
}

test('the bytes of a model stay the caller\'s', async () => {
  const model = tiny.slice();
  await engine.openModel(model);
  assert.deepEqual(model, tiny);
  await demandVectors(engine);
});

test('a model survives the worker that a signal ended', async () => {
  const stop = new AbortController();
  const own = await open({ wasm, onStage: () => stop.abort() });
  await assert.rejects(own.openModel(tiny, { signal: stop.signal }), fails(/^CANCELLED: /));
  await assert.rejects(own.embed(['tide']), fails(/^MODEL_ABSENT: /), 'it was not open yet');
  await own.openModel(tiny);
  const ending = new AbortController();
  const call = own.embed(['tide'], { signal: ending.signal });
  ending.abort();
  await assert.rejects(call, fails(/^CANCELLED: /));
  await demandVectors(own);
  await own.close();
});

test('what was closed is not opened again for another worker', async () => {
  let stop = new AbortController();
  const own = await open({ wasm, onStage: () => stop.abort() });
  await own.openModel(tiny);
  await own.closeModel();
  stop = new AbortController();
  await assert.rejects(own.embed(['tide'], { signal: stop.signal }), fails(/^CANCELLED: /));
  await assert.rejects(own.embed(['tide']), fails(/^MODEL_ABSENT: /));
  await own.close();
});

test('wrong texts are refused by name', async () => {
  await engine.openModel(tiny);
  const refused = /** @type {[() => Promise<unknown>, string | RegExp][]} */ ([
    [() => engine.embed(/** @type {any} */ ('tide')), 'ARGUMENT_INVALID: the texts are a string, not an array of strings'],
    [() => engine.embed(/** @type {any} */ (undefined)), 'ARGUMENT_INVALID: the texts are undefined, not an array of strings'],
    [() => engine.embed(/** @type {any} */ (['tide', 7])), /^REQUEST_INVALID: texts\[1\]: expected a string/],
    [() => engine.embed(/** @type {any} */ (['tide', undefined])), 'REQUEST_INVALID: texts[1] is undefined, which JSON cannot spell'],
    [() => engine.embed(['\ud83d']), /^JSON_INVALID: texts\[0\] has a lone surrogate/],
    [() => engine.embed(new Array(1025).fill('tide')), /^REQUEST_INVALID: texts: expected at most 1024 texts/],
    [() => engine.embed(['tide'], { query: /** @type {any} */ ('yes') }), 'ARGUMENT_INVALID: query is "yes", not true or false'],
    [() => engine.openModel(/** @type {any} */ ('tiny.rkm')), 'ARGUMENT_INVALID: the model is a string, not bytes'],
    [() => engine.openModel(new Uint8Array(0)), /^REQUEST_INVALID: /],
  ]);
  for (const [call, message] of refused) {
    await assert.rejects(call, fails(message), String(call));
  }
  await demandVectors(engine);
});

test('vectors have the same bytes on both planes, in base64 and in any host', async () => {
  const module = await WebAssembly.compile(wasm);
  const json = (/** @type {unknown} */ value) => encode(JSON.stringify(value), 'it');
  const inline = json({ model: { base64: Buffer.from(tiny).toString('base64') } });
  for (const host of [undefined, hostile(1), hostile(2)]) {
    const [bulk, extism] = [await Instance.start(module, host), await Instance.start(module, host)];
    bulk.exchange('open_model', json({}), [tiny]);
    extism.callExtism('open_model', inline);
    for (const { query, want: { texts, tokens, vectors } } of [{ query: false, want: plain }, { query: true, want: asked }]) {
      const want = { tokens, vectors };
      assert.deepEqual(JSON.parse(decode(bulk.call('embed', json({ texts, query })), 'it')), want);
      assert.deepEqual(JSON.parse(decode(extism.callExtism('embed', json({ texts, query })), 'it')), want);
    }
  }
});
