/**
 * hostile returns a host whose clock jumps, whose random bytes differ and whose environment is full. The seed gives the
 * same answers again.
 *
 * @param {number} seed
 * @returns {import('../../src/sealed.js').Host}
 */
export function hostile(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  return {
    clock: () => 1n + (BigInt(next()) << 20n),
    random: (bytes) => bytes.forEach((_, i) => {
      bytes[i] = next() >>> 24;
    }),
    environment: ['GOGC=1', 'TZ=Asia/Kathmandu', 'LANG=tr_TR.UTF-8', `SEED=${seed}`],
    args: ['hostile', '--seed', String(seed)],
  };
}
