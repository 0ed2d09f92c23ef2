/**
 * One instance of the module and its two planes (ABI.md §1).
 *
 * A call of an instance is synchronous. On the bulk plane the input is written into memory that the module reserved, and the
 * output is copied out of it before it is released. Memory may move or grow in any call, so a view of it never outlives
 * one: see 'memory that grows in a call'. An instance that trapped is dead and says so.
 *
 * @import {ExportName, ExportNames, SegmentPlace} from './abi.js'
 * @import {Host} from './sealed.js'
 */
import { RookhavenError, because, kind } from './errors.js';
import { parseJSON } from './json.js';
import { Sealed } from './sealed.js';
import { concat, decode, encode } from './text.js';

/** The exports; a name's place is its number on the bulk plane. */
export const exportNames = Object.freeze(/** @satisfies {ExportNames} */ (/** @type {const} */ ([
  'abi', 'describe', 'open', 'close', 'decompose', 'plan', 'partial', 'merge', 'retrieve', 'replay',
  'search', 'search_plan', 'search_statistics', 'search_partial', 'search_merge', 'build', 'compact', 'remove', 'documents',
  'open_model', 'close_model', 'embed', 'chunk_texts', 'pack_vectors', 'attach_vectors', 'statistics',
])));

/** The exports whose reply names bytes that were made (ABI.md §4.11, §4.15), and the member that does. @type {ReadonlyMap<ExportName, string>} */
const makers = new Map([['build', 'segment'], ['compact', 'segment'], ['pack_vectors', 'vectors']]);

/** The version of the ABI that this package speaks. */
export const abiVersion = 1;

const nothing = new Uint8Array(0);

/** A size is 31 bits of the result of bulk_call. */
const maxSize = 0x7fffffff;

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(size: number) => number} bulk_alloc
 * @property {(address: number) => void} bulk_release
 * @property {(number: number, address: number, size: number) => bigint} bulk_call
 * @property {() => number} stop_word
 */

/** @typedef {Exports & Record<ExportName, () => number>} ModuleExports */

/**
 * What an export answered: its reply, and the bytes of the segment that the reply names by its place.
 *
 * @typedef {object} Outcome
 * @property {Uint8Array<ArrayBuffer>} output
 * @property {Uint8Array<ArrayBuffer>} [segment]
 */

export class Instance {
  #exports;
  #sealed;
  #stopWord;
  #running = false;
  #dead = false;

  /**
   * @param {ModuleExports} exports
   * @param {Sealed} sealed
   */
  constructor(exports, sealed) {
    this.#exports = exports;
    this.#sealed = sealed;
    // An instance serves one call at a time, so the address cannot be asked for when it is needed.
    this.#stopWord = exports.stop_word();
  }

  /**
   * start instantiates a module and demands that it speaks this ABI.
   *
   * @param {WebAssembly.Module} module
   * @param {Host} [host]
   */
  static async start(module, host) {
    const sealed = new Sealed(host);
    const imports = sealed.imports(module);
    demandExports(module);
    const known = await exportsOf(module, imports);
    sealed.memory = known.memory;
    const instance = attempt(sealed, () => {
      known._initialize();
      return new Instance(known, sealed);
    });
    instance.#demandStopWord();
    instance.#demandVersion();
    return instance;
  }

  /** Whether the instance trapped and takes no more calls. */
  get dead() {
    return this.#dead;
  }

  /**
   * call gives one JSON document to an export and returns the one it answers. A failure of the export is thrown with its
   * code; a trap is thrown as ENGINE_FAILED and leaves the instance dead.
   *
   * @param {ExportName} name
   * @param {Uint8Array} input
   * @returns {Uint8Array<ArrayBuffer>}
   */
  call(name, input) {
    return this.exchange(name, input).output;
  }

  /**
   * exchange is call with bytes beside the JSON: segments, vectors or a model that are given are written into the module's
   * memory and named in the input, and a segment or a file of vectors that the export made is copied out.
   *
   * @param {ExportName} name
   * @param {Uint8Array} input an object with members, where there are segments
   * @param {readonly Uint8Array[]} [beside] segments, or what {@link naming} says of other exports
   * @returns {Outcome}
   */
  exchange(name, input, beside = []) {
    const number = numberOf(name);
    const { failure, ...outcome } = this.#run(() => this.#bulk(number, input, beside));
    if (failure) {
      throw failure;
    }
    return outcome;
  }

