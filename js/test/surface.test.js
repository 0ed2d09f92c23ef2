import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import { Instance } from '../src/instance.js';
import { open } from '../src/node.js';
import { Sealed } from '../src/sealed.js';
import { sha256 } from '../src/sha256.js';
import { engineBytes } from './support/engine.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

const wasm = fake();
const digest = `sha256:${sha256(wasm)}`;
const other = `sha256:${sha256(Uint8Array.of(1))}`;

test('an engine under the digest of another file is refused, and both are named', async () => {
  for (const worker of [true, false]) {
    await assert.rejects(open({ wasm, engine: other, worker }), fails(`ENGINE_REFUSED: the engine that was given is ${digest}, and its name says ${other}`));
    const engine = await open({ wasm, engine: digest, worker });
    assert.equal(engine.name, digest);
    await engine.close();
  }
});

test('a name that only looks like its digest is refused too', async () => {
  for (const engine of ['sha256:', digest.slice(0, -1), `${digest}0`, digest.toUpperCase(), `SHA256:${digest.slice(7)}`]) {
    await assert.rejects(open({ wasm, engine, worker: false }), fails(`ENGINE_REFUSED: the engine that was given is ${digest}, and its name says ${engine}`));
  }
});

test('a name that is no digest is the word of the caller, and so is any name of a compiled module', async () => {
  assert.equal((await open({ wasm, engine: 'engine:case', worker: false })).name, 'engine:case');
  const module = new WebAssembly.Module(/** @type {any} */ (wasm));
  assert.equal((await open({ wasm: module, engine: other, worker: false })).name, other);
});

test('a worker that is started again keeps the name', async () => {
  const engine = await open({ wasm, engine: digest });
  await assert.rejects(engine.call('close', {}), fails(/^ENGINE_FAILED: /));
  await engine.call('plan', {});
  assert.equal(engine.name, digest);
  await engine.close();
});

test('a memory that other hosts refuse is refused', async () => {
  const refused = /** @type {[number[], string][]} */ ([
    [[0x00, 64], 'has no maximum: 16384 pages are the most it may have'],
    [[0x01, 64, 0x81, 0x80, 0x01], 'may grow to 16385 pages: 16384 are the most it may have'],
    [[0x01, 64, 0x80, 0x80, 0x04], 'may grow to 65536 pages: 16384 are the most it may have'],
    [[0x03, 64, 0x80, 0x01], 'is shared or counts in other units'],
  ]);
  for (const [memory, sentence] of refused) {
    for (const worker of [true, false]) {
      await assert.rejects(open({ wasm: fake({ memory }), worker }), fails(`ENGINE_REFUSED: the module's memory ${sentence}`));
    }
  }
  await open({ wasm: fake({ memory: [0x01, 64, 0x80, 0x80, 0x01] }), worker: false });
  await open({ wasm: engineBytes(), worker: false });
});

test('sections of any order of length are skipped, also one whose size is padded', async () => {
  const padded = [0, 0x85, 0x80, 0x80, 0x80, 0x00, 1, 0x78, 5, 3, 1];
  await open({ wasm: Uint8Array.from([...wasm.subarray(0, 8), ...padded, ...wasm.subarray(8)]), worker: false });
});

test('a memory that is not its own, or none, is refused', async () => {
  await assert.rejects(open({ wasm: fake({ memory: [] }), worker: false }), fails(/^ENGINE_REFUSED: /));
  await assert.rejects(open({ wasm: Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), worker: false }), fails('ENGINE_REFUSED: the module has no memory of its own'));
});

test('a module may import here what it may import in the other hosts, and no more', async () => {
  const text = await readFile(new URL('../../wasm/artifact/imports.txt', import.meta.url), 'utf8');
  const elsewhere = Array.from(text.matchAll(/^import (\S+ \S+) func /gm), ([, name]) => name);
  const empty = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const here = Object.entries(new Sealed().imports(empty)).flatMap(([from, all]) => Object.keys(all).map((name) => `${from} ${name}`));
  assert.deepEqual(here.sort(), elsewhere.sort());
});

test('a module that runs something while it starts is refused', async () => {
  await assert.rejects(open({ wasm: fake({ starts: true }), worker: false }), fails('ENGINE_REFUSED: the module has a start function: an engine starts nothing by itself'));
});

test('an import that is no function, and an export of another kind, are refused by name', async () => {
  const memory = [0x02, 0x00, 1];
  await assert.rejects(open({ wasm: fake({ wants: ['extism:host/env', 'alloc'], wantsKind: memory, memory: [] }), worker: false }), fails(/^ENGINE_REFUSED: /));
  const compiled = new WebAssembly.Module(/** @type {any} */ (fake({ wants: ['extism:host/env', 'alloc'], wantsKind: memory, memory: [] })));
  await assert.rejects(Instance.start(compiled), fails('ENGINE_REFUSED: the module imports the memory extism:host/env alloc, which a sealed engine does not get'));
  await assert.rejects(open({ wasm: fake({ lacks: 'stop_word', memoryAs: 'stop_word' }), worker: false }), fails(/^ENGINE_REFUSED: the module has no function stop_word/));
});

test('a stop word outside the memory is refused and not a RangeError', async () => {
  for (const worker of [true, false]) {
    await assert.rejects(open({ wasm: fake({ stopWord: 64 * 65536 - 3 }), worker }), fails('ENGINE_REFUSED: the module has its stop word at 4194301, outside its memory'));
  }
});

test('a version that is not JSON is refused', async () => {
  for (const reply of ['{', 'null', '']) {
    await assert.rejects(open({ wasm: fake({ reply }), worker: false }), fails(/^ENGINE_REFUSED: the module speaks no ABI that this package knows/));
  }
});
