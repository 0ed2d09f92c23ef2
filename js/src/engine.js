/**
 * The engine as callers see it: the same in Node and in browsers.
 *
 * @import {Decomposition, Description, EmbedReply, ExportName, Names, OpenModelReply, ReplayReply, Reply, Request, SearchReply, SearchRequest, Settings} from './abi.js'
 * @import {Answer, Documents, JSONText, OpenCorpusOptions, ReplayOptions, RetrieveOptions, SearchAnswer, SegmentsOptions} from './corpus.js'
 * @import {Model} from './corpus.js'
 * @import {Scorer} from './scores.js'
 * @import {Call, Runner} from './session.js'
 */
import { Corpus } from './corpus.js';
import { RookhavenError, kind } from './errors.js';
import { numberOf } from './instance.js';
import { documentsBytes, jsonBytes, object, parseJSON, requestBytes, settingsBytes, wholeBytes } from './json.js';
import { callOptions, demandOptions, embedOptions, indexOptions, replayOptions, retrieveOptions, segmentsOptions } from './options.js';
import { Session } from './session.js';
import { asBytes, bytesOfAll, copy, encode, fromBase64 } from './text.js';

/**
 * What texts are turned into: of each its vector, components from −127 to 127, and how many tokens it has.
 *
 * @typedef {object} Embedded
 * @property {Int8Array[]} vectors
 * @property {number[]} tokens
 */

export class Engine {
  #session;
  #names;
  /** The open model, and the generation it is open in. @type {{bytes: Uint8Array, generation: number, reply: OpenModelReply} | undefined} */
  #model;

