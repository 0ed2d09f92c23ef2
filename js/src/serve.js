/**
 * The worker's side: it starts one instance and answers one message at a time, in order.
 *
 * @import {ExportName} from './abi.js'
 */

/**
 * @typedef {{kind: 'start', wasm: Uint8Array | WebAssembly.Module, engine?: string, checked?: boolean, stages: boolean}
 *   | {kind: 'call', name: ExportName, input: Uint8Array<ArrayBuffer>, beside?: readonly Uint8Array[]}} ToWorker
 */

/**
 * `ready` names the engine, `output` holds a reply and the segment that it names, `failure` a message (dead: the instance is
 * lost), `stage` a name.
 *
 * @typedef {object} FromWorker
 * @property {'ready' | 'output' | 'failure' | 'stage'} kind
 * @property {string} [engine]
 * @property {Uint8Array<ArrayBuffer>} [output]
 * @property {Uint8Array<ArrayBuffer>} [segment]
 * @property {string} [message]
 * @property {boolean} [dead]
 * @property {string} [name]
 */

import { compile } from './compile.js';
import { because } from './errors.js';
import { Instance } from './instance.js';

/**
 * serve returns what handles the messages that come in.
 *
 * @param {(message: FromWorker, transfer: ArrayBuffer[]) => void} post
 */
export function serve(post) {
  /** @type {Instance | undefined} */
  let instance;
  /** @param {ToWorker} message */
  const answer = async (message) => {
    if (message.kind === 'start') {
      const { module, engine } = await compile(message);
      const stage = (/** @type {string} */ name) => post({ kind: 'stage', name }, []);
      instance = await Instance.start(module, message.stages ? { stage } : {});
      return post({ kind: 'ready', engine }, []);
    }
    const { output, segment } = /** @type {Instance} */ (instance).exchange(message.name, message.input, message.beside);
    return post({ kind: 'output', output, segment }, segment ? [output.buffer, segment.buffer] : [output.buffer]);
  };
  return async (/** @type {ToWorker} */ message) => {
    try {
      await answer(message);
    } catch (thrown) {
      post({ kind: 'failure', message: because(thrown), dead: instance?.dead ?? true }, []);
    }
  };
}
