/**
 * The engine as callers see it: the same in Node and in browsers.
 *
 * @import {Decomposition, Description, ExportName, Names, ReplayReply, Reply, Request} from './abi.js'
 * @import {Answer, Documents, JSONText, ReplayOptions, RetrieveOptions} from './corpus.js'
 * @import {Scorer} from './scores.js'
 * @import {Runner} from './session.js'
 */
import { Corpus } from './corpus.js';
import { RookhavenError } from './errors.js';
import { numberOf } from './instance.js';
import { parseJSON, requestBytes, wholeBytes } from './json.js';
import { callOptions, demandOptions, replayOptions, retrieveOptions } from './options.js';
import { Session } from './session.js';

export class Engine {
  #session;
  #names;

  /**
   * @param {Runner} runner
   * @param {Names} names
   */
  constructor(runner, names) {
    this.#session = new Session(runner);
    this.#names = names;
  }

  /** The name that replies give the engine: `sha256:…` of the module, or the one it was opened with. */
  get name() {
    return this.#names.engine;
  }

  /**
   * describe gives versions, profiles, limits, defaults and codes.
   *
   * @returns {Promise<Description>}
   */
  async describe() {
    return parseJSON(await this.call('describe', {}));
  }

  /**
   * decompose gives the needs of a request and their budgets. No corpus is needed.
   *
   * @param {Request | JSONText} request
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Decomposition>}
   */
  async decompose(request, options) {
    const { signal } = demandOptions('decompose', options, callOptions);
    return parseJSON(await this.call('decompose', requestBytes(request), { signal }));
  }

  /**
   * open opens a corpus that stays open until it is closed.
   *
   * @param {Documents} documents
   * @param {{signal?: AbortSignal}} [options]
   */
  async open(documents, options) {
    const { signal } = demandOptions('engine.open', options, callOptions);
    return Corpus.open(this.#session, this.#names, documents, signal);
  }

  /**
   * retrieve answers one request on an open corpus, or on documents that are opened for this call only.
   *
   * @param {Request | JSONText} request
   * @param {Corpus | Documents} corpus
   * @param {RetrieveOptions | Scorer} [options] a function is the scorer
   * @returns {Promise<Answer>}
   */
  async retrieve(request, corpus, options) {
    const { signal } = typeof options === 'function' ? { signal: undefined } : demandOptions('retrieve', options, retrieveOptions);
    return this.#on(corpus, signal, (opened) => opened.retrieve(request, options));
  }

  /**
   * replay runs a stored reply again and says whether the same bytes come out.
   *
   * @param {Reply | Answer | JSONText} stored
   * @param {Corpus | Documents} corpus
   * @param {ReplayOptions} [options]
   * @returns {Promise<ReplayReply>}
   */
  async replay(stored, corpus, options) {
    const { signal } = demandOptions('replay', options, replayOptions);
    return this.#on(corpus, signal, (opened) => opened.replay(stored, options));
  }

  /**
   * call gives a value, or its JSON as text or bytes, to an export and returns the bytes it answers. Handles that it opens
   * are the caller's: they are unknown once a call was aborted or trapped.
   *
   * @param {ExportName} name
   * @param {unknown} input
   * @param {{signal?: AbortSignal}} [options]
   */
  async call(name, input, options) {
    const { signal } = demandOptions('call', options, callOptions);
    numberOf(name);
    const bytes = wholeBytes(input, 'request', 'REQUEST_INVALID').slice();
    return this.#session.turn((call) => call(name, /** @type {Uint8Array<ArrayBuffer>} */ (bytes)), signal);
  }

  /** close ends the worker. The running call and those that wait fail; every corpus of the engine is gone. */
  async close() {
    this.#session.close();
  }

  /**
   * @template T
   * @param {Corpus | Documents} corpus
   * @param {AbortSignal | undefined} signal
   * @param {(opened: Corpus) => Promise<T>} use
   */
  async #on(corpus, signal, use) {
    if (corpus instanceof Corpus) {
      if (!corpus.belongs(this.#session)) {
        throw new RookhavenError('HANDLE_UNKNOWN', 'the corpus was opened by another engine');
      }
      return use(corpus);
    }
    const opened = await this.open(corpus, { signal });
    try {
      return await use(opened);
    } finally {
      await opened.close();
    }
  }
}
