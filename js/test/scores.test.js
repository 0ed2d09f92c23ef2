import assert from 'node:assert/strict';
import { test } from 'node:test';

import { scoresOf } from '../src/scores.js';
import { fails } from './support/fails.js';

const documents = [{ id: 'd1', text: 'a' }, { id: '__proto__', text: 'b' }];
const needs = [{ index: 0, text: 'first', weight: 1, budget: 1 }, { index: 1, text: 'second', weight: 1, budget: 0 }];

/** @param {any} given */
const scores = (given) => scoresOf(needs, documents, () => given);

test('scores are named by document, and 0 is left out', async () => {
  const want = '[{"d1":5},{"d1":5}]';
  for (const given of [[5, 0], [5, -0], Float64Array.of(5, 0), Int32Array.of(5, 0), BigInt64Array.of(5n, 0n), Promise.resolve([5, 0])]) {
    assert.equal(JSON.stringify(await scores(given)), want);
  }
  assert.equal(JSON.stringify(await scores([0, 999999999999999])), '[{"__proto__":999999999999999},{"__proto__":999999999999999}]');
});

test('a scorer is asked once per need, in order', async () => {
  /** @type {string[]} */
  const asked = [];
  await scoresOf(needs, documents, async (need, of) => {
    asked.push(need);
    assert.equal(of, documents);
    return [1, 2];
  });
  assert.deepEqual(asked, ['first', 'second']);
});

test('wrong scores are refused by name', async () => {
  const refused = /** @type {[any, string][]} */ ([
    [[0.5, 1], 'SCORES_INVALID: need 0, document "d1": 0.5 is not an integer of nano-units'],
    [[1, NaN], 'SCORES_INVALID: need 0, document "__proto__": NaN is not an integer of nano-units'],
    [['1', 1], 'SCORES_INVALID: need 0, document "d1": a string is not an integer of nano-units'],
    [[1, undefined], 'SCORES_INVALID: need 0, document "__proto__": undefined is not an integer of nano-units'],
    [[-1, 1], 'SCORES_INVALID: need 0, document "d1": -1 is not within 0 … 999999999999999 nano-units'],
    [[1e15, 1], 'SCORES_INVALID: need 0, document "d1": 1000000000000000 is not within 0 … 999999999999999 nano-units'],
    [BigInt64Array.of(10n ** 18n, 1n), 'SCORES_INVALID: need 0, document "d1": 1000000000000000000 is not within 0 … 999999999999999 nano-units'],
    [[1], 'SCORES_INVALID: need 0: the scorer gave 1 scores for 2 documents'],
    [[1, 2, 3], 'SCORES_INVALID: need 0: the scorer gave 3 scores for 2 documents'],
    [undefined, 'SCORES_INVALID: need 0: the scorer gave undefined, not an array'],
    ['12', 'SCORES_INVALID: need 0: the scorer gave a string, not an array'],
    [{ d1: 1 }, 'SCORES_INVALID: need 0: the scorer gave an object (Object), not an array'],
    [new Set([1, 2]), 'SCORES_INVALID: need 0: the scorer gave an object (Set), not an array'],
  ]);
  for (const [given, message] of refused) {
    await assert.rejects(scores(given), fails(message));
  }
});

test('what a scorer throws comes through untouched', async () => {
  const own = new Error('mine');
  await assert.rejects(scoresOf(needs, documents, () => Promise.reject(own)), own);
  await assert.rejects(scoresOf(needs, documents, () => {
    throw own;
  }), own);
});

test('a signal ends the wait for a scorer', async () => {
  const stop = new AbortController();
  const wait = scoresOf(needs, documents, () => new Promise(() => {}), stop.signal);
  stop.abort(new Error('gone'));
  await assert.rejects(wait, fails('CANCELLED: the caller ended the call: gone'));
});
