/**
 * A caller's own scores, in nano-units. They replace the profile's scorer; the ranking stays the engine's.
 *
 * @import {Decomposition, Document, NanoUnits, Scores} from './abi.js'
 */
import { RookhavenError, kind } from './errors.js';
import { abortable } from './signal.js';

/**
 * Gives one score per document, in the order of the documents: integers of nano-units, 0 … 10¹⁵ − 1. It is asked once
 * per need, in order, also for a need without a slot: its scores are part of the request that the reply names.
 *
 * @typedef {(need: string, documents: readonly Readonly<Document>[]) => Given | Promise<Given>} Scorer
 */

/** @typedef {ArrayLike<number> | ArrayLike<bigint>} Given */

/** Ten to the fifteenth nano-units are a million. */
const limit = 1e15;

/**
 * scoresOf asks the scorer about every need and returns the `scores` of a request. A score of 0 is left out.
 *
 * @param {Decomposition['subqueries']} needs
 * @param {readonly Readonly<Document>[]} documents
 * @param {Scorer} scorer
 * @param {AbortSignal} [signal]
 */
export async function scoresOf(needs, documents, scorer, signal) {
  /** @type {Scores} */
  const scores = [];
  for (const { index, text } of needs) {
    const given = await abortable(Promise.resolve(scorer(text, documents)), signal);
    scores.push(byId(given, `need ${index}`, documents));
  }
  return scores;
}

/**
 * @param {Given} given
 * @param {string} need
 * @param {readonly Readonly<Document>[]} documents
 */
function byId(given, need, documents) {
  if (!Array.isArray(given) && (!ArrayBuffer.isView(given) || given instanceof DataView)) {
    throw new RookhavenError('SCORES_INVALID', `${need}: the scorer gave ${kind(given)}, not an array`);
  }
  if (given.length !== documents.length) {
    throw new RookhavenError('SCORES_INVALID', `${need}: the scorer gave ${given.length} scores for ${documents.length} documents`);
  }
  /** An id may be `__proto__`, so the object has none. @type {Record<string, NanoUnits>} */
  const scores = Object.create(null);
  for (const [i, { id }] of documents.entries()) {
    const score = nanoUnits(given[i], `${need}, document ${JSON.stringify(id)}`);
    if (score > 0) {
      scores[id] = score;
    }
  }
  return scores;
}

/**
 * @param {unknown} value
 * @param {string} where
 */
function nanoUnits(value, where) {
  const score = typeof value === 'bigint' ? Number(value) : value;
  if (typeof score !== 'number' || !Number.isInteger(score)) {
    throw new RookhavenError('SCORES_INVALID', `${where}: ${spelt(value)} is not an integer of nano-units`);
  }
  if (score < 0 || score >= limit) {
    throw new RookhavenError('SCORES_INVALID', `${where}: ${value} is not within 0 … ${limit - 1} nano-units`);
  }
  return score;
}

/**
 * @param {unknown} value
 */
function spelt(value) {
  return typeof value === 'number' ? String(value) : kind(value);
}
