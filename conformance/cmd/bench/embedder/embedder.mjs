/**
 * Does what the command embedder does, in Node through the package's door, without a worker.
 *
 *   node embedder.mjs ENGINE.wasm MODEL.rkm PRODUCTS.wasm
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { WASI } from 'node:wasi';

import { open } from '../../../../js/src/node.js';

const [engine, model, products] = process.argv.slice(2);
const door = await open({ wasm: engine, worker: false });
await door.openModel(readFileSync(model));

const wasi = new WASI({ version: 'preview1' });
const { instance } = await WebAssembly.instantiate(readFileSync(products), wasi.getImportObject());
wasi.initialize(instance);

for await (const line of createInterface({ input: process.stdin })) {
  const { text, products: n } = JSON.parse(line);
  const reply = {};
  const from = process.hrtime.bigint();
  if (n) {
    instance.exports.multiply(n);
  } else {
    reply.vector = Array.from((await door.embed([text])).vectors[0]);
  }
  reply.ns = Number(process.hrtime.bigint() - from);
  process.stdout.write(JSON.stringify(reply) + '\n');
}
