import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the engine lies that the tests run. */
export const wasmFile = process.env.ROOKHAVEN_WASM ?? fileURLToPath(new URL('../../../bin/rookhaven.wasm', import.meta.url));

/** engineBytes reads it; a missing one fails the tests with what to do. */
export function engineBytes() {
  try {
    return new Uint8Array(readFileSync(wasmFile));
  } catch (cause) {
    throw new Error(`${wasmFile} is missing: run \`make build\` in the repository, or set ROOKHAVEN_WASM`, { cause });
  }
}

/** A harbour in six documents. */
export const harbour = [
  { id: 'd1', text: 'Crane maintenance for berth 7: crane faults are logged, and the crane brake is checked.', title: 'Cranes', path: 'ops/cranes.md' },
  { id: 'd2', text: 'Tide windows for deep draught vessels.', title: 'Tides', path: 'ops/tides.md' },
  { id: 'd3', text: 'Pilots board two miles before the breakwater; the tide decides when.', collection: 'pilotage' },
  { id: 'd4', text: 'Der Kran am Liegeplatz 7 – ein Störfall. \u{1f3d7}\ufe0f', key: 'kran' },
  { id: 'd5', text: '' },
  { id: '__proto__', text: 'A crane named after a trap.\0 With a NUL, and a mark: \ufeff.' },
];

export const request = { query: 'crane faults and tide windows', recallBudget: 3, seed: 'demo' };
