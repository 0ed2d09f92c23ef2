/**
 * A corpus that stays open.
 *
 * @import {Document, ExportName, Leaf, Names, OpenReply, ReplayReply, Reply, Request} from './abi.js'
 * @import {Session} from './session.js'
 */
import { RookhavenError } from './errors.js';
import { documentsBytes, documentsOf, jsonBytes, object, parseJSON, requestBytes } from './json.js';
import { demandOptions, replayOptions, retrieveOptions } from './options.js';
import { scoresOf } from './scores.js';
import { encode } from './text.js';

/** @import {Scorer} from './scores.js' */

/** @typedef {readonly Document[] | string | Uint8Array | ArrayBuffer} Documents an array, or its JSON as text or bytes */

/** @typedef {string | Uint8Array | ArrayBuffer} JSONText JSON as text or bytes, handed on as it is */

/**
 * A reply and the bytes it was read from. The bytes are canonical: they are what is stored, compared and replayed.
 *
 * @typedef {object} Answer
 * @property {Reply} reply
 * @property {Uint8Array} bytes
 */

/**
 * @typedef {object} RetrieveOptions
 * @property {Scorer} [scorer] scores in place of the profile's
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} ReplayOptions
 * @property {readonly Leaf[]} [leaves] of the corpus that the reply names: they make the first differing document exact
 * @property {AbortSignal} [signal]
 */

export class Corpus {
  #session;
  #names;
  #bytes;
  #handle = 0;
  #generation = 0;
  #closed = false;
  /** @type {readonly Readonly<Document>[] | undefined} */
  #parsed;

  /**
   * @param {Session} session
   * @param {Names} names
   * @param {Uint8Array<ArrayBufferLike>} bytes the documents; they are kept to open the corpus again after its worker ended
   */
  constructor(session, names, bytes) {
    this.#session = session;
    this.#names = names;
    this.#bytes = bytes;
    /** The corpus root. @type {string} */
    this.root = '';
    /** How many documents there are. @type {number} */
    this.documents = 0;
  }

  /**
   * open opens documents under the names.
   *
   * @param {Session} session
   * @param {Names} names
   * @param {Documents} documents
   * @param {AbortSignal} [signal]
   */
  static async open(session, names, documents, signal) {
    const corpus = new Corpus(session, names, documentsBytes(documents).slice());
    await session.turn((call, generation) => corpus.#reopen(call, generation), signal);
    return corpus;
  }

  /**
   * retrieve answers a request. A request in JSON is judged by the module as it is.
   *
   * @param {Request | JSONText} request
   * @param {RetrieveOptions | Scorer} [options] a function is the scorer
   * @returns {Promise<Answer>}
   */
  async retrieve(request, options) {
    const { scorer, signal } = typeof options === 'function'
      ? { scorer: options, signal: undefined }
      : demandOptions('retrieve', options, retrieveOptions);
    let bytes = requestBytes(request);
    if (scorer) {
      bytes = await this.#score(bytes, scorer, signal);
    }
    const output = await this.#call('retrieve', { request: bytes }, signal);
    return { reply: parseJSON(output), bytes: output };
  }

  /**
   * replay runs a stored reply again, on this corpus and this engine, and says whether the same bytes come out.
   *
   * @param {Reply | Answer | JSONText} stored
   * @param {ReplayOptions} [options]
   * @returns {Promise<ReplayReply>}
   */
  async replay(stored, options) {
    const { leaves, signal } = demandOptions('replay', options, replayOptions);
    const reply = isAnswer(stored) ? stored.bytes : stored;
    return parseJSON(await this.#call('replay', {
      leaves: leaves === undefined ? undefined : jsonBytes(leaves, 'leaves', 'REQUEST_INVALID'),
      reply: jsonBytes(reply, 'reply', 'REPLY_INVALID'),
    }, signal));
  }

  /** close frees the corpus in the module. Calls that were made before it are still answered. */
  async close() {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    await this.#session.turn(async (call, generation) => {
      if (generation === this.#generation) {
        await call('close', object({ handle: encode(String(this.#handle), 'the handle') }));
      }
    });
  }

  /**
   * belongs tells whether a session opened the corpus.
   *
   * @param {Session} session
   */
  belongs(session) {
    return this.#session === session;
  }

  /**
   * @param {ExportName} name
   * @param {Record<string, Uint8Array | undefined>} members
   * @param {AbortSignal} [signal]
   */
  async #call(name, members, signal) {
    if (this.#closed) {
      throw new RookhavenError('HANDLE_UNKNOWN', 'the corpus was closed');
    }
    return this.#session.turn(async (call, generation) => {
      if (generation !== this.#generation) {
        await this.#reopen(call, generation);
      }
      return call(name, object({ handle: encode(String(this.#handle), 'the handle'), ...members }));
    }, signal);
  }

  /**
   * @param {import('./session.js').Call} call
   * @param {number} generation
   */
  async #reopen(call, generation) {
    const output = await call('open', object({
      documents: this.#bytes,
      ...Object.fromEntries(Object.entries(this.#names).map(([name, value]) => [name, jsonText(value, name)])),
    }));
    /** @type {OpenReply} */
    const { handle, corpus, documents } = parseJSON(output);
    this.#handle = handle;
    this.#generation = generation;
    this.root = corpus;
    this.documents = documents;
  }

  /**
   * score returns the request with the scores of a scorer. The needs are the module's own: it judges the request first.
   *
   * @param {Uint8Array} request
   * @param {Scorer} scorer
   * @param {AbortSignal} [signal]
   */
  async #score(request, scorer, signal) {
    const output = await this.#session.turn((call) => call('decompose', request.slice()), signal);
    this.#parsed ??= documentsOf(this.#bytes);
    const scores = await scoresOf(parseJSON(output).subqueries, this.#parsed, scorer, signal);
    return jsonBytes({ ...parseJSON(request), scores }, 'request', 'REQUEST_INVALID');
  }
}

/**
 * @param {string | undefined} value
 * @param {string} what
 */
function jsonText(value, what) {
  return value === undefined ? undefined : jsonBytes(JSON.stringify(value), what, 'ARGUMENT_INVALID');
}

/**
 * @param {unknown} stored
 * @returns {stored is Answer}
 */
function isAnswer(stored) {
  return typeof stored === 'object' && stored !== null && 'bytes' in stored && 'reply' in stored;
}
