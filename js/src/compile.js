/**
 * From the bytes of a module to a compiled one with a name.
 *
 * @typedef {object} Source
 * @property {Uint8Array | WebAssembly.Module} wasm
 * @property {string} [engine] the name; absent: `sha256:` and the digest of the bytes. Of a compiled module it is the
 *   caller's word
 * @property {boolean} [checked] whether an earlier start has held the name against the bytes
 */
import { RookhavenError, because } from './errors.js';
import { sha256 } from './sha256.js';
import { demandSurface } from './surface.js';

/** The smallest module there is: a magic number and a version. */
const empty = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

/** A name that begins so says which bytes it names. */
const digestName = /^sha256:/i;

/**
 * compile names and compiles a module, and refuses one whose name is the digest of other bytes, or whose memory is not
 * bounded as an engine's is. A compiled module shows neither its bytes nor the limits of its memory.
 *
 * @param {Source} source
 * @returns {Promise<{module: WebAssembly.Module, engine: string}>}
 */
export async function compile({ wasm, engine, checked }) {
  if (typeof WebAssembly === 'undefined') {
    throw new RookhavenError('ENGINE_REFUSED', 'there is no WebAssembly here: it is switched off, or the browser is older than 2017');
  }
  if (wasm instanceof WebAssembly.Module) {
    if (engine === undefined) {
      throw new RookhavenError('ARGUMENT_INVALID', 'a compiled module has no bytes to take its name from: give engine');
    }
    return { module: wasm, engine };
  }
  if (empty.subarray(0, 4).some((byte, i) => wasm[i] !== byte)) {
    throw new RookhavenError('ENGINE_REFUSED', `the ${wasm.length} bytes are not a WebAssembly module: they do not begin with \\0asm`);
  }
  const name = engine === undefined || (digestName.test(engine) && !checked) ? named(wasm, engine) : engine;
  let module;
  try {
    module = await WebAssembly.compile(/** @type {Uint8Array<ArrayBuffer>} */ (wasm));
  } catch (cause) {
    throw refusal(cause);
  }
  demandSurface(wasm);
  return { module, engine: name };
}

/**
 * named returns the digest of the bytes as a name, and refuses another digest.
 *
 * @param {Uint8Array} wasm
 * @param {string} [engine]
 */
function named(wasm, engine) {
  const digest = `sha256:${sha256(wasm)}`;
  if (engine !== undefined && engine !== digest) {
    throw new RookhavenError('ENGINE_REFUSED', `the engine that was given is ${digest}, and its name says ${engine}`);
  }
  return digest;
}

/**
 * refusal says why a module does not compile. Engines word a refusal by policy differently, so it is told by whether even
 * the empty module is refused.
 *
 * @param {unknown} cause
 */
function refusal(cause) {
  try {
    new WebAssembly.Module(empty);
  } catch {
    return new RookhavenError('ENGINE_REFUSED', "the Content-Security-Policy of this page does not allow WebAssembly: add 'wasm-unsafe-eval' to its script-src", { cause });
  }
  return new RookhavenError('ENGINE_REFUSED', `the module does not compile: ${because(cause)}`, { cause });
}
