/**
 * The Extism kernel over a byte store: what the module imports from `extism:host/env`.
 *
 * A block is a run of bytes in a store of the kernel's own, known by its offset; 0 is no block. Eight bytes cross in one
 * call, which is slow: input and output travel on the bulk plane (ABI.md §1), and what comes here is the name of a stage
 * now and then. The kernel still serves a whole call, so that a test can hold both planes against each other. It has no
 * configuration and no variables to give, and nothing to reach over HTTP.
 */
import { RookhavenError } from './errors.js';
import { decode } from './text.js';

/** Extism counts levels from trace, 0. At this one the module announces its stages. */
const levelDebug = 1;

/** Above every level there is. */
const levelOff = 0x7fffffff;

const align = 8;

export class Kernel {
  /** @type {Uint8Array} */
  #input = new Uint8Array(0);
  /** @type {Uint8Array | undefined} */
  #output;
  /** @type {string | undefined} */
  #failure;
  #store = new DataView(new ArrayBuffer(1024));
  /** @type {Map<number, number>} offset of a block → its length */
  #blocks = new Map();
  #end = align;
  #stage;

  /**
   * @param {(name: string) => void} [stage] is told the name of each stage of a call
   */
  constructor(stage) {
    this.#stage = stage;
  }

  /**
   * reset forgets the blocks of the last call and takes the input of the next.
   *
   * @param {Uint8Array} [input]
   */
  reset(input = new Uint8Array(0)) {
    this.#input = input;
    this.#output = undefined;
    this.#failure = undefined;
    this.#blocks.clear();
    this.#end = align;
  }

  /** What the module set as the error of the call, if it did. */
  get failure() {
    return this.#failure;
  }

  /** What the module set as the output of the call. */
  get output() {
    return this.#output ?? new Uint8Array(0);
  }

  /**
   * The functions by their names in `extism:host/env`. WebAssembly hands an i64 over as a signed BigInt.
   *
   * @returns {Record<string, (...args: any[]) => bigint | number | void>}
   */
  functions() {
    const ignore = () => {};
    const nothing = () => 0n;
    return {
      alloc: (/** @type {bigint} */ size) => BigInt(this.#alloc(Number(size))),
      free: (/** @type {bigint} */ at) => void this.#blocks.delete(Number(at)),
      length: (/** @type {bigint} */ at) => BigInt(this.#blocks.get(Number(at)) ?? 0),
      length_unsafe: (/** @type {bigint} */ at) => BigInt(this.#blocks.get(Number(at)) ?? 0),
      load_u8: (/** @type {bigint} */ at) => this.#store.getUint8(Number(at)),
      load_u64: (/** @type {bigint} */ at) => this.#store.getBigUint64(Number(at), true),
      store_u8: (/** @type {bigint} */ at, /** @type {number} */ value) => this.#store.setUint8(Number(at), value),
      store_u64: (/** @type {bigint} */ at, /** @type {bigint} */ value) => this.#store.setBigUint64(Number(at), value, true),
      input_length: () => BigInt(this.#input.length),
      input_load_u8: (/** @type {bigint} */ at) => view(this.#input).getUint8(Number(at)),
      input_load_u64: (/** @type {bigint} */ at) => view(this.#input).getBigUint64(Number(at), true),
      output_set: (/** @type {bigint} */ at, /** @type {bigint} */ size) => {
        this.#output = this.#bytes(Number(at), Number(size)).slice();
      },
      error_set: (/** @type {bigint} */ at) => {
        this.#failure = at === 0n ? undefined : this.#text(Number(at));
      },
      get_log_level: () => (this.#stage ? levelDebug : levelOff),
      log_debug: (/** @type {bigint} */ at) => this.#stage?.(this.#text(Number(at))),
      log_trace: ignore,
      log_info: ignore,
      log_warn: ignore,
      log_error: ignore,
      config_get: nothing,
      var_get: nothing,
      var_set: ignore,
    };
  }

  /**
   * @param {number} size
   */
  #alloc(size) {
    if (size === 0) {
      return 0;
    }
    const at = this.#end;
    this.#end = at + Math.ceil(size / align) * align;
    if (this.#end > this.#store.byteLength) {
      const grown = new Uint8Array(Math.max(this.#end, 2 * this.#store.byteLength));
      grown.set(new Uint8Array(this.#store.buffer));
      this.#store = new DataView(grown.buffer);
    }
    this.#blocks.set(at, size);
    return at;
  }

  /**
   * @param {number} at
   * @param {number} size
   */
  #bytes(at, size) {
    if (at + size > this.#end) {
      throw new RookhavenError('ENGINE_FAILED', `the module names a block at ${at} that it did not reserve`);
    }
    return new Uint8Array(this.#store.buffer, at, size);
  }

  /**
   * @param {number} at
   */
  #text(at) {
    return decode(this.#bytes(at, this.#blocks.get(at) ?? 0), 'a text of the module');
  }
}

/**
 * @param {Uint8Array} bytes
 */
function view(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
