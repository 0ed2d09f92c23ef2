import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { fromBase64, open, sha256 } from '../src/node.js';
import { because } from '../src/errors.js';
import { distance } from '../src/options.js';
import { engineBytes, harbour, request } from './support/engine.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

/** @import {Corpus, Engine} from '../src/node.js' */

const wasm = engineBytes();

/** @type {any} */
let engine;
/** @type {any} */
let corpus;
before(async () => {
  engine = /** @type {Engine} */ (await open({ wasm }));
  corpus = /** @type {Corpus} */ (await engine.open(harbour));
});
after(() => engine.close());

/** calls are all functions with options, given these. @param {unknown} options */
const calls = (options) => /** @type {[string, () => Promise<unknown>][]} */ ([
  ['retrieve', () => corpus.retrieve(request, options)],
  ['retrieve', () => engine.retrieve(request, corpus, options)],
  ['retrieve', () => engine.retrieve(request, harbour, options)],
  ['replay', () => corpus.replay('{}', options)],
  ['replay', () => engine.replay('{}', harbour, options)],
  ['decompose', () => engine.decompose(request, options)],
  ['engine.open', () => engine.open(harbour, options)],
  ['search', () => corpus.search(request, options)],
  ['search', () => engine.search(request, harbour, options)],
  ['remove', () => corpus.remove([], options)],
  ['compact', () => corpus.compact(options)],
  ['buildSegment', () => engine.buildSegment(harbour, {}, options)],
  ['openSegments', () => engine.openSegments([], {}, options)],
  ['openModel', () => engine.openModel(new Uint8Array(1), options)],
  ['embed', () => engine.embed([], options)],
  ['call', () => engine.call('abi', {}, options)],
]);

test('a misspelt option is refused and not ignored, and the nearest is named', async () => {
  const misspelt = /** @type {[() => Promise<unknown>, string][]} */ ([
    [() => corpus.retrieve(request, { scorrer: () => [] }), 'retrieve has no option "scorrer", the nearest is "scorer"; it has scorer, signal'],
    [() => engine.retrieve(request, corpus, { siganl: undefined }), 'retrieve has no option "siganl", the nearest is "signal"; it has scorer, signal'],
    [() => engine.replay('{}', corpus, { leafs: [] }), 'replay has no option "leafs", the nearest is "leaves"; it has leaves, signal'],
    [() => corpus.replay('{}', { Signal: undefined }), 'replay has no option "Signal", the nearest is "signal"; it has leaves, signal'],
    [() => engine.open(harbour, { setings: {} }), 'engine.open has no option "setings", the nearest is "settings"; it has settings, signal'],
    [() => engine.openSegments([], {}, { removes: [] }), 'openSegments has no option "removes", the nearest is "removed"; it has removed, signal'],
    [() => engine.embed([], { queries: true }), 'embed has no option "queries"; it has query, signal'],
    [() => engine.decompose(request, { explain: true }), 'decompose has no option "explain"; it has signal'],
    [() => open(/** @type {any} */ ({ wsm: wasm })), 'open has no option "wsm", the nearest is "wasm"; it has wasm, engine, model, vectors, worker, onStage, host'],
    [() => open(/** @type {any} */ ({ wasm, onstage: () => {} })), 'open has no option "onstage", the nearest is "onStage"; it has wasm, engine, model, vectors, worker, onStage, host'],
    [() => open(/** @type {any} */ ({ wasm, w: 1 })), 'open has no option "w"; it has wasm, engine, model, vectors, worker, onStage, host'],
  ]);
  for (const [call, message] of misspelt) {
    await assert.rejects(call(), fails(`ARGUMENT_UNKNOWN: ${message}`));
  }
  for (const [name, call] of calls({ ['x'.repeat(1 << 20)]: 1 })) {
    await assert.rejects(call(), fails(new RegExp(`^ARGUMENT_UNKNOWN: ${name} has no option "x{60}…"; it has `)));
  }
});

