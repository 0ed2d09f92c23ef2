import * as rookhaven from '../../src/browser.js';

/** @type {any} */ (globalThis).rookhaven = rookhaven;
document.title = 'ready';
