import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { open } from '../src/node.js';
import { decode } from '../src/text.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

const wasm = fake();

/** @param {Promise<Uint8Array>} bytes */
const text = async (bytes) => decode(await bytes, 'it');

for (const worker of [true, false]) {
  const where = worker ? 'in a worker' : 'in the calling thread';

  test(`a trap ${where} loses the instance, and the next call gets another`, async () => {
    const engine = await open({ wasm, worker });
    await assert.rejects(engine.call('close', {}), fails(/^ENGINE_FAILED: the module trapped/));
    assert.equal(await text(engine.call('plan', { a: 1 })), '{"a":1}');
    await engine.close();
  });

  test(`stages ${where} arrive before the reply`, async () => {
    /** @type {string[]} */
    const stages = [];
    const engine = await open({ wasm, worker, onStage: (name) => stages.push(name) });
    await engine.call('merge', {});
    assert.deepEqual(stages, ['stage']);
    await engine.close();
  });

  test(`an engine ${where} that was closed takes no more calls`, async () => {
    const engine = await open({ wasm, worker });
    await engine.close();
    await assert.rejects(engine.call('plan', {}), fails('ENGINE_ABSENT: the engine was closed'));
  });

  test(`a signal ${where} that was aborted before the call`, async () => {
    const engine = await open({ wasm, worker });
    await assert.rejects(engine.call('plan', {}, { signal: AbortSignal.abort(new Error('gone')) }), fails('CANCELLED: the caller ended the call: gone'));
    await engine.close();
  });
}

test('a signal ends a call that never ends, and the next call gets another worker', async () => {
  const stop = new AbortController();
  const engine = await open({ wasm, onStage: () => stop.abort(new Error('late')) });
  const call = engine.call('describe', {}, { signal: stop.signal });
  const next = engine.call('plan', { a: 1 });
  await assert.rejects(call, fails('CANCELLED: the caller ended the call: late'));
  assert.equal(await text(next), '{"a":1}');
  await engine.close();
});

test('a call that waits is ended without harm to the one that runs', async () => {
  const engine = await open({ wasm });
  const stop = new AbortController();
  const first = engine.call('plan', { a: 1 });
  const second = engine.call('plan', { b: 2 }, { signal: stop.signal });
  stop.abort();
  await assert.rejects(second, fails(/^CANCELLED: /));
  assert.equal(await text(first), '{"a":1}');
  await engine.close();
});

test('closing fails the call that runs and those that wait', async () => {
  /** @type {() => void} */
  let begun = () => {};
  const engine = await open({ wasm, onStage: () => begun() });
  const runs = engine.call('describe', {});
  const waits = engine.call('plan', {});
  await new Promise((resolve) => {
    begun = () => resolve(undefined);
  });
  await engine.close();
  await assert.rejects(runs, fails('CANCELLED: the engine was closed'));
  await assert.rejects(waits, fails('ENGINE_ABSENT: the engine was closed'));
});

test('a signal at a stage stops a call in the calling thread', async () => {
  const stop = new AbortController();
  const engine = await open({ wasm, worker: false, onStage: () => stop.abort() });
  await assert.rejects(engine.call('merge', {}, { signal: stop.signal }), fails(/^CANCELLED: /));
  assert.equal(await text(engine.call('merge', {})), '{"abi":1}');
});

test('an input of a megabyte reaches the worker whole', async () => {
  const engine = await open({ wasm });
  const query = 'ä'.repeat(1 << 18);
  assert.equal(await text(engine.call('plan', { query })), JSON.stringify({ query }));
  await engine.close();
});

test('the bytes of the caller stay his', async () => {
  const engine = await open({ wasm });
  // A short one lies in a pool, which Node never hands over; a long one has its memory to itself.
  for (const input of [Buffer.from('{"a":1}'), Buffer.alloc(1 << 16, '{"a":1} '), new Uint8Array(Buffer.from('{"a":1}'))]) {
    const before = [...input];
    await engine.call('plan', input);
    assert.deepEqual([...input], before);
  }
  await engine.close();
});

test('an engine that nobody closed does not keep the process alive', async () => {
  const script = `
    import { open } from ${JSON.stringify(new URL('../src/node.js', import.meta.url).href)};
    const engine = await open({ wasm: Buffer.from('${Buffer.from(wasm).toString('base64')}', 'base64') });
    console.log(Buffer.from(await engine.call('plan', { a: 1 })).toString());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 30_000 });
  assert.equal(stdout, '{"a":1}\n');
});
