/**
 * The module in a worker, seen from the caller.
 *
 * The worker's memory is not shared, so nobody can write its stop word while it computes: an aborted call ends the worker,
 * and the next call starts another. Which instance answered is its generation; who opened a corpus in an earlier one opens
 * it again.
 *
 * @import {ExportName} from './abi.js'
 * @import {Source} from './compile.js'
 * @import {OnStage} from './direct.js'
 * @import {Outcome} from './instance.js'
 * @import {FromWorker, ToWorker} from './serve.js'
 */
import { RookhavenError } from './errors.js';
import { cancelled } from './signal.js';

/**
 * A worker that was started.
 *
 * @typedef {object} Link
 * @property {(message: ToWorker, transfer: ArrayBuffer[]) => void} post
 * @property {() => void} end
 * @property {(busy: boolean) => void} hold whether the worker keeps its process alive
 */

/**
 * Starts a worker; broke is told when it cannot start or ended by itself.
 *
 * @typedef {(receive: (message: FromWorker) => void, broke: (error: RookhavenError) => void) => Link} Spawn
 */

export class Remote {
  /** The name of the engine; empty until the first start. */
  engine = '';
  #spawn;
  #source;
  #onStage;
  #generation = 0;
  /** @type {Link | undefined} */
  #link;
  /** @type {{resolve: (message: FromWorker) => void, reject: (error: RookhavenError) => void} | undefined} */
  #pending;

  /**
   * @param {Spawn} spawn
   * @param {Source} source
   * @param {OnStage} [onStage]
   */
  constructor(spawn, source, onStage) {
    this.#spawn = spawn;
    this.#source = source;
    this.#onStage = onStage;
  }

  /**
   * start starts the worker once.
   *
   * @param {Spawn} spawn
   * @param {Source} source
   * @param {OnStage} [onStage]
   */
  static async start(spawn, source, onStage) {
    const remote = new Remote(spawn, source, onStage);
    await remote.ready();
    return remote;
  }

  /**
   * ready makes sure that there is a worker with an instance, and returns its generation.
   *
   * @param {AbortSignal} [signal]
   */
  async ready(signal) {
    if (!this.#link) {
      this.#begin();
      const { engine } = await this.#exchange({ kind: 'start', ...this.#source, stages: this.#onStage !== undefined }, [], signal);
      this.engine = engine ?? '';
      this.#source = { ...this.#source, engine, checked: true };
      this.#generation++;
    }
    return this.#generation;
  }

  /**
   * call hands the input over for good, and of what lies beside it a copy.
   *
   * @param {ExportName} name
   * @param {Uint8Array<ArrayBuffer>} input
   * @param {readonly Uint8Array[]} [beside]
   * @param {AbortSignal} [signal]
   * @returns {Promise<Outcome>}
   */
  async call(name, input, beside, signal) {
    const { output, segment } = await this.#exchange({ kind: 'call', name, input, beside }, [input.buffer], signal);
    return { output: /** @type {Uint8Array<ArrayBuffer>} */ (output), segment };
  }

  close() {
    this.#drop(new RookhavenError('CANCELLED', 'the engine was closed'));
  }

  #begin() {
    /** @type {Link} */
    const link = this.#spawn(
      (message) => link === this.#link && this.#receive(message),
      (error) => link === this.#link && this.#drop(error),
    );
    this.#link = link;
  }

  /**
   * exchange posts a message and waits for the one that answers it.
   *
   * @param {ToWorker} message
   * @param {ArrayBuffer[]} transfer
   * @param {AbortSignal} [signal]
   */
  async #exchange(message, transfer, signal) {
    const link = /** @type {Link} */ (this.#link);
    const abort = () => this.#drop(cancelled(signal));
    /** @type {Promise<FromWorker>} */
    const answer = new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    signal?.addEventListener('abort', abort, { once: true });
    link.hold(true);
    try {
      link.post(message, transfer);
      return await answer;
    } finally {
      link.hold(false);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * @param {FromWorker} message
   */
  #receive(message) {
    if (message.kind === 'stage') {
      this.#onStage?.(message.name ?? '');
    } else if (message.kind !== 'failure') {
      this.#settle()?.resolve(message);
    } else if (message.dead) {
      this.#drop(RookhavenError.parse(message.message ?? ''));
    } else {
      this.#settle()?.reject(RookhavenError.parse(message.message ?? ''));
    }
  }

  /**
   * drop ends the worker and fails the call that waits for it.
   *
   * @param {RookhavenError} error
   */
  #drop(error) {
    this.#link?.end();
    this.#link = undefined;
    this.#settle()?.reject(error);
  }

  #settle() {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
