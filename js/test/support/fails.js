import assert from 'node:assert/strict';

import { RookhavenError } from '../../src/errors.js';

/**
 * fails demands a failure with this message, `CODE: sentence`, or one that matches.
 *
 * @param {string | RegExp} message
 */
export function fails(message) {
  return (/** @type {unknown} */ thrown) => {
    assert.ok(thrown instanceof RookhavenError, `not a RookhavenError: ${thrown}`);
    assert.equal(thrown.message.split(':')[0], thrown.code);
    if (typeof message === 'string') {
      assert.equal(thrown.message, message);
    } else {
      assert.match(thrown.message, message);
    }
    return true;
  };
}
