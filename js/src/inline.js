/**
 * The door for a page that carries everything in itself, also from `file://`, where imports, fetch and workers from files
 * are refused. `npm run build` makes a classic script of it, with the worker's source inside; the names hang on the global
 * `rookhaven`.
 */
import { door } from './door.js';
import { read, spawnWith } from './page.js';

/** @type {string} the worker as a classic script: the build puts it here */
const workerSource = /** @type {any} */ (globalThis).ROOKHAVEN_WORKER_SOURCE;

/** One address serves every worker of the page. @type {string | undefined} */
let address;

/** open starts an engine. */
export const open = door(read, spawnWith(() => {
  address ??= URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
  return new Worker(address);
}, 'blob:'));

export { Corpus } from './corpus.js';
export { Engine } from './engine.js';
export { RookhavenError } from './errors.js';
export { exportNames } from './instance.js';
export { sha256 } from './sha256.js';
export { fromBase64 } from './text.js';
