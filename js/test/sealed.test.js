import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Kernel } from '../src/kernel.js';
import { Sealed } from '../src/sealed.js';
import { fails } from './support/fails.js';
import { fake } from './support/fake.js';

/**
 * functions returns the WASI functions over a page of memory, and that page.
 *
 * @param {import('../src/sealed.js').Host} [host]
 */
function functions(host) {
  const sealed = new Sealed(host);
  sealed.memory = new WebAssembly.Memory({ initial: 1 });
  const { wasi_snapshot_preview1: wasi } = /** @type {any} */ (sealed.imports(new WebAssembly.Module(fake())));
  return { sealed, wasi, view: new DataView(sealed.memory.buffer), bytes: new Uint8Array(sealed.memory.buffer) };
}

test('the clock stands still, and not at 0', () => {
  const { wasi, view } = functions();
  const read = (/** @type {number} */ id) => {
    assert.equal(wasi.clock_time_get(id, 0n, 64), 0);
    return view.getBigUint64(64, true);
  };
  assert.notEqual(read(0), 0n);
  assert.equal(read(0), read(0));
  assert.equal(read(1), read(1));
});

test('random bytes are constant', () => {
  const { wasi, bytes } = functions();
  wasi.random_get(100, 8);
  const first = bytes.slice(100, 108);
  wasi.random_get(100, 8);
  assert.deepEqual(bytes.slice(100, 108), first);
  assert.deepEqual(bytes.slice(108, 110), new Uint8Array(2));
});

test('environment and arguments are empty', () => {
  const { wasi, view } = functions();
  for (const sizes of [wasi.environ_sizes_get, wasi.args_sizes_get]) {
    view.setUint32(0, 9, true);
    view.setUint32(4, 9, true);
    assert.equal(sizes(0, 4), 0);
    assert.deepEqual([view.getUint32(0, true), view.getUint32(4, true)], [0, 0]);
  }
});

test('there are no files', () => {
  const { wasi } = functions();
  for (const fd of [3, 4, -1]) {
    assert.equal(wasi.fd_prestat_get(fd, 0), 8);
    assert.equal(wasi.fd_fdstat_get(fd, 0), 8);
    assert.equal(wasi.fd_write(fd, 0, 0, 0), 8);
    assert.equal(wasi.fd_close(fd), 8);
  }
});

test('a hostile host gives other answers', () => {
  let time = 5n;
  const { wasi, view, bytes } = functions({
    clock: () => (time -= 1n),
    random: (it) => void it.fill(7),
    environment: ['A=1', 'GODEBUG=x=ä'],
    args: ['p'],
  });
  wasi.clock_time_get(0, 0n, 0);
  assert.equal(view.getBigUint64(0, true), 4n);
  wasi.random_get(0, 2);
  assert.deepEqual(bytes.slice(0, 3), Uint8Array.of(7, 7, 0));
  wasi.environ_sizes_get(0, 4);
  assert.deepEqual([view.getUint32(0, true), view.getUint32(4, true)], [2, 17]);
  wasi.environ_get(8, 100);
  assert.deepEqual([view.getUint32(8, true), view.getUint32(12, true)], [100, 104]);
  assert.equal(Buffer.from(bytes.slice(100, 117)).toString(), 'A=1\0GODEBUG=x=ä\0');
  wasi.args_get(8, 200);
  assert.equal(Buffer.from(bytes.slice(200, 202)).toString(), 'p\0');
});

test('the last words are kept, up to a bound', () => {
  const { sealed, wasi, view, bytes } = functions();
  bytes.set(Buffer.from('panic: rank: BUG\n'), 100);
  view.setUint32(0, 100, true);
  view.setUint32(4, 17, true);
  for (let i = 0; i < 1000; i++) {
    assert.equal(wasi.fd_write(2, 0, 1, 64), 0);
    assert.equal(view.getUint32(64, true), 17);
  }
  assert.ok(sealed.words.startsWith('panic: rank: BUG\npanic'));
  assert.ok(sealed.words.length <= 4096);
});

test('waiting ends at once', () => {
  const { wasi, view } = functions();
  view.setBigUint64(0, 77n, true);
  view.setUint8(8, 0);
  assert.equal(wasi.poll_oneoff(0, 200, 1, 400), 0);
  assert.equal(view.getUint32(400, true), 1);
  assert.equal(view.getBigUint64(200, true), 77n);
  assert.equal(view.getUint16(208, true), 0);
});

test('a module that asks for more is refused by the name of it', () => {
  const module = new WebAssembly.Module(fake({ wants: ['wasi_snapshot_preview1', 'path_open'] }));
  assert.throws(() => new Sealed().imports(module), fails('ENGINE_REFUSED: the module imports wasi_snapshot_preview1 path_open, which a sealed engine does not get'));
  const foreign = new WebAssembly.Module(fake({ wants: ['toString', 'constructor'] }));
  assert.throws(() => new Sealed().imports(foreign), fails(/^ENGINE_REFUSED: the module imports toString constructor/));
});

test('the kernel gives and takes blocks', () => {
  const kernel = new Kernel();
  const it = /** @type {any} */ (kernel.functions());
  kernel.reset(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
  assert.equal(it.input_length(), 9n);
  assert.equal(it.input_load_u8(8n), 9);
  assert.equal(it.input_load_u64(1n), 0x0908070605040302n);
  const at = it.alloc(3000n);
  assert.notEqual(at, 0n);
  assert.equal(it.length(at), 3000n);
  it.store_u64(at, -1n);
  it.store_u8(at + 1n, 65);
  assert.equal(it.load_u8(at + 1n), 65);
  assert.equal(BigInt.asUintN(64, it.load_u64(at)), 0xffffffffffff41ffn);
  it.output_set(at, 2n);
  assert.deepEqual(kernel.output, Uint8Array.of(0xff, 0x41));
  it.free(at);
  assert.equal(it.length(at), 0n);
  kernel.reset();
  assert.deepEqual(kernel.output, new Uint8Array(0));
  assert.equal(it.input_length(), 0n);
});

test('the kernel gives no configuration and no variables', () => {
  const it = /** @type {any} */ (new Kernel().functions());
  assert.equal(it.config_get(8n), 0n);
  assert.equal(it.var_get(8n), 0n);
  assert.equal(it.http_request, undefined);
});

test('stages are asked for only where somebody listens', () => {
  const off = /** @type {any} */ (new Kernel().functions());
  assert.ok(off.get_log_level() > 4);
  /** @type {string[]} */
  const heard = [];
  const kernel = new Kernel((name) => heard.push(name));
  const it = /** @type {any} */ (kernel.functions());
  assert.equal(it.get_log_level(), 1);
  const at = it.alloc(2n);
  it.store_u8(at, 104);
  it.store_u8(at + 1n, 105);
  it.log_debug(at);
  it.log_info(at);
  assert.deepEqual(heard, ['hi']);
});
