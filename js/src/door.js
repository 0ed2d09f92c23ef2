/**
 * What both doors do to open an engine.
 *
 * @import {Host} from './sealed.js'
 * @import {OnStage} from './direct.js'
 * @import {Spawn} from './remote.js'
 */
import { Direct } from './direct.js';
import { Engine } from './engine.js';
import { RookhavenError, because, kind } from './errors.js';
import { aBoolean, aFunction, aHost, aName, anything, demandOptions, demandPlain } from './options.js';
import { Remote } from './remote.js';
import { asBytes, copy } from './text.js';

/** @typedef {Uint8Array | ArrayBuffer | WebAssembly.Module | Response | URL | string} Wasm */

/**
 * @typedef {object} OpenOptions
 * @property {Wasm | Promise<Wasm>} wasm the module: bytes, a compiled module, a Response, or where it lies: in Node a path
 *   or file URL, in a browser a URL
 * @property {string} [engine] the name that replies give the engine. Absent: `sha256:…` of the bytes. A name that begins
 *   with `sha256:` has to be that digest. A compiled module needs one, and it is then your word: nothing can be held
 *   against it, nor can the limits of its memory
 * @property {string} [model] the name of the model, where there is one
 * @property {string} [vectors] the name of the vectors, where there are some
 * @property {boolean} [worker] false runs the module in the calling thread, which a call then blocks
 * @property {OnStage} [onStage] is told the name of each stage of a call
 * @property {Omit<Host, 'stage'>} [host] other answers to the module's imports, for tests; needs `worker: false`
 */

/** @type {Record<keyof OpenOptions, import('./options.js').Type>} */
const known = { wasm: anything, engine: aName, model: aName, vectors: aName, worker: aBoolean, onStage: aFunction, host: aHost };

/**
 * door returns the function open of a door.
 *
 * @param {(where: URL | string) => Promise<Uint8Array>} read
 * @param {Spawn} spawn
 */
export function door(read, spawn) {
  /**
   * open starts an engine.
   *
   * @param {OpenOptions} options
   * @returns {Promise<Engine>}
   */
  return async function open(options) {
    demandPlain('open', options);
    const { wasm, engine, model, vectors, worker = true, onStage, host } = demandOptions('open', options, known);
    if (host && worker) {
      throw new RookhavenError('ARGUMENT_INVALID', 'host needs worker: false, since functions do not cross into a worker');
    }
    const source = { wasm: await load(await arrival(wasm), read), engine };
    const runner = worker ? await Remote.start(spawn, source, onStage) : await Direct.start(source, host, onStage);
    return new Engine(runner, { engine: runner.engine, model, vectors });
  };
}

/**
 * arrival waits for a module that is on its way.
 *
 * @param {Wasm | Promise<Wasm>} wasm
 */
async function arrival(wasm) {
  try {
    return await wasm;
  } catch (cause) {
    throw cause instanceof RookhavenError ? cause : new RookhavenError('FILE_UNREADABLE', `wasm: ${because(cause)}`, { cause });
  }
}

/**
 * @param {Wasm} wasm
 * @param {(where: URL | string) => Promise<Uint8Array>} read
 * @returns {Promise<Uint8Array | WebAssembly.Module>}
 */
async function load(wasm, read) {
  if (typeof wasm === 'string' || wasm instanceof URL) {
    return read(wasm);
  }
  if (typeof WebAssembly !== 'undefined' && wasm instanceof WebAssembly.Module) {
    return wasm;
  }
  if (typeof Response !== 'undefined' && wasm instanceof Response) {
    return bodyOf(wasm);
  }
  const bytes = asBytes(wasm);
  if (!bytes) {
    throw new RookhavenError('ARGUMENT_INVALID', `wasm is ${kind(wasm)}, not bytes, a compiled module, a Response, or where the module lies`);
  }
  return copy(bytes);
}

/**
 * bodyOf returns the bytes of a response that succeeded.
 *
 * @param {Response} response
 */
export async function bodyOf(response) {
  const where = response.url || 'the response';
  if (!response.ok) {
    throw new RookhavenError('FILE_UNREADABLE', `${where}: status ${response.status}`);
  }
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    throw new RookhavenError('FILE_UNREADABLE', `${where}: ${because(cause)}`, { cause });
  }
}
