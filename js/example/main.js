/** The example over http: serve the repository's folder and open /js/example/. */
import { open } from '../src/browser.js';
import { start } from './app.js';

await start(open, { wasm: new URL('../../bin/rookhaven.wasm', import.meta.url) });
