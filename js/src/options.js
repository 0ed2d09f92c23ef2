/**
 * What a caller may say beside the arguments of a call.
 *
 * An option that nobody reads would change nothing without a word: a misspelt `scorer` would rank by the profile, a
 * misspelt `signal` would end nothing. So a member that is unknown is refused, with the name that was probably meant, and
 * one of another type by its own name: see 'a misspelt option is refused and not ignored'. A member that is undefined
 * counts as absent.
 */
import { RookhavenError, kind, quote } from './errors.js';
import { isPlain } from './json.js';
import { asBytes, loneSurrogate } from './text.js';

/**
 * A type that an option may have, and the words for it.
 *
 * @typedef {object} Type
 * @property {(value: any) => boolean} holds
 * @property {string} words
 */

/** ABI.md §3, in UTF-16 units. */
const maxName = 200;

/** @type {Type} */
export const aFunction = { holds: (value) => typeof value === 'function', words: 'a function' };

/** @type {Type} */
export const aName = {
  holds: (value) => typeof value === 'string' && value.length > 0 && value.length <= maxName && loneSurrogate(value) < 0,
  words: `a name of 1 to ${maxName} UTF-16 units without a lone surrogate`,
};

/** @type {Type} */
export const aBoolean = { holds: (value) => typeof value === 'boolean', words: 'true or false' };

/** @type {Type} */
export const aHost = { holds: (value) => typeof value === 'object' && value !== null && isPlain(value), words: 'an object of functions' };

/** What it holds is judged where it is read. @type {Type} */
export const anything = { holds: () => true, words: 'anything' };

/** One of another realm is no instance of this realm's class. @type {Type} */
const aSignal = {
  holds: (value) => typeof value === 'object' && typeof value?.aborted === 'boolean'
    && typeof value.addEventListener === 'function' && typeof value.removeEventListener === 'function',
  words: 'an AbortSignal',
};

/** @type {Type} */
const aList = {
  holds: (value) => Array.isArray(value) || typeof value === 'string' || asBytes(value) !== undefined,
  words: 'an array, or its JSON as text or bytes',
};

/** @type {Type} */
const aSettings = {
  holds: (value) => typeof value === 'string' || asBytes(value) !== undefined || (typeof value === 'object' && value !== null && isPlain(value)),
  words: 'an object, or its JSON as text or bytes',
};

/** The options of retrieve. */
export const retrieveOptions = { scorer: aFunction, signal: aSignal };

/** The options of replay. */
export const replayOptions = { leaves: aList, signal: aSignal };

/** The options of engine.open and engine.search. */
export const indexOptions = { settings: aSettings, signal: aSignal };

/** The options of engine.openSegments. */
export const segmentsOptions = { removed: aList, signal: aSignal };

/** The options of engine.embed. */
export const embedOptions = { query: aBoolean, signal: aSignal };

/** The options of corpus.embed. */
export const embedCorpusOptions = { progress: aFunction, signal: aSignal };

/** The options of every other call. */
export const callOptions = { signal: aSignal };

/**
 * demandOptions returns options whose members are all known and of their types. Absent options are empty ones.
 *
 * @template {object} T
 * @param {string} call whose options they are
 * @param {T | undefined} options
 * @param {Record<string, Type>} known the members that there are
 * @returns {T}
 */
export function demandOptions(call, options, known) {
  if (options === undefined) {
    return /** @type {T} */ ({});
  }
  demandPlain(call, options);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    const names = Object.keys(known);
    const meant = nearest(unknown, names);
    const hint = meant === undefined ? '' : `, the nearest is ${quote(meant)}`;
    throw new RookhavenError('ARGUMENT_UNKNOWN', `${call} has no option ${quote(unknown)}${hint}; it has ${names.join(', ')}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !known[name].holds(value)) {
      throw new RookhavenError('ARGUMENT_INVALID', `${name} is ${typeof value === 'string' ? quote(value) : kind(value)}, not ${known[name].words}`);
    }
  }
  return options;
}

/**
 * demandPlain refuses what holds no options, such as a signal in their place: it has no members of its own, so that nothing
 * in it would be unknown.
 *
 * @param {string} call
 * @param {unknown} options
 */
export function demandPlain(call, options) {
  if (typeof options !== 'object' || options === null || Array.isArray(options) || !isPlain(options)) {
    throw new RookhavenError('ARGUMENT_INVALID', `the options of ${call} are ${kind(options)}, not a plain object`);
  }
}

/** More slips than this make another word. */
const maxSlips = 2;

/**
 * nearest returns the name that was probably meant, the first of those with the fewest slips, or undefined. A slip in the
 * case of a letter is none.
 *
 * @param {string} word
 * @param {string[]} names
 */
function nearest(word, names) {
  const slips = (/** @type {string} */ name) => (
    // The bound on the lengths is also what bounds the work.
    Math.abs(word.length - name.length) > maxSlips ? maxSlips + 1 : distance(word.toLowerCase(), name.toLowerCase())
  );
  const [first] = names.map((name) => ({ name, slips: slips(name) })).sort((a, b) => a.slips - b.slips);
  return first.slips <= maxSlips ? first.name : undefined;
}

/**
 * distance returns how many letters have to be put in, left out, changed or swapped with their neighbour to make one word
 * of another, where no part is edited twice (optimal string alignment).
 *
 * @param {string} a
 * @param {string} b
 */
export function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i].push(Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same, swapped));
    }
  }
  return rows[a.length][b.length];
}
