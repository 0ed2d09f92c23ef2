/**
 * What the bytes of a module say about its memory and its start. A compiled module does not tell the limits of its memory,
 * so they are read from the sections; the other hosts refuse the same modules before they run them.
 */
import { RookhavenError } from './errors.js';

/** The most that an engine's memory may have: 1 GiB in pages of 64 KiB. */
export const maxPages = 16_384;

const section = { memory: 5, start: 8 };

/** Magic number and version. */
const header = 8;

/** The flags of limits: a maximum, and nothing else (shared, 64 bits wide, pages of another size). */
const flags = { unbounded: 0x00, bounded: 0x01 };

/**
 * demandSurface refuses a module whose memory is not bounded as an engine's is, or that starts something by itself. Its
 * bytes compile: their form was judged before.
 *
 * @param {Uint8Array} wasm
 */
export function demandSurface(wasm) {
  const reader = new Reader(wasm, header);
  let memories = 0;
  while (!reader.done) {
    const id = reader.u32();
    const size = reader.u32();
    const next = reader.at + size;
    if (id === section.start) {
      throw refused('the module has a start function: an engine starts nothing by itself');
    }
    if (id === section.memory) {
      memories = reader.u32();
      demandLimits(reader, memories);
    }
    reader.at = next;
  }
  if (memories === 0) {
    throw refused('the module has no memory of its own');
  }
}

/**
 * @param {Reader} reader
 * @param {number} memories
 */
function demandLimits(reader, memories) {
  if (memories === 0) {
    return;
  }
  if (memories > 1) {
    throw refused(`the module has ${memories} memories: an engine has one`);
  }
  switch (reader.u32()) {
    case flags.unbounded:
      throw refused(`the module's memory has no maximum: ${maxPages} pages are the most it may have`);
    case flags.bounded:
      break;
    default:
      throw refused("the module's memory is shared or counts in other units");
  }
  reader.u32(); // the minimum is below the maximum, or the module would not compile
  const most = reader.u32();
  if (most > maxPages) {
    throw refused(`the module's memory may grow to ${most} pages: ${maxPages} are the most it may have`);
  }
}

/**
 * @param {string} sentence
 */
function refused(sentence) {
  return new RookhavenError('ENGINE_REFUSED', sentence);
}

class Reader {
  #bytes;

  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at) {
    this.#bytes = bytes;
    this.at = at;
  }

  get done() {
    return this.at >= this.#bytes.length;
  }

  /** u32 reads LEB128, which may be padded. */
  u32() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }
}
