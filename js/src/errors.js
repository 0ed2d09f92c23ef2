/**
 * Failures are `CODE: sentence`: the code is for programs, the sentence for people.
 *
 * @import {Code} from './abi.js'
 */

/** What every function of this package throws when it refuses or fails. */
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
  return thrown instanceof Error ? thrown.message : String(thrown);
}
