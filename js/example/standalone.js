/** The example as one page: the module lies in it as base64. */
import { fromBase64, open } from '../src/inline.js';
import { start } from './app.js';

const carried = /** @type {Element} */ (document.getElementById('module')).textContent ?? '';

void start(open, { wasm: fromBase64(carried.trim()) });