test('options that are no options are refused by what they are', async () => {
  for (const [given, is] of /** @type {[unknown, string][]} */ ([
    [null, 'null'], [5, 'a number'], ['x', 'a string'], [[], 'an array'],
    [new AbortController().signal, 'an object (AbortSignal)'], [new Map(), 'an object (Map)'],
  ])) {
    for (const [name, call] of calls(given)) {
      await assert.rejects(call(), fails(`ARGUMENT_INVALID: the options of ${name} are ${is}, not a plain object`));
    }
  }
  assert.equal((await corpus.retrieve(request, undefined)).reply.verdict, 'answered');
});

test('an option of another type is refused by its name', async () => {
  const stubborn = { aborted: false };
  for (const signal of [5, null, 'x', {}, stubborn]) {
    for (const [, call] of calls({ signal })) {
      await assert.rejects(call(), fails(/^ARGUMENT_INVALID: signal is .*, not an AbortSignal$/));
    }
  }
  for (const scorer of [5, null, 'x', [1]]) {
    await assert.rejects(corpus.retrieve(request, { scorer }), fails(/^ARGUMENT_INVALID: scorer is .*, not a function$/));
    await assert.rejects(engine.retrieve(request, harbour, { scorer }), fails(/^ARGUMENT_INVALID: scorer is .*, not a function$/));
  }
  for (const leaves of [5, null, {}, false]) {
    await assert.rejects(corpus.replay('{}', { leaves }), fails(/^ARGUMENT_INVALID: leaves is .*, not an array, or its JSON as text or bytes$/));
  }
});

test('open refuses what it cannot use by its name', async () => {
  const name = 'a name of 1 to 200 UTF-16 units without a lone surrogate';
  const refused = /** @type {[any, string | RegExp][]} */ ([
    [{ wasm, worker: 5 }, 'worker is a number, not true or false'],
    [{ wasm, worker: null }, 'worker is null, not true or false'],
    [{ wasm, onStage: 'x' }, 'onStage is "x", not a function'],
    [{ wasm, host: 5, worker: false }, 'host is a number, not an object of functions'],
    [{ wasm, engine: '' }, `engine is "", not ${name}`],
    [{ wasm, engine: 5 }, `engine is a number, not ${name}`],
    [{ wasm, model: null }, `model is null, not ${name}`],
    [{ wasm, vectors: '\ud800' }, `vectors is "\\ud800", not ${name}`],
    [{ wasm, engine: 'x'.repeat(201) }, `engine is "${'x'.repeat(60)}…", not ${name}`],
    [undefined, 'the options of open are undefined, not a plain object'],
    [null, 'the options of open are null, not a plain object'],
    ['rookhaven.wasm', 'the options of open are a string, not a plain object'],
    [wasm, 'the options of open are an object (Uint8Array), not a plain object'],
    [{}, /^wasm is undefined, not bytes, /],
  ]);
  for (const [options, message] of refused) {
    const want = typeof message === 'string' ? `ARGUMENT_INVALID: ${message}` : new RegExp(`^ARGUMENT_INVALID: ${message.source.slice(1)}`);
    await assert.rejects(open(options), fails(want));
  }
  await assert.rejects(/** @type {any} */ (open)(), fails('ARGUMENT_INVALID: the options of open are undefined, not a plain object'));
  const named = await open({ wasm, engine: 'x'.repeat(200), model: undefined, worker: false });
  assert.equal((await named.open(harbour)).documents, harbour.length);
});

test('a question in place of a request is told what was expected', async () => {
  const sentence = 'is neither a request object nor its JSON text, which begins with {: a question goes into {"query": …}';
  for (const [asked, shown] of [['tide', '"tide"'], ['crane faults', '"crane faults"'], ['', '""'], [' [1]', '" [1]"'], ['"tide"', JSON.stringify('"tide"')], ['x'.repeat(100), `"${'x'.repeat(60)}…"`]]) {
    for (const given of [asked, Buffer.from(asked)]) {
      const message = `REQUEST_INVALID: ${typeof given === 'string' ? shown : `the text of ${given.length} bytes`} ${sentence}`;
      await assert.rejects(corpus.retrieve(given), fails(message));
      await assert.rejects(corpus.retrieve(given, () => []), fails(message));
      await assert.rejects(engine.retrieve(given, harbour), fails(message));
      await assert.rejects(engine.decompose(given), fails(message));
    }
  }
  await assert.rejects(corpus.retrieve('\ufeff{}'), fails('JSON_INVALID: request begins with a byte order mark'));
  await assert.rejects(corpus.retrieve('{tide'), fails(/^JSON_INVALID: /));
  assert.equal((await corpus.retrieve('\r\n\t {"query":"tide"}')).reply.verdict, 'answered');
});

