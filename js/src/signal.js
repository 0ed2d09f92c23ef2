/** What an AbortSignal ends. */
import { RookhavenError, because } from './errors.js';

/**
 * cancelled returns the failure of a call whose signal was aborted.
 *
 * @param {AbortSignal} [signal]
 */
export function cancelled(signal) {
  return new RookhavenError('CANCELLED', `the caller ended the call: ${because(signal?.reason)}`, { cause: signal?.reason });
}

/**
 * abortable gives what the promise gives, or CANCELLED as soon as the signal is aborted.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function abortable(promise, signal) {
  if (!signal) {
    return promise;
  }
  let abort = () => {};
  /** @type {Promise<never>} */
  const aborted = new Promise((_resolve, reject) => {
    abort = () => reject(cancelled(signal));
    signal.addEventListener('abort', abort, { once: true });
  });
  if (signal.aborted) {
    abort();
  }
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
