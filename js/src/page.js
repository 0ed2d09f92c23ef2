/**
 * What the two doors of a page share: the module one and the inline one.
 *
 * @import {Link, Spawn} from './remote.js'
 */
import { bodyOf } from './door.js';
import { RookhavenError, because } from './errors.js';

/**
 * read fetches the module.
 *
 * @param {URL | string} where
 */
export async function read(where) {
  let response;
  try {
    response = await fetch(where);
  } catch (cause) {
    const hint = globalThis.location?.protocol === 'file:'
      ? '; a page opened from a file cannot fetch: carry the module in the page and give its bytes'
      : '';
    throw new RookhavenError('FILE_UNREADABLE', `${where}: ${because(cause)}${hint}`, { cause });
  }
  return bodyOf(response);
}

/**
 * spawnWith returns a spawn around a way to make the worker. Where a policy refuses the worker, some browsers throw and
 * others send an event without a word; both become ENGINE_REFUSED with the remedy.
 *
 * @param {() => Worker} make
 * @param {string} source what worker-src has to allow
 * @returns {Spawn}
 */
export function spawnWith(make, source) {
  return (receive, broke) => {
    const refused = (/** @type {unknown} */ cause) => new RookhavenError(
      'ENGINE_REFUSED',
      `the page cannot start its worker (${because(cause) || 'no reason given'}): its Content-Security-Policy needs worker-src ${source} and script-src 'wasm-unsafe-eval'; or open with worker: false`,
      { cause },
    );
    let worker;
    try {
      worker = make();
    } catch (cause) {
      throw refused(cause);
    }
    return link(worker, receive, broke, refused);
  };
}

/**
 * @param {Worker} worker
 * @param {Parameters<Spawn>[0]} receive
 * @param {Parameters<Spawn>[1]} broke
 * @param {(cause: unknown) => RookhavenError} refused
 * @returns {Link}
 */
function link(worker, receive, broke, refused) {
  let spoke = false;
  worker.onmessage = ({ data }) => {
    spoke = true;
    receive(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    broke(spoke ? new RookhavenError('ENGINE_FAILED', `the worker failed: ${event.message}`) : refused(event.message ?? ''));
  };
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    hold: () => {},
  };
}