test('every failure is a RookhavenError', async () => {
  const gone = wasm.slice();
  structuredClone(0, { transfer: [gone.buffer] });
  const bodyless = new Response(/** @type {any} */ (fake()));
  await bodyless.arrayBuffer();
  const failures = /** @type {[() => unknown, RegExp][]} */ ([
    [() => open({ wasm: gone }), /^ARGUMENT_INVALID: the bytes were transferred away/],
    [() => open({ wasm: gone.buffer }), /^ARGUMENT_INVALID: the bytes were transferred away/],
    [() => open({ wasm: Promise.reject(new TypeError('fetch failed')) }), /^FILE_UNREADABLE: wasm: fetch failed$/],
    [() => open({ wasm: bodyless }), /^FILE_UNREADABLE: the response: /],
    [() => open({ wasm: 'file://[' }), /^ARGUMENT_INVALID: file:\/\/\[: /],
    [() => open({ wasm: 'a\0b' }), /^FILE_UNREADABLE: /],
    [() => open({ wasm: /** @type {any} */ ({ [Symbol.toStringTag]: 'Uint8Array' }) }), /^ARGUMENT_INVALID: wasm is an object/],
    [() => engine.call(5n, {}), /^EXPORT_UNKNOWN: there is no export a bigint$/],
    [() => engine.call(Symbol('a'), {}), /^EXPORT_UNKNOWN: there is no export a symbol$/],
    [() => engine.call(), /^EXPORT_UNKNOWN: there is no export undefined$/],
    [() => engine.call('abi'), /^REQUEST_INVALID: /],
    [() => engine.open(), /^CORPUS_INVALID: /],
    [() => corpus.retrieve(), /^REQUEST_INVALID: /],
    [() => corpus.replay(), /^REPLY_INVALID: /],
    [() => corpus.replay({ reply: {}, bytes: 5 }), /^(REPLY|REQUEST|JSON)_INVALID: /],
    [() => corpus.retrieve(request, { signal: AbortSignal.abort(Object.create(null)) }), /^CANCELLED: /],
    [async () => fromBase64(/** @type {any} */ (null)), /^ARGUMENT_INVALID: the base64 is null, not a string$/],
    [async () => sha256(/** @type {any} */ ('abc')), /^ARGUMENT_INVALID: sha256 takes bytes, not a string$/],
  ]);
  for (const [call, message] of failures) {
    await assert.rejects(async () => call(), fails(message), String(call));
  }
  assert.equal(because(Object.create(null)), 'an object (Object)');
});

test('what the code of the caller throws passes through', async () => {
  const mine = new TypeError('mine');
  const scorer = () => {
    throw mine;
  };
  await assert.rejects(corpus.retrieve(request, scorer), mine);
  await assert.rejects(engine.retrieve(request, harbour, { scorer }), mine);
});

test('the distance counts a swap of neighbours as one', () => {
  for (const [a, b, want] of /** @type {[string, string, number][]} */ ([
    ['', '', 0], ['', 'ab', 2], ['signal', 'signal', 0], ['siganl', 'signal', 1], ['scorrer', 'scorer', 1],
    ['wsm', 'wasm', 1], ['leafs', 'leaves', 2], ['ca', 'abc', 3], ['kitten', 'sitting', 3],
  ])) {
    assert.equal(distance(a, b), want, `${a} ${b}`);
    assert.equal(distance(b, a), want, `${b} ${a}`);
  }
});
