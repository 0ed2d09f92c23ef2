/**
 * A module of a few hundred bytes with the exports of an engine, for what a real engine never does: trap, never end, ask
 * for a file, speak another ABI.
 *
 * Its calls differ by number: describe announces the stage "stage" and runs for ever, close traps, decompose grows memory and
 * gives its input back, plan gives its input back, partial fails with WORK_LIMIT, merge announces the stage and answers
 * CANCELLED when the stop word is set, retrieve exits, and every other one answers what `abi` should.
 */
import { exportNames } from '../../src/instance.js';

const i32 = 0x7f;
const i64 = 0x7e;

const op = {
  unreachable: [0x00], block: [0x02, 0x40], loop: [0x03, 0x40], if: [0x04, 0x40], else: [0x05], end: [0x0b], return: [0x0f],
  drop: [0x1a], growMemory: [0x40, 0x00], load: [0x28, 0x02, 0x00], eq: [0x46], more: [0x4b], toLong: [0xad], shl: [0x86], or: [0x84],
};

const address = { stop: 16, reply: 64, failure: 128, stopped: 160, stage: 192, input: 4096 };

const failure = 'WORK_LIMIT: too much';
const stopped = 'CANCELLED: stopped';
const stage = 'stage';

/** @param {number} n */
function unsigned(n) {
  const out = [];
  do {
    out.push((n & 0x7f) | (n > 0x7f ? 0x80 : 0));
    n = Math.floor(n / 128);
  } while (n > 0);
  return out;
}

/** signed is LEB128 for constants. @param {bigint} n */
function signed(n) {
  const out = [];
  for (;;) {
    const byte = Number(n & 0x7fn);
    n >>= 7n;
    if ((n === 0n && !(byte & 0x40)) || (n === -1n && byte & 0x40)) {
      return [...out, byte];
    }
    out.push(byte | 0x80);
  }
}

const constant = (/** @type {number} */ n) => [0x41, ...signed(BigInt(n))];
const long = (/** @type {bigint} */ n) => [0x42, ...signed(n)];
const local = (/** @type {number} */ i) => [0x20, ...unsigned(i)];
const call = (/** @type {number} */ i) => [0x10, ...unsigned(i)];

/** @param {string} text */
const name = (text) => [...unsigned(Buffer.byteLength(text)), ...Buffer.from(text)];

/** @param {number[][]} items */
const vector = (items) => [...unsigned(items.length), ...items.flat()];

/**
 * @param {number} id
 * @param {number[]} content
 */
const section = (id, content) => [id, ...unsigned(content.length), ...content];

/**
 * result is what bulk_call returns for a constant text.
 *
 * @param {number} at
 * @param {string} text
 * @param {boolean} failed
 */
function result(at, text, failed) {
  return [...long((BigInt(at) << 32n) | (failed ? 1n << 31n : 0n) | BigInt(text.length)), ...op.return];
}

/** echo returns the input as the output. */
const echo = [...local(1), ...op.toLong, ...long(32n), ...op.shl, ...local(2), ...op.toLong, ...op.or, ...op.return];

/** wasi: proc_exit, kernel: alloc, store_u8, log_debug */
const imports = [
  ['wasi_snapshot_preview1', 'proc_exit', 4],
  ['extism:host/env', 'alloc', 5],
  ['extism:host/env', 'store_u8', 6],
  ['extism:host/env', 'log_debug', 7],
];

const announce = [
  ...long(BigInt(stage.length)), ...call(1), ...op.drop,
  ...Array.from(stage, (char, i) => [...long(BigInt(8 + i)), ...constant(char.charCodeAt(0)), ...call(2)]).flat(),
  ...long(8n), ...call(3),
];

/**
 * @param {number} number
 * @param {number[]} body
 */
const when = (number, body) => [...local(0), ...constant(number), ...op.eq, ...op.if, ...body, ...op.end];

/** 64 pages, and 1024 at most. */
const bounded = [0x01, 64, ...unsigned(1024)];

/**
 * fake returns the bytes of the module.
 *
 * @param {object} [options]
 * @param {string} [options.reply] what most exports answer
 * @param {number} [options.holds] the longest input that it has memory for
 * @param {[module: string, name: string]} [options.wants] another import
 * @param {number[]} [options.wantsKind] what the other import is, if not a function
 * @param {string} [options.lacks] an export that it does not have
 * @param {number[]} [options.memory] the limits of its memory as they are written; empty: no memory of its own
 * @param {string} [options.memoryAs] another name under which it exports its memory
 * @param {number} [options.stopWord] where it says that its stop word is
 * @param {boolean} [options.starts] whether it has a start function
 */
export function fake({
  reply = '{"abi":1}', holds = 1 << 21, wants, wantsKind, lacks, memory = bounded, memoryAs, stopWord = address.stop, starts = false,
} = {}) {
  const bulkCall = [
    ...when(1, [...announce, ...op.loop, 0x0c, 0x00, ...op.end]),
    ...when(3, op.unreachable),
    ...when(4, [...constant(64), ...op.growMemory, ...op.drop, ...echo]),
    ...when(5, echo),
    ...when(6, result(address.failure, failure, true)),
    ...when(7, [...announce, ...constant(address.stop), ...op.load, ...op.if, ...result(address.stopped, stopped, true), ...op.end]),
    ...when(8, [...constant(3), ...call(0)]),
    ...result(address.reply, reply, false),
    ...op.unreachable,
  ];
  const functions = imports.map(([from, it, type]) => [...name(String(from)), ...name(String(it)), 0, Number(type)]);
  const wanted = wants ? [...functions, [...name(wants[0]), ...name(wants[1]), ...(wantsKind ?? [0, 4])]] : functions;
  const first = functions.length + (wants && !wantsKind ? 1 : 0);
  const bodies = [
    [],
    [...local(0), ...constant(holds), ...op.more, ...op.if, ...constant(0), ...op.return, ...op.end, ...constant(address.input)],
    [],
    bulkCall,
    constant(stopWord),
    constant(0),
  ];
  const exported = [
    ['_initialize', 0], ['bulk_alloc', 1], ['bulk_release', 2], ['bulk_call', 3], ['stop_word', 4],
    ...exportNames.map((it) => [it, 5]),
  ].filter(([it]) => it !== lacks);
  const types = [
    [[], []], [[i32], [i32]], [[i32], []], [[i32, i32, i32], [i64]], [[i32], []], [[i64], [i64]], [[i64, i32], []], [[i64], []], [[], [i32]],
  ];
  const typeOf = [0, 1, 2, 3, 8, 8];
  const data = /** @type {[number, string][]} */ ([[address.reply, reply], [address.failure, failure], [address.stopped, stopped]]);
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, vector(types.map(([from, to]) => [0x60, ...vector(from.map((t) => [t])), ...vector(to.map((t) => [t]))]))),
    ...section(2, vector(wanted)),
    ...section(3, vector(typeOf.map((t) => [t]))),
    ...(memory.length > 0 ? section(5, vector([memory])) : []),
    ...section(7, vector([
      [...name('memory'), 2, 0],
      ...(memoryAs ? [[...name(memoryAs), 2, 0]] : []),
      ...exported.map(([it, index]) => [...name(String(it)), 0, first + Number(index)]),
    ])),
    ...(starts ? section(8, unsigned(first)) : []),
    ...section(10, vector(bodies.map((body) => {
      const code = [0, ...body, ...op.end];
      return [...unsigned(code.length), ...code];
    }))),
    ...section(11, vector(data.map(([at, text]) => [0, ...constant(at), ...op.end, ...name(text)]))),
  ]);
}
