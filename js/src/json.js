/**
 * Values become JSON without a silent loss.
 *
 * JSON.stringify leaves out what it cannot spell (undefined, functions), writes null for NaN and Infinity, and empties a
 * Map. Here such a value is refused, and the refusal names its place: `request.needs[2] is undefined`. What is left for
 * the module to judge is what JSON can say.
 *
 * @import {Code, Document} from './abi.js'
 */
import { RookhavenError, because, kind, quote } from './errors.js';
import { asBytes, concat, decode, encode, loneSurrogate } from './text.js';

/** The module refuses deeper nesting too; the bound also ends the walk through a value that holds itself. */
const maxDepth = 64;

/** Documents are encoded in pieces of about this many units: one text of all would meet the longest string V8 allows. */
const pieceUnits = 1 << 20;

const openingBrace = 0x7b;

/**
 * wholeBytes returns a value as the whole input of an export. Text and bytes are taken as JSON already and are handed on as
 * they are, so that the module judges them: only it refuses a repeated member.
 *
 * @param {unknown} value
 * @param {string} what names the value in a refusal
 * @param {Code} code of the refusal of a value that JSON cannot spell
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function wholeBytes(value, what, code) {
  const given = givenBytes(value, what);
  if (given) {
    return given;
  }
  demand(value, what, code, 0);
  return encode(spell(value, what), what);
}

/**
 * requestBytes is jsonBytes for a request. Whoever gives a question in its place is told so: the module could only say
 * which character it did not expect.
 *
 * @param {unknown} request
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function requestBytes(request) {
  const bytes = jsonBytes(request, 'request', 'REQUEST_INVALID');
  if ((typeof request === 'string' || asBytes(request)) && bytes.find((byte) => !isSpace(byte)) !== openingBrace) {
    const it = typeof request === 'string' ? quote(request) : `the text of ${bytes.length} bytes`;
    throw new RookhavenError('REQUEST_INVALID', `${it} is neither a request object nor its JSON text, which begins with {: a question goes into {"query": …}`);
  }
  return bytes;
}

/**
 * jsonBytes is wholeBytes for what becomes a member of a larger document. A byte order mark is refused here, since the
 * module would see it in the middle, as any other stray character.
 *
 * @param {unknown} value
 * @param {string} what names the value in a refusal
 * @param {Code} code of the refusal of a value that JSON cannot spell
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function jsonBytes(value, what, code) {
  return unmarked(wholeBytes(value, what, code), what);
}

/**
 * documentsBytes is jsonBytes for an array of documents: a refusal names the document by its place in the array.
 *
 * @param {unknown} corpus
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function documentsBytes(corpus) {
  const given = givenBytes(corpus, 'the corpus');
  if (given) {
    return unmarked(given, 'the corpus');
  }
  if (!Array.isArray(corpus)) {
    throw new RookhavenError('CORPUS_INVALID', `the corpus is ${kind(corpus)}, not an array of documents, its JSON as text or bytes, or an open corpus`);
  }
  const parts = [];
  let piece = '[';
  for (let i = 0; i < corpus.length; i++) {
    demand(corpus[i], `document ${i}`, 'CORPUS_INVALID', 1);
    piece += (i > 0 ? ',' : '') + spell(corpus[i], `document ${i}`);
    if (piece.length > pieceUnits) {
      parts.push(encode(piece, 'the corpus'));
      piece = '';
    }
  }
  parts.push(encode(`${piece}]`, 'the corpus'));
  return concat(parts);
}

/**
 * settingsBytes is jsonBytes for the settings of an index. Absent ones are those of the module.
 *
 * @param {unknown} settings
 * @returns {Uint8Array<ArrayBufferLike>}
 */
export function settingsBytes(settings = {}) {
  return jsonBytes(settings, 'settings', 'SETTINGS_INVALID');
}

