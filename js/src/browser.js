/** The door for pages that load modules over http: the engine runs in a module worker beside this file. */
import { door } from './door.js';
import { read, spawnWith } from './page.js';

/** open starts an engine. */
export const open = door(read, spawnWith(
  () => new Worker(new URL('./browser-worker.js', import.meta.url), { type: 'module' }),
  "'self'",
));

export { Corpus } from './corpus.js';
export { Engine } from './engine.js';
export { RookhavenError } from './errors.js';
export { exportNames } from './instance.js';
export { sha256 } from './sha256.js';
export { fromBase64 } from './text.js';
