/**
 * The doors for pages, in Chromium: over http, from file://, and where a policy refuses WebAssembly (trial X63). Skipped, with
 * a word, where there is no Chromium; CHROMIUM names one that lies elsewhere.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';

import { open } from '../src/node.js';
import { decode } from '../src/text.js';
import { engineBytes, harbour, request, wasmFile } from './support/engine.js';
import { fake } from './support/fake.js';
import { serve } from './support/serve.js';

/** @import {TestContext} from 'node:test' */
/** @import {Browser, Page} from 'playwright-core' */

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = existsSync(executablePath) ? false : `Chromium is absent: there is none at ${executablePath}`;

/** A name that is not this machine's own makes the page an insecure context, as on a plain-http address in a network. */
const insecure = 'harbour.test';

const js = new URL('../', import.meta.url);
const harnessFile = new URL('test/page/file.html', js).href;
const exampleFile = new URL('dist/example.html', js);

describe('pages', { skip, timeout: 120_000 }, () => {
  /** @type {Browser} */
  let browser;
  let folder = '';
  before(async () => {
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL('build.mjs', js)), '--example'], { env: { ...process.env, ROOKHAVEN_WASM: wasmFile } });
    folder = await mkdtemp(join(tmpdir(), 'rookhaven-page-'));
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        `--host-resolver-rules=MAP ${insecure} 127.0.0.1`,
      ],
    });
  });
  after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * visit opens a page until the test ends and collects the addresses it asks for.
   *
   * @param {TestContext} t
   * @param {string} url
   */
  async function visit(t, url) {
    const page = await browser.newPage();
    t.after(() => page.close());
    /** @type {string[]} */
    const asked = [];
    page.on('request', (it) => asked.push(it.url()));
    await page.goto(url);
    return { page, asked };
  }

  /**
   * expected runs calls in Node.
   *
   * @param {{export: import('../src/abi.js').ExportName, input: string}[]} calls
   */
  async function expected(calls) {
    const engine = await open({ wasm: engineBytes(), engine: 'engine:case', worker: false });
    const outputs = [];
    for (const { export: name, input } of calls) {
      outputs.push(await engine.call(name, input).then((bytes) => ({ output: decode(bytes, name) }), ({ message }) => ({ error: message })));
    }
    return outputs;
  }

  /** @type {{export: import('../src/abi.js').ExportName, input: string}[]} */
  const calls = [
    { export: 'abi', input: '{}' },
    { export: 'describe', input: '{}' },
    { export: 'open', input: JSON.stringify({ documents: harbour, engine: 'engine:case', list: true }) },
    { export: 'retrieve', input: JSON.stringify({ handle: 1, request: { ...request, explain: true, text: 'full' } }) },
    { export: 'retrieve', input: '{"handle":1,"request":{"query":"\\ud800"}}' },
    { export: 'decompose', input: '{"query":""}' },
    { export: 'open', input: JSON.stringify({ documents: harbour, engine: 'engine:case', settings: {} }) },
    { export: 'search', input: JSON.stringify({ handle: 2, search: { query: 'crane faults and tide windows', explain: true, text: 'full' } }) },
    { export: 'search', input: '{"handle":1,"search":{"query":"tide"}}' },
    { export: 'build', input: JSON.stringify({ documents: harbour, inline: true }) },
    { export: 'close', input: '{"handle":1}' },
  ];

  /**
   * inHarness runs the calls in a harness page.
   *
   * @param {Page} page
   * @param {object} options of harness.open
   */
  async function inHarness(page, options) {
    await page.waitForFunction(() => document.title === 'ready');
    return page.evaluate(async ([how, list]) => {
      const { harness } = /** @type {any} */ (globalThis);
      await harness.open(how);
      const outputs = await harness.run(list);
      await harness.close();
      return outputs;
    }, /** @type {const} */ ([options, calls]));
  }

  test('over http a page gives the bytes of Node, in a worker and without', async (t) => {
    const port = await serve(t);
    const { page } = await visit(t, `http://127.0.0.1:${port}/js/test/page/http.html`);
    const want = await expected(calls);
    for (const worker of [true, false]) {
      assert.deepEqual(await inHarness(page, { wasm: '/bin/rookhaven.wasm', engine: 'engine:case', worker }), want);
    }
  });

  test('a page on plain http has no crypto.subtle, and the engine its name', async (t) => {
    const port = await serve(t);
    const { page } = await visit(t, `http://${insecure}:${port}/js/test/page/http.html`);
    await page.waitForFunction(() => document.title === 'ready');
    const [secure, name] = await page.evaluate(async () => [
      globalThis.isSecureContext || crypto.subtle !== undefined,
      await /** @type {any} */ (globalThis).harness.open({ wasm: '/bin/rookhaven.wasm' }),
    ]);
    const here = await open({ wasm: wasmFile, worker: false });
    assert.equal(secure, false);
    assert.equal(name, here.name);
  });

  test('from file:// the inline door gives the bytes of Node, in a worker and without', async (t) => {
    const { page, asked } = await visit(t, harnessFile);
    const base64 = Buffer.from(engineBytes()).toString('base64');
    const want = await expected(calls);
    for (const worker of [true, false]) {
      assert.deepEqual(await inHarness(page, { base64, engine: 'engine:case', worker }), want);
    }
    assert.ok(asked.every((url) => /^(file|blob|data):/.test(url)), String(asked));
  });

  test('a page builds the segment of Node, opens it, and its search has the same bytes', async (t) => {
    const { page } = await visit(t, harnessFile);
    const here = await open({ wasm: wasmFile, worker: false });
    const segment = await here.buildSegment(harbour);
    const { bytes } = await here.search({ query: 'tide' }, await here.openSegments([segment]));
    for (const worker of [true, false]) {
      const [built, answer] = await page.evaluate(async ([text, documents, inWorker]) => {
        const { rookhaven } = /** @type {any} */ (globalThis);
        const engine = await rookhaven.open({ wasm: rookhaven.fromBase64(text), worker: inWorker });
        const made = await engine.buildSegment(documents);
        const corpus = await engine.openSegments([made]);
        const found = await corpus.search({ query: 'tide' });
        await engine.close();
        return [[...made], [...found.bytes]];
      }, /** @type {const} */ ([Buffer.from(engineBytes()).toString('base64'), harbour, worker]));
      assert.deepEqual(built, [...segment]);
      assert.deepEqual(answer, [...bytes]);
    }
  });

  test('a page turns texts into the vectors of Node, over http and from file://', async (t) => {
    const port = await serve(t);
    const here = await open({ wasm: wasmFile, worker: false });
    const model = await readFile(new URL('test/support/tiny.rkm', js));
    await here.openModel(model);
    const texts = ['crane faults', '新幹線', ''];
    const { vectors, tokens } = await here.embed(texts, { query: true });
    for (const url of [harnessFile, `http://127.0.0.1:${port}/js/test/page/http.html`]) {
      const { page } = await visit(t, url);
      await page.waitForFunction(() => document.title === 'ready');
      for (const worker of [true, false]) {
        const got = await page.evaluate(async ([text, tiny, asked, inWorker]) => {
          const { rookhaven } = /** @type {any} */ (globalThis);
          const engine = await rookhaven.open({ wasm: rookhaven.fromBase64(text), worker: inWorker });
          await engine.openModel(rookhaven.fromBase64(tiny));
          const found = await engine.embed(asked, { query: true });
          await engine.close();
          return { vectors: found.vectors.map((/** @type {Int8Array} */ vector) => [...vector]), tokens: found.tokens };
        }, /** @type {const} */ ([Buffer.from(engineBytes()).toString('base64'), model.toString('base64'), texts, worker]));
        assert.deepEqual(got, { vectors: vectors.map((vector) => [...vector]), tokens });
      }
    }
  });

  test('a signal ends a call that never ends, also in a page', async (t) => {
    const { page } = await visit(t, harnessFile);
    const base64 = Buffer.from(fake()).toString('base64');
    const [message, next] = await page.evaluate(async (text) => {
      const { rookhaven } = /** @type {any} */ (globalThis);
      const engine = await rookhaven.open({ wasm: rookhaven.fromBase64(text) });
      const message = await engine.call('describe', {}, { signal: AbortSignal.timeout(50) }).catch((/** @type {Error} */ it) => it.message);
      return [message, String.fromCharCode(...await engine.call('plan', { a: 1 }))];
    }, base64);
    assert.match(message, /^CANCELLED: /);
    assert.equal(next, '{"a":1}');
  });

  test('the example answers over http and asks no other host', async (t) => {
    const port = await serve(t);
    const { page, asked } = await visit(t, `http://127.0.0.1:${port}/js/example/index.html`);
    await demandExample(page);
    assert.ok(asked.every((url) => url.startsWith(`http://127.0.0.1:${port}/`) || /^(data|blob):/.test(url)), String(asked));
  });

  test('the example answers from file:// and asks for nothing', async (t) => {
    const { page, asked } = await visit(t, exampleFile.href);
    await demandExample(page);
    assert.ok(asked.every((url) => url === exampleFile.href || /^(data|blob):/.test(url)), String(asked));
  });

  /** @param {Page} page */
  async function demandExample(page) {
    await page.waitForSelector('#verdict');
    assert.equal(await page.textContent('#verdict'), 'Replay: MATCH');
    const here = await open({ wasm: wasmFile, worker: false });
    assert.equal(await page.textContent('#engine'), here.name);
    const first = await page.textContent('#digest');
    await page.fill('#query', 'zzzz');
    await page.click('button');
    await page.waitForFunction((digest) => document.querySelector('#digest')?.textContent !== digest, first);
    assert.match(await page.textContent('output') ?? '', /No answer: no_match/);
    await page.fill('#query', 'pilots and customs');
    await page.click('button');
    await page.waitForSelector('article');
    assert.match(await page.textContent('article li') ?? '', /^place 1 for “.*”: score .*; terms of both: /);
  }

  const remedy = /^ENGINE_REFUSED: .*'wasm-unsafe-eval'/;

  /**
   * refused returns the error text that a page shows.
   *
   * @param {TestContext} t
   * @param {string} url
   */
  async function refused(t, url) {
    const { page } = await visit(t, url);
    const alert = page.getByRole('alert');
    await alert.waitFor({ timeout: 10_000 });
    assert.equal(await alert.isVisible(), true);
    return await alert.textContent() ?? '';
  }

  test('a page from file:// whose policy refuses WebAssembly shows the remedy', async (t) => {
    const html = await readFile(exampleFile, 'utf8');
    const policies = [
      ["script-src 'unsafe-inline'; style-src 'unsafe-inline'; worker-src blob:", remedy],
      ["script-src 'unsafe-inline'; style-src 'unsafe-inline'", /^ENGINE_REFUSED: .*worker-src blob: and script-src 'wasm-unsafe-eval'/],
    ];
    for (const [i, [policy, want]] of policies.entries()) {
      const file = join(folder, `refused${i}.html`);
      await writeFile(file, html.replace(/script-src [^"]*"/, `${policy}"`));
      assert.match(await refused(t, pathToFileURL(file).href), /** @type {RegExp} */ (want));
    }
  });

  test('a page over http whose policy refuses WebAssembly shows the remedy', async (t) => {
    for (const policy of ["default-src 'self' data:", "default-src 'self' data:; worker-src 'none'"]) {
      const port = await serve(t, policy);
      assert.match(await refused(t, `http://127.0.0.1:${port}/js/example/index.html`), remedy);
    }
  });

  test('the remedy is there within a second', async (t) => {
    const port = await serve(t, "default-src 'self' data:");
    const { page } = await visit(t, `http://127.0.0.1:${port}/js/test/page/http.html`);
    await page.waitForFunction(() => document.title === 'ready');
    const took = await page.evaluate(async () => {
      const start = performance.now();
      await /** @type {any} */ (globalThis).harness.open({ wasm: '/bin/rookhaven.wasm' }).catch(() => {});
      return performance.now() - start;
    });
    assert.ok(took < 1000, `${took} ms`);
  });
});
