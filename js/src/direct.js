/**
 * The module in the calling thread. A call blocks it; what ends a call early is only a stage at which the caller's signal
 * is aborted. For tests, adapters and scripts; pages and servers use a worker.
 *
 * @import {ExportName} from './abi.js'
 * @import {Source} from './compile.js'
 * @import {Outcome} from './instance.js'
 * @import {Host} from './sealed.js'
 */
import { compile } from './compile.js';
import { Instance } from './instance.js';

/** @typedef {(name: string) => void} OnStage */

export class Direct {
  #module;
  #host;
  #generation = 0;
  /** @type {Instance | undefined} */
  #instance;
  /** @type {AbortSignal | undefined} */
  #signal;

  /**
   * @param {WebAssembly.Module} module
   * @param {string} engine
   * @param {Host} host
   * @param {OnStage} [onStage]
   */
  constructor(module, engine, host, onStage) {
    this.engine = engine;
    this.#module = module;
    this.#host = onStage ? { ...host, stage: (/** @type {string} */ name) => this.#stage(name, onStage) } : host;
  }

  /**
   * start compiles the module and instantiates it once.
   *
   * @param {Source} source
   * @param {Host} [host]
   * @param {OnStage} [onStage]
   */
  static async start(source, host = {}, onStage) {
    const { module, engine } = await compile(source);
    const direct = new Direct(module, engine, host, onStage);
    await direct.ready();
    return direct;
  }

  /** ready makes sure that there is an instance that lives, and returns its generation. */
  async ready() {
    if (!this.#instance || this.#instance.dead) {
      this.#instance = await Instance.start(this.#module, this.#host);
      this.#generation++;
    }
    return this.#generation;
  }

  /**
   * @param {ExportName} name
   * @param {Uint8Array<ArrayBuffer>} input
   * @param {readonly Uint8Array[]} [beside]
   * @param {AbortSignal} [signal]
   * @returns {Promise<Outcome>}
   */
  async call(name, input, beside, signal) {
    this.#signal = signal;
    try {
      return /** @type {Instance} */ (this.#instance).exchange(name, input, beside);
    } finally {
      this.#signal = undefined;
    }
  }

  close() {
    this.#instance = undefined;
  }

  /**
   * @param {string} name
   * @param {OnStage} onStage
   */
  #stage(name, onStage) {
    try {
      onStage(name);
    } catch (thrown) {
      // It must not unwind the module's frames; it is as uncaught as it would be from a worker's message.
      queueMicrotask(() => {
        throw thrown;
      });
    }
    if (this.#signal?.aborted) {
      this.#instance?.stop();
    }
  }
}
