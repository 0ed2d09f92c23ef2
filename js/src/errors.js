/**
 * Failures are `CODE: sentence`: the code is for programs, the sentence for people.
 *
 * @import {Code} from './abi.js'
 */

/** What every function of this package throws when it refuses or fails; what code of the caller throws passes through it. */
export class RookhavenError extends Error {
  /**
   * The message is `CODE: sentence`.
   *
   * @param {Code} code
   * @param {string} sentence
   * @param {ErrorOptions} [options]
   */
  constructor(code, sentence, options) {
    super(`${code}: ${sentence}`, options);
    this.name = 'RookhavenError';
    /** @readonly */
    this.code = code;
  }

  /**
   * parse takes `CODE: sentence` apart. A text of another form is INTERNAL: nobody guesses a code.
   *
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  static parse(message, options) {
    const parts = /^([A-Z][A-Z0-9_]*): ([^]*)$/.exec(message);
    return parts
      ? new RookhavenError(/** @type {Code} */ (parts[1]), parts[2], options)
      : new RookhavenError('INTERNAL', message, options);
  }
}

/**
 * because returns the message of what was thrown, which may be anything.
 *
 * @param {unknown} thrown
 */
export function because(thrown) {
  if (thrown instanceof Error) {
    return thrown.message;
  }
  return typeof thrown === 'object' && thrown !== null && typeof thrown.toString !== 'function' ? kind(thrown) : String(thrown);
}

/**
 * kind returns what a person calls the type of a value.
 *
 * @param {unknown} value
 */
export function kind(value) {
  if (value === null || value === undefined) {
    return String(value);
  }
  if (typeof value !== 'object') {
    return `a ${typeof value}`;
  }
  return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'Object'})`;
}

/** As much of a text as a sentence bears. */
const quoted = 60;

/**
 * quote returns a text as a sentence shows it: in quotes, and cut where it is long.
 *
 * @param {string} text
 */
export function quote(text) {
  return JSON.stringify(text.length > quoted ? `${text.slice(0, quoted)}…` : text);
}