  /**
   * callExtism is call on the Extism plane: slow, with the same bytes.
   *
   * @param {ExportName} name
   * @param {Uint8Array} input
   * @returns {Uint8Array}
   */
  callExtism(name, input) {
    numberOf(name);
    const { kernel } = this.#sealed;
    const failed = this.#run(() => {
      kernel.reset(input);
      return this.#exports[name]() !== 0;
    });
    if (failed) {
      throw RookhavenError.parse(kernel.failure ?? 'the module failed without an error');
    }
    return kernel.output;
  }

  /**
   * stop ends the running call with CANCELLED. It is called from where the module calls its host: from a stage.
   */
  stop() {
    if (this.#running) {
      this.#writeStopWord(1);
    }
  }

  /**
   * bulk makes a call on the bulk plane and gives back what it held for it. A failure is a value here: what is thrown is a trap.
   *
   * @param {number} number
   * @param {Uint8Array} input
   * @param {readonly Uint8Array[]} beside
   * @returns {Outcome & {failure?: RookhavenError}}
   */
  #bulk(number, input, beside) {
    /** @type {number[]} */
    const held = [];
    this.#sealed.kernel.reset();
    const places = beside.map((bytes) => this.#hold(bytes, held));
    const whole = this.#hold(naming(exportNames[number], input, places), held);
    const lacking = [...places, whole].find(({ address, size }) => address === 0 && size > 0);
    const answer = lacking
      ? { output: nothing, failure: new RookhavenError('OVER_BUDGET', `the module's memory does not hold an input of ${lacking.size} bytes`) }
      : this.#answer(number, whole, held);
    for (const address of held) {
      this.#exports.bulk_release(address);
    }
    return answer;
  }

  /**
   * answer calls an export and fetches what it answers.
   *
   * @param {number} number
   * @param {SegmentPlace} input
   * @param {number[]} held the addresses that have to be released
   */
  #answer(number, { address, size }, held) {
    const result = BigInt.asUintN(64, this.#exports.bulk_call(number, address, size));
    const output = this.#fetch({ address: Number(result >> 32n), size: Number(result & BigInt(maxSize)) }, held);
    if (((result >> 31n) & 1n) === 1n) {
      return { output, failure: RookhavenError.parse(decode(output, 'the error')) };
    }
    const maker = makers.get(exportNames[number]);
    const made = maker === undefined ? undefined : parseJSON(output)[maker];
    return made?.address === undefined ? { output } : { output, segment: this.#fetch(made, held) };
  }

  /**
   * hold writes bytes into memory that the module reserves for them and returns where. The address is 0 where there is none,
   * and for no bytes.
   *
   * @param {Uint8Array} bytes
   * @param {number[]} held
   * @returns {SegmentPlace}
   */
  #hold(bytes, held) {
    const size = bytes.length;
    const address = size === 0 || size > maxSize ? 0 : this.#exports.bulk_alloc(size) >>> 0;
    if (address !== 0) {
      held.push(address);
      new Uint8Array(this.#exports.memory.buffer, address, size).set(bytes);
    }
    return { address, size };
  }

  /**
   * fetch copies bytes that the module pinned.
   *
   * @param {SegmentPlace} place
   * @param {number[]} held
   */
  #fetch({ address, size }, held) {
    if (address !== 0) {
      held.push(address);
    }
    return new Uint8Array(this.#exports.memory.buffer, address, size).slice();
  }

  /**
   * @template T
   * @param {() => T} step
   * @returns {T}
   */
  #run(step) {
    if (this.#dead) {
      throw new RookhavenError('ENGINE_FAILED', 'the instance trapped in an earlier call');
    }
    this.#writeStopWord(0);
    this.#running = true;
    try {
      return attempt(this.#sealed, step);
    } catch (thrown) {
      this.#dead = true;
      throw thrown;
    } finally {
      this.#running = false;
    }
  }

  /**
   * @param {number} value
   */
  #writeStopWord(value) {
    new DataView(this.#exports.memory.buffer).setUint32(this.#stopWord, value, true);
  }

  #demandStopWord() {
    const at = this.#stopWord;
    if (!Number.isInteger(at) || at < 0 || at + 4 > this.#exports.memory.buffer.byteLength) {
      throw new RookhavenError('ENGINE_REFUSED', `the module has its stop word at ${at}, outside its memory`);
    }
  }

  #demandVersion() {
    const output = this.call('abi', new Uint8Array(0));
    let abi;
    try {
      abi = parseJSON(output)?.abi;
    } catch (cause) {
      throw new RookhavenError('ENGINE_REFUSED', `the module speaks no ABI that this package knows: ${because(cause)}`, { cause });
    }
    if (abi !== abiVersion) {
      const spoken = typeof abi === 'number' ? `ABI ${abi}, and this package ABI ${abiVersion}` : `no ABI that this package knows: its version is ${kind(abi)}`;
      throw new RookhavenError('ENGINE_REFUSED', `the module speaks ${spoken}`);
    }
  }
}

