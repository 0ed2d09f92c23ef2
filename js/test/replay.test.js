import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { open } from '../src/node.js';
import { harbour, request, wasmFile } from './support/engine.js';

let folder = '';

/** @type {Record<string, string>} */
const files = {};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookhaven-replay-'));
  const engine = await open({ wasm: wasmFile, worker: false });
  const { bytes, reply } = await engine.retrieve(request, harbour);
  const contents = {
    corpus: JSON.stringify(harbour),
    lines: `${harbour.map((document) => JSON.stringify(document)).join('\n')}\n\n`,
    other: JSON.stringify(harbour.slice(1)),
    reply: bytes,
    search: (await engine.search({ query: 'tide windows', explain: true }, harbour, { settings: { language: 'none' } })).bytes,
    altered: JSON.stringify({ ...reply, verdict: 'no_answer' }),
    broken: '{',
  };
  for (const [name, content] of Object.entries(contents)) {
    files[name] = join(folder, `${name}.json`);
    await writeFile(files[name], content);
  }
  // Only the sources, without node_modules and dist: nothing may need a build.
  for (const part of ['src', 'bin', 'package.json']) {
    await cp(fileURLToPath(new URL(`../${part}`, import.meta.url)), join(folder, 'js', part), { recursive: true });
  }
});
after(() => rm(folder, { recursive: true }));

/**
 * @param {string[]} args
 * @returns {Promise<{code: number, out: string, err: string}>}
 */
function run(...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(folder, 'js/bin/replay.mjs'), ...args], (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

const on = (/** @type {string} */ corpus, /** @type {string} */ reply) => run('--wasm', wasmFile, '--corpus', files[corpus] ?? corpus, '--reply', files[reply] ?? reply);

test('the same corpus matches', async () => {
  const { code, out } = await on('corpus', 'reply');
  assert.match(out, /^MATCH sha256:[0-9a-f]{64}\n$/);
  assert.equal(code, 0);
});

test('a corpus of one document a line matches too', async () => {
  const { code, out } = await on('lines', 'reply');
  assert.match(out, /^MATCH /);
  assert.equal(code, 0);
});

test('a reply of search replays with the settings that it names', async () => {
  for (const corpus of ['corpus', 'lines']) {
    const { code, out } = await on(corpus, 'search');
    assert.match(out, /^MATCH sha256:[0-9a-f]{64}\n$/);
    assert.equal(code, 0);
  }
  const { code, out } = await on('other', 'search');
  assert.match(out, /^UNVERIFIABLE \(corpus\): /);
  assert.equal(code, 4);
});

test('an altered reply names the member', async () => {
  const { code, out } = await on('corpus', 'altered');
  assert.match(out, /^MISMATCH \(verdict\): /);
  assert.equal(code, 4);
});

test('another corpus, another engine name', async () => {
  const { code, out } = await on('other', 'reply');
  assert.match(out, /^UNVERIFIABLE \(corpus\): .*document "d1"/);
  assert.equal(code, 4);
  const named = await run('--engine', 'engine:other', '--wasm', wasmFile, '--corpus', files.corpus, '--reply', files.reply);
  assert.match(named.out, /^UNVERIFIABLE \(engine\): stored sha256:/);
  assert.equal(named.code, 4);
});

test('a false engine under the name of the true one is no MATCH', async () => {
  const claim = JSON.parse(await readFile(files.reply, 'utf8')).engine;
  files.false = join(folder, 'false.wasm');
  // The same engine but for a custom section at its end: it computes the same, and is another file.
  await writeFile(files.false, Buffer.concat([await readFile(wasmFile), Buffer.of(0, 2, 1, 0x78)]));
  const given = ['--wasm', files.false, '--corpus', files.corpus, '--reply', files.reply];
  const { code, out, err } = await run('--engine', claim, ...given);
  assert.equal(out, '');
  assert.match(err, new RegExp(`^ENGINE_REFUSED: the engine that was given is sha256:[0-9a-f]{64}, and its name says ${claim}\n$`));
  assert.equal(code, 2);
  const unnamed = await run(...given);
  assert.match(unnamed.out, /^UNVERIFIABLE \(engine\): /);
  const right = await run('--engine', claim, '--wasm', wasmFile, ...given.slice(2));
  assert.match(right.out, /^MATCH /);
});

test('errors are sentences with exit code 2', async () => {
  for (const [given, message] of /** @type {const} */ ([
    [() => on('corpus', 'broken'), /^JSON_INVALID: |^REPLY_INVALID: /],
    [() => on('nowhere.json', 'reply'), /^FILE_UNREADABLE: /],
    [() => run('--wasm', wasmFile), /^ARGUMENT_INVALID: usage: /],
    [() => run('--nope'), /^ARGUMENT_UNKNOWN: /],
  ])) {
    const { code, out, err } = await given();
    assert.match(err, message);
    assert.equal(out, '');
    assert.equal(code, 2);
  }
});
