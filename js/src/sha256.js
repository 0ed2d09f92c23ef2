/**
 * SHA-256 (FIPS 180-4) in plain JavaScript.
 *
 * crypto.subtle exists in secure contexts only; a page that a machine in the same network serves over plain http has none,
 * and the name of the engine must not depend on that. About 100 MB/s in V8. See 'the examples of FIPS 180-4'.
 */

import { RookhavenError, kind } from './errors.js';
import { asBytes } from './text.js';

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const k = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** The same of the square roots of the first eight. */
const initial = Uint32Array.of(
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
);

const block = 64;

/**
 * sha256 returns the digest of bytes in lower-case hexadecimal digits.
 *
 * @param {Uint8Array | ArrayBuffer} bytes
 */
export function sha256(bytes) {
  const given = asBytes(bytes);
  if (!given) {
    throw new RookhavenError('ARGUMENT_INVALID', `sha256 takes bytes, not ${kind(bytes)}`);
  }
  return digest(given);
}

/**
 * @param {Uint8Array} bytes
 */
function digest(bytes) {
  const state = Uint32Array.from(initial);
  const schedule = new Int32Array(64);
  const whole = bytes.length - (bytes.length % block);
  compress(state, schedule, bytes, whole);
  const tail = padding(bytes, whole);
  compress(state, schedule, tail, tail.length);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/**
 * padding returns the last bytes, the bit 1, zeros, and the length of all in bits.
 *
 * @param {Uint8Array} bytes
 * @param {number} whole
 */
function padding(bytes, whole) {
  const rest = bytes.length - whole;
  const tail = new Uint8Array(rest + 9 <= block ? block : 2 * block);
  tail.set(bytes.subarray(whole));
  tail[rest] = 0x80;
  new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(bytes.length) * 8n);
  return tail;
}

/**
 * @param {Uint32Array} state
 * @param {Int32Array} w the message schedule, kept between calls
 * @param {Uint8Array} bytes
 * @param {number} end
 */
function compress(state, w, bytes, end) {
  for (let at = 0; at < end; at += block) {
    for (let i = 0; i < 16; i++) {
      const j = at + 4 * i;
      w[i] = (bytes[j] << 24) | (bytes[j + 1] << 16) | (bytes[j + 2] << 8) | bytes[j + 3];
    }
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15];
      const b = w[i - 2];
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    rounds(state, w);
  }
}

/**
 * @param {Uint32Array} state
 * @param {Int32Array} w
 */
function rounds(state, w) {
  let a = state[0] | 0;
  let b = state[1] | 0;
  let c = state[2] | 0;
  let d = state[3] | 0;
  let e = state[4] | 0;
  let f = state[5] | 0;
  let g = state[6] | 0;
  let h = state[7] | 0;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/**
 * @param {number} word
 * @param {number} bits
 */
function rotate(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}