/**
 * naming returns the input of an export with the places of what lies beside it: for open_model it is the model's alone, an
 * object in JSON gets the components of pack_vectors, the vectors of attach_vectors, and the segments of open.
 *
 * @param {ExportName} name
 * @param {Uint8Array} input
 * @param {SegmentPlace[]} places
 */
function naming(name, input, places) {
  if (places.length === 0) {
    return input;
  }
  if (name === 'open_model') {
    return encode(JSON.stringify({ model: places[0] }), 'model');
  }
  const end = input.length - 1; // of the members
  const [member, value] = name === 'pack_vectors' ? ['components', places[0]] : [name === 'attach_vectors' ? 'vectors' : 'segments', places];
  return concat([input.subarray(0, end), encode(`,"${member}":${JSON.stringify(value)}}`, 'what lies beside the input')]);
}

/**
 * numberOf returns the number of an export on the bulk plane.
 *
 * @param {string} name
 */
export function numberOf(name) {
  const number = exportNames.indexOf(/** @type {ExportName} */ (name));
  if (number < 0) {
    throw new RookhavenError('EXPORT_UNKNOWN', `there is no export ${typeof name === 'string' ? JSON.stringify(name) : kind(name)}`);
  }
  return number;
}

/**
 * @param {WebAssembly.Module} module
 */
function demandExports(module) {
  const there = new Map(WebAssembly.Module.exports(module).map(({ name, kind: is }) => [name, is]));
  for (const name of ['memory', '_initialize', 'bulk_alloc', 'bulk_release', 'bulk_call', 'stop_word', ...exportNames]) {
    const wanted = name === 'memory' ? 'memory' : 'function';
    if (there.get(name) !== wanted) {
      const what = there.has(name) ? wanted : 'export';
      throw new RookhavenError('ENGINE_REFUSED', `the module has no ${what} ${name}: it is not a rookhaven engine of ABI ${abiVersion}`);
    }
  }
}

/**
 * exportsOf instantiates a module that asks only for what it gets: what is left to fail is memory that this machine does
 * not give, and a start function.
 *
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Imports} imports
 */
async function exportsOf(module, imports) {
  try {
    const { exports } = await WebAssembly.instantiate(module, imports);
    return /** @type {ModuleExports} */ (/** @type {unknown} */ (exports));
  } catch (cause) {
    throw cause instanceof RookhavenError ? cause : new RookhavenError('ENGINE_REFUSED', `the module does not start: ${because(cause)}`, { cause });
  }
}

/**
 * attempt runs a step in the module and turns what it throws into a failure: a trap, an exhausted stack, an error of an
 * import. What the module wrote last (a panic) is added, since it says more than the trap.
 *
 * @template T
 * @param {Sealed} sealed
 * @param {() => T} step
 * @returns {T}
 */
function attempt(sealed, step) {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof RookhavenError && cause.code === 'ENGINE_FAILED') {
      throw cause;
    }
    const [words] = sealed.words.split('\n');
    throw new RookhavenError('ENGINE_FAILED', `the module trapped: ${words || because(cause)}`, { cause });
  }
}
