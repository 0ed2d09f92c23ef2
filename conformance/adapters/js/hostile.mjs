/** The worlds of conformance/hostile, made from their words, as a Host of js/src/sealed.js. */
export function host({ random, clock, env, args }) {
  let count = 0;
  let ticks = 0n;
  const start = BigInt(Date.now()) * 1_000_000n;
  const fills = {
    zeros: () => 0,
    ones: () => 0xff,
    counter: () => ++count & 0xff,
  };
  const clocks = {
    first: () => 1n,
    jumping: () => {
      ticks++;
      return start - ((ticks * ticks) % 7n) * 3_600_000_000_000n + ticks;
    },
    real: () => BigInt(Date.now()) * 1_000_000n,
  };
  return {
    clock: clocks[clock],
    random: (bytes) => {
      if (random === 'real') {
        globalThis.crypto.getRandomValues(bytes);
        return;
      }
      for (let i = 0; i < bytes.length; i++) {
        bytes[i] = fills[random]();
      }
    },
    environment: env ?? [],
    args: args ?? [],
  };
}
