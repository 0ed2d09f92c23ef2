/**
 * Calls take turns: an instance serves one at a time, and opening a corpus again belongs to the call that needs it.
 *
 * @import {ExportName} from './abi.js'
 * @import {Outcome} from './instance.js'
 */
import { RookhavenError } from './errors.js';
import { abortable, cancelled } from './signal.js';

/**
 * What runs the module: in a worker or in this thread.
 *
 * @typedef {object} Runner
 * @property {string} engine
 * @property {(signal?: AbortSignal) => Promise<number>} ready gives the generation of the living instance
 * @property {(name: ExportName, input: Uint8Array<ArrayBuffer>, beside?: readonly Uint8Array[], signal?: AbortSignal) => Promise<Outcome>} call
 * @property {() => void} close
 */

/** @typedef {(name: ExportName, input: Uint8Array<ArrayBuffer>, beside?: readonly Uint8Array[]) => Promise<Outcome>} Call */

export class Session {
  #runner;
  #closed = false;
  /** @type {Promise<void>} */
  #tail = Promise.resolve();

  /**
   * @param {Runner} runner
   */
  constructor(runner) {
    this.#runner = runner;
  }

  /**
   * turn runs a job when those before it have ended. A job whose signal is aborted while it waits never starts.
   *
   * @template T
   * @param {(call: Call, generation: number) => Promise<T>} job
   * @param {AbortSignal} [signal]
   * @returns {Promise<T>}
   */
  turn(job, signal) {
    const run = this.#tail.then(async () => {
      if (this.#closed) {
        throw new RookhavenError('ENGINE_ABSENT', 'the engine was closed');
      }
      if (signal?.aborted) {
        throw cancelled(signal);
      }
      const generation = await this.#runner.ready(signal);
      return job((name, input, beside) => this.#runner.call(name, input, beside, signal), generation);
    });
    this.#tail = run.then(() => {}, () => {});
    return abortable(run, signal);
  }

  close() {
    this.#closed = true;
    this.#runner.close();
  }
}
