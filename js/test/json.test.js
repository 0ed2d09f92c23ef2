import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import { documentsBytes, jsonBytes, object } from '../src/json.js';
import { decode, encode } from '../src/text.js';
import { fails } from './support/fails.js';

const text = (/** @type {unknown} */ value) => decode(jsonBytes(value, 'request', 'REQUEST_INVALID'), 'it');

test('what JSON can say is handed on, right or wrong: the module judges it', () => {
  for (const value of [{}, { query: null }, { query: 1.5, x: [true, { y: 'ä' }] }, [], 'a', 1]) {
    const want = typeof value === 'string' ? value : JSON.stringify(value);
    assert.equal(text(value), want);
  }
});

test('what JSON cannot spell is refused by name', () => {
  const cyclic = { query: 'a', self: {} };
  cyclic.self = cyclic;
  const refused = /** @type {[unknown, string | RegExp][]} */ ([
    [undefined, 'REQUEST_INVALID: request is undefined, which JSON cannot spell'],
    [{ seed: undefined }, 'REQUEST_INVALID: request.seed is undefined, which JSON cannot spell'],
    [{ recallBudget: NaN }, 'REQUEST_INVALID: request.recallBudget is NaN, which JSON cannot spell'],
    [{ recallBudget: Infinity }, 'REQUEST_INVALID: request.recallBudget is Infinity, which JSON cannot spell'],
    [{ recallBudget: 1n }, 'REQUEST_INVALID: request.recallBudget is a bigint, which JSON cannot spell'],
    [{ query: Symbol('a') }, 'REQUEST_INVALID: request.query is a symbol, which JSON cannot spell'],
    [{ toJSON: () => ({}) }, 'REQUEST_INVALID: request.toJSON is a function, which JSON cannot spell'],
    // eslint-disable-next-line no-sparse-arrays -- a hole is what is tested
    [{ needs: ['a', , 'b'] }, 'REQUEST_INVALID: request.needs[1] is undefined, which JSON cannot spell'],
    [{ query: new Date(0) }, 'REQUEST_INVALID: request.query is an object (Date), not a plain object'],
    [{ scores: [new Map()] }, 'REQUEST_INVALID: request.scores[0] is an object (Map), not a plain object'],
    [{ needs: new Float64Array(2) }, 'REQUEST_INVALID: request.needs is an object (Float64Array), not a plain object'],
    [cyclic, /^JSON_INVALID: request(\.self){64} is nested deeper than 64$/],
  ]);
  for (const [value, message] of refused) {
    assert.throws(() => text(value), fails(message));
  }
});

test('lone surrogates are refused by name', () => {
  assert.throws(() => text({ query: 'a\ud800' }), fails('JSON_INVALID: request.query has a lone surrogate at unit 1'));
  assert.throws(() => text({ needs: ['a', '\udc00'] }), fails('JSON_INVALID: request.needs[1] has a lone surrogate at unit 0'));
  assert.throws(() => text({ '\ud800': 1 }), fails('JSON_INVALID: the name of a member of request has a lone surrogate at unit 0'));
  assert.throws(() => text('{"query":"\ud800"}'), fails('JSON_INVALID: request has a lone surrogate at unit 10'));
  const documents = [{ id: 'a', text: 'b' }, { id: 'c', text: 'd', title: '\u{1f3f0}\ud800' }];
  assert.throws(() => documentsBytes(documents), fails('JSON_INVALID: document 1.title has a lone surrogate at unit 2'));
});

test('a member named __proto__ is a member', () => {
  assert.equal(text(JSON.parse('{"__proto__":1}')), '{"__proto__":1}');
  assert.equal(text(Object.assign(Object.create(null), { a: 1 })), '{"a":1}');
});

test('an object of another realm is a plain object', () => {
  assert.equal(text(runInNewContext('({query: "a", needs: ["b"]})')), '{"query":"a","needs":["b"]}');
});

test('a byte order mark before a document is refused, inside a text it is a character', () => {
  assert.throws(() => text('\ufeff{}'), fails('JSON_INVALID: request begins with a byte order mark'));
  assert.throws(() => documentsBytes(Buffer.from('\ufeff[]')), fails('JSON_INVALID: the corpus begins with a byte order mark'));
  assert.equal(text({ query: '\ufeffa' }), '{"query":"\ufeffa"}');
});

test('documents refused by their place', () => {
  const refused = /** @type {[unknown, string][]} */ ([
    [7, 'CORPUS_INVALID: the corpus is a number, not an array of documents, its JSON as text or bytes, or an open corpus'],
    [[{ id: 'a', text: 'b' }, undefined], 'CORPUS_INVALID: document 1 is undefined, which JSON cannot spell'],
    [[{ id: 'a', text: 'b', title: undefined }], 'CORPUS_INVALID: document 0.title is undefined, which JSON cannot spell'],
  ]);
  for (const [corpus, message] of refused) {
    assert.throws(() => documentsBytes(corpus), fails(message));
  }
});

test('a corpus of many pieces is one array', () => {
  const documents = Array.from({ length: 5 }, (_, i) => ({ id: `d${i}`, text: 'ä'.repeat(600_000) }));
  assert.equal(decode(documentsBytes(documents), 'it'), JSON.stringify(documents));
  assert.equal(decode(documentsBytes([]), 'it'), '[]');
});

test('an object of JSON members leaves out what is undefined', () => {
  const one = encode('1', 'it');
  assert.equal(decode(object({ a: one, b: undefined, c: one }), 'it'), '{"a":1,"c":1}');
  assert.equal(decode(object({}), 'it'), '{}');
});
