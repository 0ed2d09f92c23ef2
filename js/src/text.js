/**
 * Text crosses the border of the module as bytes, and no character is changed on the way.
 *
 * Two habits of JavaScript would change some: a decoder drops a leading U+FEFF and replaces what is not UTF-8, an
 * encoder replaces a lone surrogate. So the decoder here is fatal and keeps the mark, and ill-formed strings are refused
 * by name before they are encoded: see 'a byte order mark survives' and 'lone surrogates are refused by name'.
 */
import { RookhavenError, kind } from './errors.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** In a regular expression with the flag u, only a surrogate without its partner matches. */
const lone = /\p{Surrogate}/u;

/**
 * loneSurrogate returns where the first surrogate without its partner stands, in UTF-16 units, or −1.
 *
 * @param {string} text
 */
export function loneSurrogate(text) {
  // isWellFormed is ten times faster; engines before 2023 do not have it.
  return typeof text.isWellFormed === 'function' && text.isWellFormed() ? -1 : text.search(lone);
}

/**
 * encode returns the UTF-8 of a well-formed text. What names the text in the refusal of another.
 *
 * @param {string} text
 * @param {string} what
 */
export function encode(text, what) {
  const at = loneSurrogate(text);
  if (at >= 0) {
    throw new RookhavenError('JSON_INVALID', `${what} has a lone surrogate at unit ${at}`);
  }
  return encoder.encode(text);
}

/**
 * decode returns the text of UTF-8. What names the bytes in the refusal of others.
 *
 * @param {Uint8Array} bytes
 * @param {string} what
 */
export function decode(bytes, what) {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new RookhavenError('JSON_INVALID', `${what} is not UTF-8`, { cause });
  }
}

/**
 * concat returns one array with the bytes of all.
 *
 * @param {readonly Uint8Array[]} parts
 */
export function concat(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/**
 * copy returns the bytes anew. What slice returns of a Buffer of Node is not a copy but a view.
 *
 * @param {Uint8Array} bytes
 */
export function copy(bytes) {
  return new Uint8Array(bytes);
}

/**
 * asBytes returns a Uint8Array, also one of another realm, or an ArrayBuffer as bytes, and undefined for any other value.
 * Bytes that went to another thread are refused.
 *
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBufferLike> | undefined}
 */
export function asBytes(value) {
  switch (Object.prototype.toString.call(value)) {
    case '[object Uint8Array]':
      if (!ArrayBuffer.isView(value)) {
        return undefined;
      }
      whole(value.buffer);
      return /** @type {Uint8Array} */ (value);
    case '[object ArrayBuffer]':
      return whole(/** @type {ArrayBuffer} */ (value));
    default:
      return undefined;
  }
}

/**
 * @param {ArrayBufferLike} buffer
 */
function whole(buffer) {
  try {
    return new Uint8Array(buffer);
  } catch (cause) {
    throw new RookhavenError('ARGUMENT_INVALID', 'the bytes were transferred away: their buffer is detached', { cause });
  }
}

/**
 * bytesOfAll returns copies of files, so that they stay what they are.
 *
 * @param {readonly (Uint8Array | ArrayBuffer)[]} files
 * @param {string} what
 */
export function bytesOfAll(files, what) {
  if (!Array.isArray(files)) {
    throw new RookhavenError('ARGUMENT_INVALID', `the ${what} are ${kind(files)}, not an array of bytes`);
  }
  return files.map((file, i) => {
    const bytes = asBytes(file);
    if (!bytes) {
      throw new RookhavenError('ARGUMENT_INVALID', `${what}[${i}] is ${kind(file)}, not bytes`);
    }
    return copy(bytes);
  });
}

/**
 * fromBase64 returns the bytes of a base64 text, as a page holds the module that it carries.
 *
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromBase64(text) {
  if (typeof text !== 'string') {
    throw new RookhavenError('ARGUMENT_INVALID', `the base64 is ${kind(text)}, not a string`);
  }
  let binary;
  try {
    binary = atob(text);
  } catch (cause) {
    throw new RookhavenError('ARGUMENT_INVALID', 'the text is not base64', { cause });
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = binary.charCodeAt(i);
  }
  return bytes;
}
