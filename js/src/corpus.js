/**
 * A corpus that stays open.
 *
 * @import {AttachVectorsReply, ChunkTextsReply, Document, ExportName, Leaf, Names, OpenModelReply, OpenReply, RemoveReply, ReplayReply, Reply, Request, SearchReply, SearchRequest, Settings} from './abi.js'
 * @import {Call, Session} from './session.js'
 */
import { RookhavenError } from './errors.js';
import { documentsOf, jsonBytes, object, parseJSON, requestBytes } from './json.js';
import { callOptions, demandOptions, embedCorpusOptions, replayOptions, retrieveOptions } from './options.js';
import { scoresOf } from './scores.js';
import { bytesOfAll, concat, copy, encode, fromBase64 } from './text.js';

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
 * The open model of an engine: what it is, undefined where there is none, and what makes it ready in the worker of now.
 *
 * @typedef {object} Model
 * @property {() => OpenModelReply | undefined} opened
 * @property {(call: Call, generation: number) => Promise<void>} ready
 */

/**
 * @typedef {object} EmbedCorpusOptions
 * @property {(done: number, total: number) => void} [progress] told how many of all passages are embedded
 * @property {AbortSignal} [signal]
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

/** How many passages are embedded in one call, which others wait for. */
const batch = 8;

export class Corpus {
  #session;
  #names;
  #content;
  #model;
  /** Files that are attached. @type {readonly Uint8Array[]} */
  #vectors = [];
  #handle = 0;
  #generation = 0;
  #closed = false;
  /** @type {readonly Readonly<Document>[] | undefined} */
  #parsed;

  /**
   * @param {Session} session
   * @param {Names} names
   * @param {Model} model
   * @param {Content} content
   */
  constructor(session, names, model, content) {
    this.#session = session;
    this.#names = names;
    this.#model = model;
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
   * @param {Model} model
   * @param {Content} content
   * @param {AbortSignal} [signal]
   */
  static async open(session, names, model, content, signal) {
    const corpus = new Corpus(session, names, model, content);
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
   * embed makes a vector of each passage with the engine's open model and attaches them: from then on search ranks by meaning,
   * too. It returns the files of the vectors, one for each segment, which attach takes in any later process. The corpus has to
   * have an index: it is opened with settings, or from segments.
   *
   * @param {EmbedCorpusOptions} [options]
   * @returns {Promise<Uint8Array[]>}
   */
  async embed(options) {
    const { progress = () => {}, signal } = demandOptions('corpus.embed', options, embedCorpusOptions);
    const model = this.#model.opened();
    if (model === undefined) {
      throw new RookhavenError('MODEL_ABSENT', 'no model is open: open one with engine.openModel');
    }
    const parts = await this.#texts(signal);
    const total = parts.reduce((sum, texts) => sum + texts.length, 0);
    /** @type {Uint8Array[]} */
    const files = [];
    let done = 0;
    for (const [part, texts] of parts.entries()) {
      /** @type {Uint8Array[]} */
      const vectors = [];
      for (let i = 0; i < texts.length; i += batch) {
        const input = object({ texts: jsonBytes(texts.slice(i, i + batch), 'texts', 'REQUEST_INVALID') });
        const { output } = await this.#session.turn(async (call, generation) => {
          await this.#model.ready(call, generation);
          return call('embed', input);
        }, signal);
        vectors.push(...parseJSON(output).vectors.map(fromBase64));
        done = Math.min(done + batch, total);
        progress(done, total);
      }
      files.push(await this.#pack(part, model, vectors, signal));
    }
    await this.attach(files, { signal });
    return files;
  }

  /**
   * attach gives the index the vectors of its segments, as embed returned them, in the place of those that it had; none takes
   * them away. Queries are embedded by the engine's open model: without it, search answers by words and says so.
   *
   * @param {readonly (Uint8Array | ArrayBuffer)[]} files
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<AttachVectorsReply>}
   */
  async attach(files, options) {
    const { signal } = demandOptions('attach', options, callOptions);
    const copies = bytesOfAll(files, 'vectors');
    const { output } = await this.#call('attach_vectors', copies.length === 0 ? { vectors: encode('[]', 'vectors') } : {}, signal, copies);
    this.#vectors = copies;
    return parseJSON(output);
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
   * @param {readonly Uint8Array[]} [beside]
   */
  async #call(name, members, signal, beside) {
    if (this.#closed) {
      throw new RookhavenError('HANDLE_UNKNOWN', 'the corpus was closed');
    }
    return this.#session.turn(async (call, generation) => {
      if (generation !== this.#generation) {
        await this.#reopen(call, generation);
      }
      if (this.#vectors.length > 0) {
        await this.#model.ready(call, generation);
      }
      return call(name, object({ handle: encode(String(this.#handle), 'the handle'), ...members }), beside);
    }, signal);
  }

  /**
   * texts returns the texts to embed of each segment.
   *
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<string[][]>}
   */
  async #texts(signal) {
    /** @type {string[][]} */
    const all = [];
    for (let parts = 1; all.length < parts;) {
      /** @type {string[]} */
      const list = [];
      for (let chunks = 1; list.length < chunks;) {
        const { output } = await this.#call('chunk_texts', {
          from: encode(String(list.length), 'from'),
          part: encode(String(all.length), 'part'),
        }, signal);
        /** @type {ChunkTextsReply} */
        const reply = parseJSON(output);
        list.push(...reply.texts);
        parts = reply.parts;
        chunks = reply.chunks;
      }
      all.push(list);
    }
    return all;
  }

  /**
   * @param {number} part
   * @param {OpenModelReply} model
   * @param {Uint8Array[]} vectors
   * @param {AbortSignal | undefined} signal
   */
  async #pack(part, model, vectors, signal) {
    const members = {
      background: encode(String(model.background), 'background'),
      dimensions: encode(String(vectors[0]?.length ?? 1), 'dimensions'),
      model: encode(JSON.stringify(model.digest), 'model'),
      part: encode(String(part), 'part'),
    };
    const { segment } = vectors.length === 0
      ? await this.#call('pack_vectors', { ...members, components: encode('{"base64":""}', 'components') }, signal)
      : await this.#call('pack_vectors', members, signal, [concat(vectors)]);
    return /** @type {Uint8Array} */ (segment);
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
    if (this.#vectors.length > 0) {
      await call('attach_vectors', object({ handle: encode(String(handle), 'the handle') }), this.#vectors);
    }
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
