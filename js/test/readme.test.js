import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { wasmFile } from './support/engine.js';

test('the examples of the README run and print what they say', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'rookhaven-readme-'));
  t.after(() => rm(folder, { recursive: true }));
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const blocks = Array.from(readme.matchAll(/^```js\n([^]*?)^```$/gm), ([, code]) => code);
  assert.equal(blocks.length, 5);
  const said = Array.from(blocks.join('\n').matchAll(/^console\.log.*; \/\/ (.*)$/gm), ([, text]) => text);
  assert.equal(said.length, 6);
  await mkdir(join(folder, 'node_modules'));
  await symlink(fileURLToPath(new URL('../', import.meta.url)), join(folder, 'node_modules/rookhaven'), 'junction');
  await symlink(fileURLToPath(new URL('../../wasm/artifact/models/minilm-l6-v2.rkm', import.meta.url)), join(folder, 'minilm-l6-v2.rkm'));
  await symlink(wasmFile, join(folder, 'rookhaven.wasm'));
  await writeFile(join(folder, 'example.mjs'), blocks.join('\n'));
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder });
  assert.deepEqual(stdout.trim().split('\n'), said);
});
