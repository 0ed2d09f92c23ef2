/**
 * A corpus that stays open.
 *
 * @import {Document, ExportName, Leaf, Names, OpenReply, RemoveReply, ReplayReply, Reply, Request, SearchReply, SearchRequest, Settings} from './abi.js'
 * @import {Call, Session} from './session.js'
 */
import { RookhavenError } from './errors.js';
import { documentsOf, jsonBytes, object, parseJSON, requestBytes } from './json.js';
import { callOptions, demandOptions, replayOptions, retrieveOptions } from './options.js';
import { scoresOf } from './scores.js';
import { copy, encode } from './text.js';

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
 * A reply of search and its bytes.
 *
 * @typedef {object} SearchAnswer
 * @property {SearchReply} reply
 * @property {Uint8Array} bytes
 */

/**
 * What a corpus is opened from: documents or segments. All of it is kept, to open the corpus again after its worker ended.
 *
 * @typedef {object} Content
 * @property {Uint8Array} [documents] as JSON, like the next two
 * @property {Uint8Array} [removed]
 * @property {Uint8Array} [settings] of its index
 * @property {readonly Uint8Array[]} [segments]
 */

/**
 * @typedef {object} OpenCorpusOptions
 * @property {Settings | JSONText} [settings] make an index of the documents from the start; without, search makes one with the
 *   default settings when it is asked first
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} SegmentsOptions
 * @property {readonly (readonly number[])[] | JSONText} [removed] of each segment the numbers of documents that are left out, as
 *   remove gives them
 * @property {AbortSignal} [signal]
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
  #content;
  #handle = 0;
  #generation = 0;
  #closed = false;
  /** @type {readonly Readonly<Document>[] | undefined} */
  #parsed;

  /**
   * @param {Session} session
   * @param {Names} names
   * @param {Content} content
   */
  constructor(session, names, content) {
    this.#session = session;
    this.#names = names;
    this.#content = content;
    /** The corpus root. @type {string} */
    this.root = '';
    /** How many documents there are. @type {number} */
    this.documents = 0;
  }

  /**
   * open opens a content, which nobody changes, under the names.
   *
   * @param {Session} session
   * @param {Names} names
   * @param {Content} content
   * @param {AbortSignal} [signal]
   */
  static async open(session, names, content, signal) {
    const corpus = new Corpus(session, names, content);
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
    const { output } = await this.#call('retrieve', { request: bytes }, signal);
    return { reply: parseJSON(output), bytes: output };
  }

  /**
   * search asks the index of the corpus. A request in JSON is judged by the module as it is.
   *
   * @param {SearchRequest | JSONText} request
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<SearchAnswer>}
   */
  async search(request, options) {
    const { signal } = demandOptions('search', options, callOptions);
    const { output } = await this.#call('search', { search: requestBytes(request) }, signal);
    return { reply: parseJSON(output), bytes: output };
  }

  /**
   * replay runs a stored reply again, on this corpus and this engine, and says whether the same bytes come out.
   *
   * @param {Reply | SearchReply | Answer | SearchAnswer | JSONText} stored
   * @param {ReplayOptions} [options]
   * @returns {Promise<ReplayReply>}
   */
  async replay(stored, options) {
    const { leaves, signal } = demandOptions('replay', options, replayOptions);
    const reply = isAnswer(stored) ? stored.bytes : stored;
    const { output } = await this.#call('replay', {
      leaves: leaves === undefined ? undefined : jsonBytes(leaves, 'leaves', 'REQUEST_INVALID'),
      reply: jsonBytes(reply, 'reply', 'REPLY_INVALID'),
    }, signal);
    return parseJSON(output);
  }

  /**
   * remove tells, of each segment of an index, the numbers of its documents that are removed with these ids gone, and which
   * ids it has not. The corpus itself does not change: the numbers are given to engine.openSegments.
   *
   * @param {readonly string[] | JSONText} ids
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<RemoveReply>}
   */
  async remove(ids, options) {
    const { signal } = demandOptions('remove', options, callOptions);
    const { output } = await this.#call('remove', { ids: jsonBytes(ids, 'ids', 'REQUEST_INVALID') }, signal);
    return parseJSON(output);
  }

  /**
   * compact builds one segment from the live documents of an index.
   *
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Uint8Array>}
   */
  async compact(options) {
    const { signal } = demandOptions('compact', options, callOptions);
    const { segment } = await this.#call('compact', {}, signal);
    return /** @type {Uint8Array} */ (segment);
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
   * @param {Call} call
   * @param {number} generation
   */
  async #reopen(call, generation) {
    const { segments, ...members } = this.#content;
    const { output } = await call('open', object({
      ...members,
      ...Object.fromEntries(Object.entries(this.#names).map(([name, value]) => [name, jsonText(value, name)])),
    }), segments);
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
    const { documents } = this.#content;
    if (!documents) {
      throw new RookhavenError('ARGUMENT_INVALID', 'a scorer is asked about documents, and the corpus was opened from segments');
    }
    const { output } = await this.#session.turn((call) => call('decompose', copy(request)), signal);
    this.#parsed ??= documentsOf(documents);
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
