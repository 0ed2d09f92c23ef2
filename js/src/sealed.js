/**
 * The sealed imports of the module: all it ever sees of the world.
 *
 * Its clock stands still, its random bytes are constant, its environment and arguments are empty, it has no files and no
 * network. None of this may change a byte of a reply. Constant answers would also hide a leak, for instance of the order
 * of a map; so a test can give other answers (a hostile host) and demand the same bytes: see 'a hostile host changes no
 * byte'.
 */
import { RookhavenError } from './errors.js';
import { Kernel } from './kernel.js';

/**
 * What the imports answer. Every member has a constant default.
 *
 * @typedef {object} Host
 * @property {(id: number) => bigint} [clock] nanoseconds of the clock with that number; Go does not start at 0
 * @property {(bytes: Uint8Array) => void} [random] fills the bytes
 * @property {string[]} [environment] `NAME=value`
 * @property {string[]} [args]
 * @property {(name: string) => void} [stage] is told the name of each stage of a call
 */

const clockNanos = 1_000_000_000_000_000_000n;
const randomByte = 0x5a;

/** Numbers of WASI preview 1. */
const errno = { success: 0, badf: 8, inval: 28 };
const characterDevice = 2;
const fdstatSize = 24;
const subscriptionSize = 48;
const eventSize = 32;
const streams = 3;

/** A panic of the module is its last words; more than this is not kept of them. */
const maxWords = 4096;

export class Sealed {
  /** Set once the module is instantiated: its imports are made before it. @type {WebAssembly.Memory | undefined} */
  memory;
  #host;
  #words = '';
  #decoder = new TextDecoder();

  /**
   * @param {Host} [host]
   */
  constructor(host = {}) {
    this.#host = host;
    this.kernel = new Kernel(host.stage);
  }

  /**
   * imports returns what a module asks for, and refuses one that asks for more.
   *
   * @param {WebAssembly.Module} module
   */
  imports(module) {
    /** @type {Record<string, Record<string, Function>>} */
    const all = { 'extism:host/env': this.kernel.functions(), wasi_snapshot_preview1: this.#wasi() };
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
      if (kind !== 'function' || !Object.hasOwn(all, from) || !Object.hasOwn(all[from], name)) {
        throw new RookhavenError('ENGINE_REFUSED', `the module imports ${kind === 'function' ? '' : `the ${kind} `}${from} ${name}, which a sealed engine does not get`);
      }
    }
    return /** @type {WebAssembly.Imports} */ (all);
  }

  /** What the module wrote to its standard streams, as far as it is kept: its last words. */
  get words() {
    return this.#words.trim();
  }

  get #view() {
    if (!this.memory) {
      throw new RookhavenError('ENGINE_FAILED', 'the module called an import before it was instantiated');
    }
    return new DataView(this.memory.buffer);
  }

  /**
   * @returns {Record<string, (...args: any[]) => number>}
   */
  #wasi() {
    const { clock = () => clockNanos, random = (bytes) => void bytes.fill(randomByte), environment = [], args = [] } = this.#host;
    return {
      args_get: (list, texts) => this.#strings(args, list, texts),
      args_sizes_get: (count, size) => this.#sizes(args, count, size),
      environ_get: (list, texts) => this.#strings(environment, list, texts),
      environ_sizes_get: (count, size) => this.#sizes(environment, count, size),
      clock_time_get: (id, _precision, out) => {
        this.#view.setBigUint64(out, clock(id), true);
        return errno.success;
      },
      random_get: (at, size) => {
        random(new Uint8Array(this.#view.buffer, at, size));
        return errno.success;
      },
      sched_yield: () => errno.success,
      poll_oneoff: (subscriptions, events, count, out) => this.#poll(subscriptions, events, count, out),
      proc_exit: (code) => {
        throw new RookhavenError('ENGINE_FAILED', `the module ended itself with exit code ${code}`);
      },
      fd_write: (fd, vectors, count, out) => this.#write(fd, vectors, count, out),
      fd_fdstat_get: (fd, out) => this.#fdstat(fd, out),
      fd_fdstat_set_flags: (fd) => stream(fd),
      fd_close: (fd) => stream(fd),
      fd_prestat_get: () => errno.badf,
      fd_prestat_dir_name: () => errno.badf,
    };
  }

  /**
   * strings writes texts that end in NUL, and a list of their addresses.
   *
   * @param {string[]} texts
   * @param {number} list
   * @param {number} at
   */
  #strings(texts, list, at) {
    const view = this.#view;
    const bytes = new Uint8Array(view.buffer);
    for (const [i, text] of texts.entries()) {
      const encoded = new TextEncoder().encode(`${text}\0`);
      view.setUint32(list + 4 * i, at, true);
      bytes.set(encoded, at);
      at += encoded.length;
    }
    return errno.success;
  }

  /**
   * @param {string[]} texts
   * @param {number} count
   * @param {number} size
   */
  #sizes(texts, count, size) {
    const view = this.#view;
    view.setUint32(count, texts.length, true);
    view.setUint32(size, new TextEncoder().encode(texts.map((text) => `${text}\0`).join('')).length, true);
    return errno.success;
  }

  /**
   * poll answers that everything waited for has happened: where the clock stands still, waiting has no meaning.
   *
   * @param {number} subscriptions
   * @param {number} events
   * @param {number} count
   * @param {number} out
   */
  #poll(subscriptions, events, count, out) {
    if (count === 0) {
      return errno.inval;
    }
    const view = this.#view;
    const bytes = new Uint8Array(view.buffer);
    for (let i = 0; i < count; i++) {
      const from = subscriptions + i * subscriptionSize;
      const to = events + i * eventSize;
      bytes.fill(0, to, to + eventSize);
      view.setBigUint64(to, view.getBigUint64(from, true), true);
      view.setUint8(to + 10, view.getUint8(from + 8));
    }
    view.setUint32(out, count, true);
    return errno.success;
  }

  /**
   * @param {number} fd
   * @param {number} vectors
   * @param {number} count
   * @param {number} out
   */
  #write(fd, vectors, count, out) {
    if (stream(fd) !== errno.success) {
      return errno.badf;
    }
    const view = this.#view;
    let written = 0;
    for (let i = 0; i < count; i++) {
      const at = view.getUint32(vectors + 8 * i, true);
      const size = view.getUint32(vectors + 8 * i + 4, true);
      // A piece may end inside a character, and these words are for people only: replacing is right here.
      this.#words = (this.#words + this.#decoder.decode(new Uint8Array(view.buffer, at, size), { stream: true })).slice(0, maxWords);
      written += size;
    }
    view.setUint32(out, written, true);
    return errno.success;
  }

  /**
   * @param {number} fd
   * @param {number} out
   */
  #fdstat(fd, out) {
    if (stream(fd) !== errno.success) {
      return errno.badf;
    }
    const view = this.#view;
    new Uint8Array(view.buffer).fill(0, out, out + fdstatSize);
    view.setUint8(out, characterDevice);
    return errno.success;
  }
}

/**
 * stream tells the three standard streams from descriptors that do not exist.
 *
 * @param {number} fd
 */
function stream(fd) {
  return fd >= 0 && fd < streams ? errno.success : errno.badf;
}
