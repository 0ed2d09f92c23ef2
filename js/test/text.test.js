import assert from 'node:assert/strict';
import { test } from 'node:test';

import { asBytes, concat, decode, encode, fromBase64, loneSurrogate } from '../src/text.js';
import { fails } from './support/fails.js';

test('a byte order mark survives both ways', () => {
  assert.deepEqual(encode('\ufeffa', 'it'), Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  assert.equal(decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), 'it'), '\ufeffa');
});

test('NUL and characters outside the BMP survive both ways', () => {
  const text = 'a\0b\u{1f3f0}\u{10ffff}\uffff';
  assert.equal(decode(encode(text, 'it'), 'it'), text);
});

test('a lone surrogate is refused with its place', () => {
  for (const [text, at] of /** @type {[string, number][]} */ ([['\ud800', 0], ['ab\udc00', 2], ['\u{1f3f0}\ud83c', 2], ['\udc00\ud800', 0]])) {
    assert.throws(() => encode(text, 'it'), fails(`JSON_INVALID: it has a lone surrogate at unit ${at}`));
  }
});

test('engines without isWellFormed find the same surrogates', () => {
  // A string object that has no such method stands for such an engine.
  const old = (/** @type {string} */ text) => loneSurrogate(/** @type {any} */ ({ search: (/** @type {RegExp} */ it) => text.search(it) }));
  for (const text of ['', 'plain', '\u{1f3f0}', '\ud800', 'a\udc00b', '\u{1f3f0}\ud83c\u{1f3f0}']) {
    assert.equal(old(text), loneSurrogate(text), JSON.stringify(text));
  }
});

test('bytes that are not UTF-8 are refused, never replaced', () => {
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    assert.throws(() => decode(Uint8Array.from(bytes), 'it'), fails('JSON_INVALID: it is not UTF-8'));
  }
});

test('bytes are taken from every kind of holder', () => {
  assert.deepEqual(asBytes(Buffer.from('a')), Buffer.from('a'));
  assert.deepEqual(asBytes(Uint8Array.of(1).buffer), Uint8Array.of(1));
  for (const other of ['a', 1, null, undefined, [1], new Float32Array(1)]) {
    assert.equal(asBytes(other), undefined);
  }
});

test('base64 of a page gives the bytes back', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  assert.deepEqual(fromBase64(Buffer.from(bytes).toString('base64')), bytes);
  assert.throws(() => fromBase64('?'), fails('ARGUMENT_INVALID: the text is not base64'));
});

test('concat keeps the order and needs no part', () => {
  assert.deepEqual(concat([Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)]), Uint8Array.of(1, 2, 3));
  assert.deepEqual(concat([]), new Uint8Array(0));
});