  /**
   * The model as corpora use it.
   *
   * @type {Model}
   */
  #use = {
    opened: () => this.#model?.reply,
    ready: async (call, generation) => {
      if (this.#model && this.#model.generation !== generation) {
        await this.#opening(this.#model.bytes, call, generation);
      }
    },
  };

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
   * @param {OpenCorpusOptions} [options]
   */
  async open(documents, options) {
    const { settings, signal } = demandOptions('engine.open', options, indexOptions);
    return Corpus.open(this.#session, this.#names, this.#use, {
      documents: copy(documentsBytes(documents)),
      settings: settings === undefined ? undefined : copy(settingsBytes(settings)),
    }, signal);
  }

  /**
   * buildSegment makes a segment of documents: bytes that openSegments takes, in any later process.
   *
   * @param {Documents} documents
   * @param {Settings | JSONText} [settings]
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<Uint8Array>}
   */
  async buildSegment(documents, settings, options) {
    const { signal } = demandOptions('buildSegment', options, callOptions);
    const input = object({ documents: documentsBytes(documents), settings: settingsBytes(settings) });
    const { segment } = await this.#session.turn((call) => call('build', input), signal);
    return /** @type {Uint8Array} */ (segment);
  }

  /**
   * openSegments opens an index from segments, without the removed ones of their documents.
   *
   * @param {readonly (Uint8Array | ArrayBuffer)[]} segments
   * @param {Settings | JSONText} [settings] those that the segments were built with
   * @param {SegmentsOptions} [options]
   */
  async openSegments(segments, settings, options) {
    const { removed, signal } = demandOptions('openSegments', options, segmentsOptions);
    return Corpus.open(this.#session, this.#names, this.#use, {
      segments: bytesOfAll(segments, 'segments'),
      settings: copy(settingsBytes(settings)),
      removed: removed === undefined ? undefined : copy(jsonBytes(removed, 'removed', 'REQUEST_INVALID')),
    }, signal);
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
   * search asks an open corpus, or documents that are opened for this call only, with the settings of the options.
   *
   * @param {SearchRequest | JSONText} request
   * @param {Corpus | Documents} corpus
   * @param {OpenCorpusOptions} [options]
   * @returns {Promise<SearchAnswer>}
   */
  async search(request, corpus, options) {
    const { settings, signal } = demandOptions('search', options, indexOptions);
    if (settings !== undefined && corpus instanceof Corpus) {
      throw new RookhavenError('ARGUMENT_INVALID', 'settings are for documents that are opened for this call: an open corpus has its own');
    }
    return this.#on(corpus, signal, (opened) => opened.search(request, { signal }), settings);
  }

  /**
   * replay runs a stored reply again and says whether the same bytes come out.
   *
   * @param {Reply | SearchReply | Answer | SearchAnswer | JSONText} stored
   * @param {Corpus | Documents} corpus
   * @param {ReplayOptions} [options]
   * @returns {Promise<ReplayReply>}
   */
  async replay(stored, corpus, options) {
    const { signal } = demandOptions('replay', options, replayOptions);
    return this.#on(corpus, signal, (opened) => opened.replay(stored, options));
  }

  /**
   * openModel opens the model that embed computes with, in place of the one before, which stays open where the next is
   * refused. The bytes are not copied, since they are many: they have to stay what they are until the model is closed, for it
   * is opened again after its worker ended.
   *
   * @param {Uint8Array | ArrayBuffer} model the bytes of a file of the form .rkm
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<OpenModelReply>}
   */
  async openModel(model, options) {
    const { signal } = demandOptions('openModel', options, callOptions);
    const bytes = asBytes(model);
    if (!bytes) {
      throw new RookhavenError('ARGUMENT_INVALID', `the model is ${kind(model)}, not bytes`);
    }
    return this.#session.turn((call, generation) => this.#opening(bytes, call, generation), signal);
  }

  /**
   * embed turns texts into vectors.
   *
   * @param {readonly string[]} texts at most 1,024
   * @param {{query?: boolean, signal?: AbortSignal}} [options] query: the texts are queries, and what the model's authors want
   *   said before a query stands before each
   * @returns {Promise<Embedded>}
   */
  async embed(texts, options) {
    const { query = false, signal } = demandOptions('embed', options, embedOptions);
    if (!Array.isArray(texts)) {
      throw new RookhavenError('ARGUMENT_INVALID', `the texts are ${kind(texts)}, not an array of strings`);
    }
    const input = object({ texts: jsonBytes(texts, 'texts', 'REQUEST_INVALID'), query: encode(String(query), 'query') });
    const { output } = await this.#session.turn(async (call, generation) => {
      await this.#use.ready(call, generation);
      return call('embed', input);
    }, signal);
    /** @type {EmbedReply} */
    const { vectors, tokens } = parseJSON(output);
    return { vectors: vectors.map((vector) => new Int8Array(fromBase64(vector).buffer)), tokens };
  }

  /** closeModel closes the model, if one is open. Calls that were made before it are still answered. */
  async closeModel() {
    await this.#session.turn(async (call) => {
      this.#model = undefined;
      await call('close_model', object({}));
    });
  }

  /**
   * call gives a value, or its JSON as text or bytes, to an export and returns the bytes it answers. Handles that it opens
   * are the caller's: they are unknown once a call was aborted or trapped. Segments travel in base64: an address in a reply is
   * of memory that was given back.
   *
   * @param {ExportName} name
   * @param {unknown} input
   * @param {{signal?: AbortSignal}} [options]
   */
  async call(name, input, options) {
    const { signal } = demandOptions('call', options, callOptions);
    numberOf(name);
    const bytes = copy(wholeBytes(input, 'request', 'REQUEST_INVALID'));
    const { output } = await this.#session.turn((call) => call(name, bytes), signal);
    return output;
  }

  /** close ends the worker. The running call and those that wait fail; every corpus of the engine is gone. */
  async close() {
    this.#session.close();
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Call} call
   * @param {number} generation
   * @returns {Promise<OpenModelReply>}
   */
  async #opening(bytes, call, generation) {
    const { output } = await call('open_model', object({}), [bytes]);
    /** @type {OpenModelReply} */
    const reply = parseJSON(output);
    this.#model = { bytes, generation, reply };
    return reply;
  }

  /**
   * @template T
   * @param {Corpus | Documents} corpus
   * @param {AbortSignal | undefined} signal
   * @param {(opened: Corpus) => Promise<T>} use
   * @param {Settings | JSONText} [settings] of documents that become an index
   */
  async #on(corpus, signal, use, settings) {
    if (corpus instanceof Corpus) {
      if (!corpus.belongs(this.#session)) {
        throw new RookhavenError('HANDLE_UNKNOWN', 'the corpus was opened by another engine');
      }
      return use(corpus);
    }
    const opened = await this.open(corpus, { settings, signal });
    try {
      return await use(opened);
    } finally {
      await opened.close();
    }
  }
}