/**
 * parseJSON reads JSON that the module wrote or accepted. Its integers are below 2⁵³ and its scores have nine decimals, so
 * a double holds each exactly.
 *
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function parseJSON(bytes) {
  const text = decode(bytes, 'the reply');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RookhavenError('ENGINE_FAILED', `the module answered what is not JSON: ${because(cause)}`, { cause });
  }
}

/**
 * object returns the JSON of an object whose members are JSON already.
 *
 * @param {Record<string, Uint8Array | undefined>} members a member that is undefined is left out
 */
export function object(members) {
  const parts = [];
  for (const [name, bytes] of Object.entries(members)) {
    if (bytes) {
      parts.push(encode(`${parts.length > 0 ? ',' : '{'}${JSON.stringify(name)}:`, name), bytes);
    }
  }
  parts.push(encode(parts.length > 0 ? '}' : '{}', 'an object'));
  return concat(parts);
}

/**
 * givenBytes returns the bytes of what is JSON already, and undefined for any other value.
 *
 * @param {unknown} value
 * @param {string} what
 * @returns {Uint8Array<ArrayBufferLike> | undefined}
 */
function givenBytes(value, what) {
  return typeof value === 'string' ? encode(value, what) : asBytes(value);
}

/**
 * spell returns the JSON of a value that JSON can spell.
 *
 * @param {unknown} value
 * @param {string} what
 */
function spell(value, what) {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // What JSON cannot spell was refused before: what is left is a text longer than JavaScript allows.
    throw cause instanceof RangeError ? new RookhavenError('OVER_BUDGET', `${what} is longer than a text can be: ${because(cause)}`, { cause }) : cause;
  }
}

/**
 * isSpace tells what JSON allows around a value.
 *
 * @param {number} byte
 */
function isSpace(byte) {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/**
 * unmarked refuses a byte order mark.
 *
 * @param {Uint8Array<ArrayBufferLike>} bytes
 * @param {string} what
 */
function unmarked(bytes, what) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new RookhavenError('JSON_INVALID', `${what} begins with a byte order mark`);
  }
  return bytes;
}

/**
 * demand refuses a value that JSON cannot spell.
 *
 * @param {unknown} value
 * @param {string} path
 * @param {Code} code
 * @param {number} depth
 */
function demand(value, path, code, depth) {
  switch (typeof value) {
    case 'boolean':
      return;
    case 'string':
      return demandWellFormed(value, path);
    case 'number':
      if (!Number.isFinite(value)) {
        throw new RookhavenError(code, `${path} is ${value}, which JSON cannot spell`);
      }
      return;
    case 'object':
      return value === null ? undefined : demandMembers(value, path, code, depth);
    default:
      throw new RookhavenError(code, `${path} is ${kind(value)}, which JSON cannot spell`);
  }
}

/**
 * @param {object} value
 * @param {string} path
 * @param {Code} code
 * @param {number} depth
 */
function demandMembers(value, path, code, depth) {
  if (depth >= maxDepth) {
    throw new RookhavenError('JSON_INVALID', `${path} is nested deeper than ${maxDepth}`);
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      demand(value[i], `${path}[${i}]`, code, depth + 1);
    }
    return;
  }
  if (!isPlain(value)) {
    throw new RookhavenError(code, `${path} is ${kind(value)}, not a plain object`);
  }
  for (const [name, member] of Object.entries(value)) {
    demandWellFormed(name, `the name of a member of ${path}`);
    demand(member, `${path}.${name}`, code, depth + 1);
  }
}

/**
 * @param {string} text
 * @param {string} path
 */
function demandWellFormed(text, path) {
  const at = loneSurrogate(text);
  if (at >= 0) {
    throw new RookhavenError('JSON_INVALID', `${path} has a lone surrogate at unit ${at}`);
  }
}

/**
 * isPlain tells an object literal, also one of another realm, from an instance of a class.
 *
 * @param {object} value
 */
export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * documentsOf reads the documents back from the bytes that were opened, so that a scorer sees what the module sees.
 *
 * @param {Uint8Array} bytes
 * @returns {readonly Readonly<Document>[]}
 */
export function documentsOf(bytes) {
  const documents = JSON.parse(decode(bytes, 'the corpus'));
  documents.forEach(Object.freeze);
  return Object.freeze(documents);
}
