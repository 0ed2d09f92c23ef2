import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Instance } from '../src/instance.js';
import { decode, encode } from '../src/text.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

/**
 * @param {Parameters<typeof fake>[0]} [options]
 * @param {import('../src/sealed.js').Host} [host]
 */
const start = (options, host) => Instance.start(new WebAssembly.Module(fake(options)), host);

const input = encode('{"a":1}', 'it');

test('a call copies its output out of the module', async () => {
  const instance = await start();
  const first = instance.call('plan', input);
  instance.call('plan', encode('{"b":2}', 'it'));
  assert.equal(decode(first, 'it'), '{"a":1}');
});

test('memory that grows in a call', async () => {
  const instance = await start();
  for (let i = 0; i < 3; i++) {
    assert.equal(decode(instance.call('decompose', input), 'it'), '{"a":1}');
  }
});

test('a failure has the code of the module, and the instance lives', async () => {
  const instance = await start();
  assert.throws(() => instance.call('partial', input), fails('WORK_LIMIT: too much'));
  assert.equal(instance.dead, false);
  assert.equal(decode(instance.call('plan', input), 'it'), '{"a":1}');
});

test('an input that the module has no memory for is refused, and the instance lives', async () => {
  const instance = await start({ holds: 7 });
  assert.throws(() => instance.call('plan', new Uint8Array(8)), fails("OVER_BUDGET: the module's memory does not hold an input of 8 bytes"));
  assert.equal(decode(instance.call('plan', input), 'it'), '{"a":1}');
});

test('segments lie in the memory of the module, and the input says where', async () => {
  const instance = await start();
  const { output, segment } = instance.exchange('plan', input, [Uint8Array.of(1, 2, 3)]);
  assert.equal(decode(output, 'it'), '{"a":1,"segments":[{"address":4096,"size":3}]}');
  assert.equal(segment, undefined);
});

test('a segment that the module has no memory for is refused, and the instance lives', async () => {
  const instance = await start({ holds: 60 });
  assert.throws(() => instance.exchange('plan', input, [new Uint8Array(61)]), fails("OVER_BUDGET: the module's memory does not hold an input of 61 bytes"));
  assert.equal(decode(instance.call('plan', input), 'it'), '{"a":1}');
});

test('a segment outside the memory is a trap', async () => {
  const instance = await start({ reply: '{"segment":{"address":4294967295,"size":9},"abi":1}' });
  assert.throws(() => instance.exchange('build', input), fails(/^ENGINE_FAILED: /));
  assert.equal(instance.dead, true);
});

test('an instance that trapped is dead', async () => {
  for (const [name, message] of /** @type {const} */ ([
    ['close', /^ENGINE_FAILED: the module trapped: /],
    ['retrieve', 'ENGINE_FAILED: the module ended itself with exit code 3'],
  ])) {
    const instance = await start();
    assert.throws(() => instance.call(name, input), fails(message));
    assert.equal(instance.dead, true);
    assert.throws(() => instance.call('plan', input), fails('ENGINE_FAILED: the instance trapped in an earlier call'));
  }
});

test('an export that does not exist is refused before the module is asked', async () => {
  const instance = await start();
  assert.throws(() => instance.call(/** @type {any} */ ('nope'), input), fails('EXPORT_UNKNOWN: there is no export "nope"'));
  assert.equal(instance.dead, false);
});

test('the stop word ends the running call and no other', async () => {
  /** @type {string[]} */
  const stages = [];
  let stop = true;
  /** @type {Instance} */
  const instance = await start({}, {
    stage: (name) => {
      stages.push(name);
      if (stop) {
        instance.stop();
      }
    },
  });
  instance.stop();
  assert.throws(() => instance.call('merge', input), fails('CANCELLED: stopped'));
  stop = false;
  assert.equal(decode(instance.call('merge', input), 'it'), '{"abi":1}');
  assert.deepEqual(stages, ['stage', 'stage']);
});

test('a module of another ABI is refused', async () => {
  await assert.rejects(start({ reply: '{"abi":2}' }), fails('ENGINE_REFUSED: the module speaks ABI 2, and this package ABI 1'));
});

test('a module that is no engine is refused by what it lacks', async () => {
  await assert.rejects(start({ lacks: 'bulk_call' }), fails('ENGINE_REFUSED: the module has no export bulk_call: it is not a rookhaven engine of ABI 1'));
  await assert.rejects(start({ lacks: 'replay' }), fails(/^ENGINE_REFUSED: the module has no export replay/));
});
