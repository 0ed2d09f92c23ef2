import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { sha256 } from '../src/sha256.js';

const ascii = (/** @type {string} */ text) => new TextEncoder().encode(text);

test('the examples of FIPS 180-4', () => {
  const examples = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1'],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ];
  for (const [text, want] of examples) {
    assert.equal(sha256(ascii(text)), want);
  }
});

test('every length around a block agrees with another implementation', () => {
  for (let length = 0; length <= 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 0xff);
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'), `length ${length}`);
  }
});

test('a buffer is hashed as its bytes', () => {
  assert.equal(sha256(ascii('abc').buffer), sha256(ascii('abc')));
});

test('a view in the middle of a buffer is hashed alone', () => {
  const whole = ascii('xxabcxx');
  assert.equal(sha256(whole.subarray(2, 5)), sha256(ascii('abc')));
});
