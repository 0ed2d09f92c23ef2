/** The door for Node: the module runs in a worker thread, so that a call can be ended. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

import { door } from './door.js';
import { RookhavenError, because } from './errors.js';

/** @import {Spawn} from './remote.js' */

/** open starts an engine. */
export const open = door(read, spawn);

export { Corpus } from './corpus.js';
export { Engine } from './engine.js';
export { RookhavenError } from './errors.js';
export { exportNames } from './instance.js';
export { sha256 } from './sha256.js';
export { fromBase64 } from './text.js';

/**
 * @param {URL | string} where a path, a file URL, or the text of one
 */
async function read(where) {
  const url = typeof where === 'string' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(where) ? undefined : urlOf(where);
  if (url && url.protocol !== 'file:') {
    throw new RookhavenError('ARGUMENT_INVALID', `${url}: this door reads files only; give the bytes or a Response`);
  }
  try {
    return new Uint8Array(await readFile(url ? fileURLToPath(url) : where));
  } catch (cause) {
    throw new RookhavenError('FILE_UNREADABLE', because(cause), { cause });
  }
}

/**
 * @param {URL | string} where
 */
function urlOf(where) {
  try {
    return new URL(where);
  } catch (cause) {
    throw new RookhavenError('ARGUMENT_INVALID', `${where}: ${because(cause)}`, { cause });
  }
}

function newWorker() {
  try {
    // The arguments of this process (a test runner's, an inspector's) are none of the worker's.
    return new Worker(new URL('./node-worker.js', import.meta.url), { execArgv: [] });
  } catch (cause) {
    throw new RookhavenError('ENGINE_REFUSED', `this process cannot start a worker (${because(cause)}); open with worker: false`, { cause });
  }
}

/** @type {Spawn} */
function spawn(receive, broke) {
  const worker = newWorker();
  worker.on('message', receive);
  worker.on('error', (cause) => broke(new RookhavenError('ENGINE_FAILED', `the worker failed: ${because(cause)}`, { cause })));
  worker.on('exit', (code) => broke(new RookhavenError('ENGINE_FAILED', `the worker ended with exit code ${code}`)));
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    end: () => void worker.terminate(),
    // An idle engine that nobody closed does not keep the process alive.
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
  };
}
