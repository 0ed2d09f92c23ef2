/**
 * Builds what cannot run from the sources: `dist/rookhaven.inline.js`; with `--example` also `dist/example.html`, with
 * `--package` also the engine and the model, as files that nobody loads who does not ask for them.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * bundle returns one classic script. Its bytes are ASCII, and esbuild writes no `</script` in it, so it can stand in a page
 * of any encoding.
 *
 * @param {string} entry
 * @param {import('esbuild').BuildOptions} [options]
 */
async function bundle(entry, options) {
  const { outputFiles = [] } = await build({
    entryPoints: [path(entry)],
    bundle: true,
    charset: 'ascii',
    format: 'iife',
    legalComments: 'none',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
    ...options,
  });
  return outputFiles[0].text;
}

/**
 * page returns the example as one page that needs nothing else.
 *
 * @param {string} script
 * @param {string} wasm where the module lies
 */
async function page(script, wasm) {
  /** @type {Record<string, string>} */
  const parts = {
    module: await readFile(wasm, 'base64'),
    script,
    style: await readFile(path('example/style.css'), 'utf8'),
  };
  const template = await readFile(path('example/standalone.html'), 'utf8');
  // A function, since a text could hold a replacement pattern.
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, name) => parts[name]);
}

const worker = await bundle('src/browser-worker.js');
const define = { 'globalThis.ROOKHAVEN_WORKER_SOURCE': JSON.stringify(worker) };
const banner = { js: '/* rookhaven, Apache-2.0 */' };

await mkdir(path('dist'), { recursive: true });
await writeFile(path('dist/rookhaven.inline.js'), await bundle('src/inline.js', { banner, define, globalName: 'rookhaven' }));
const wasm = process.env.ROOKHAVEN_WASM ?? path('../bin/rookhaven.wasm');
if (process.argv.includes('--package')) {
  await copyFile(wasm, path('dist/rookhaven.wasm'));
  await copyFile(path('../wasm/artifact/models/minilm-l6-v2.rkm'), path('dist/minilm-l6-v2.rkm'));
}
if (process.argv.includes('--example')) {
  await writeFile(path('dist/example.html'), await page(await bundle('example/standalone.js', { banner, define }), wasm));
}
