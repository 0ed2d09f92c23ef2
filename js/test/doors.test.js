import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import * as browser from '../src/browser.js';
import * as inline from '../src/inline.js';
import * as node from '../src/node.js';
import { sha256 } from '../src/sha256.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

const { open } = node;
const wasm = fake();

test('the doors have the same names', () => {
  assert.deepEqual(Object.keys(browser), Object.keys(node));
  assert.deepEqual(Object.keys(inline), Object.keys(node));
});

test('the engine has the name of its bytes, or the one it is given', async () => {
  const named = [await open({ wasm, worker: false }), await open({ wasm })];
  for (const engine of named) {
    assert.equal(engine.name, `sha256:${sha256(wasm)}`);
    await engine.close();
  }
  assert.equal((await open({ wasm, engine: 'engine:case', worker: false })).name, 'engine:case');
});

test('a module comes as bytes, compiled, as a response or from a file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rookhaven-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'an engine#1.wasm');
  await writeFile(file, wasm);
  const response = () => new Response(/** @type {any} */ (wasm));
  for (const given of [wasm, Buffer.from(wasm), wasm.slice().buffer, file, pathToFileURL(file), pathToFileURL(file).href, response(), Promise.resolve(wasm)]) {
    const engine = await open({ wasm: given, worker: false });
    assert.equal(engine.name, `sha256:${sha256(wasm)}`);
  }
  for (const worker of [true, false]) {
    const engine = await open({ wasm: new WebAssembly.Module(/** @type {any} */ (wasm)), engine: 'mine', worker });
    assert.equal(engine.name, 'mine');
    await engine.close();
  }
});

test('what cannot be opened is refused by name', async () => {
  const refused = /** @type {[any, string | RegExp][]} */ ([
    [{ wasm: new WebAssembly.Module(/** @type {any} */ (wasm)) }, 'ARGUMENT_INVALID: a compiled module has no bytes to take its name from: give engine'],
    [{ wasm: 7 }, 'ARGUMENT_INVALID: wasm is a number, not bytes, a compiled module, a Response, or where the module lies'],
    [{}, /^ARGUMENT_INVALID: wasm is undefined/],
    [{ wasm: 'nowhere.wasm' }, /^FILE_UNREADABLE: ENOENT: .*nowhere\.wasm/],
    [{ wasm: 'https://example.org/a.wasm' }, 'ARGUMENT_INVALID: https://example.org/a.wasm: this door reads files only; give the bytes or a Response'],
    [{ wasm: new Response('no', { status: 404 }) }, 'FILE_UNREADABLE: the response: status 404'],
    [{ wasm: Buffer.from('<!doctype html>') }, 'ENGINE_REFUSED: the 15 bytes are not a WebAssembly module: they do not begin with \\0asm'],
    [{ wasm: wasm.slice(0, 99) }, /^ENGINE_REFUSED: the module does not compile: /],
    [{ wasm: fake({ lacks: 'open' }) }, /^ENGINE_REFUSED: the module has no export open/],
    [{ wasm, Engine: 'x' }, 'ARGUMENT_UNKNOWN: open has no option "Engine", the nearest is "engine"; it has wasm, engine, model, vectors, worker, onStage, host'],
    [{ wasm, host: {}, worker: true }, 'ARGUMENT_INVALID: host needs worker: false, since functions do not cross into a worker'],
  ]);
  for (const [options, message] of refused) {
    for (const worker of [true, false]) {
      await assert.rejects(open({ worker, ...options }), fails(message));
    }
  }
});

test('the package has the engine and the model as files of their own', async () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], { cwd: folder, maxBuffer: 1 << 24 });
  /** @type {[{files: {path: string, size: number}[]}]} */
  const [{ files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const { exports } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  for (const [name, at] of [['./rookhaven.wasm', '../../bin/rookhaven.wasm'], ['./minilm-l6-v2.rkm', '../../wasm/artifact/models/minilm-l6-v2.rkm']]) {
    assert.equal(sizes.get(exports[name].slice('./'.length)), (await stat(new URL(at, import.meta.url))).size, name);
  }
});

test('the package needs no other at run time, and its lock file names no registry', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(text);
  assert.deepEqual([dependencies, peerDependencies, optionalDependencies], [undefined, undefined, undefined]);
  assert.doesNotMatch(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'), /"resolved"/);
});
