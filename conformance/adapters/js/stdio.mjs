/**
 * Serves the stream on standard input and output, for Node and what imitates it.
 *
 *   node stdio.mjs door|direct|extism ENGINE
 *   node stdio.mjs hostile ENGINE PROFILES
 *
 * door is the public door with its worker, direct the instance in this thread, hostile the instance in the worlds of
 * PROFILES (JSON) in turn, extism the SDK of Extism.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { exportNames, ofErrors, readCase, resultsFrame, runCase } from './stream.mjs';
import { host } from './hostile.mjs';

const src = new URL('../../../js/src/', import.meta.url);
const [mode, path, profiles] = process.argv.slice(2);
const wasm = new Uint8Array(readFileSync(path));

/** one keeps an engine until it breaks, or makes one for each case. */
function one(make, each = false) {
  let engine;
  return {
    take: async () => (engine ??= await make()),
    give: async (alive) => {
      if (!alive || each) {
        await engine.end?.();
        engine = undefined;
      }
    },
  };
}

async function sources() {
  switch (mode) {
    case 'door': {
      const { open } = await import(new URL('node.js', src));
      return [one(async () => {
        const door = await open({ wasm, engine: 'engine:case' });
        return { ...ofErrors((number, input) => door.call(exportNames[number], input)), end: () => door.close() };
      })];
    }
    case 'direct':
    case 'hostile': {
      const { Instance } = await import(new URL('instance.js', src));
      const module = await WebAssembly.compile(wasm);
      const start = async (answers) => {
        const instance = await Instance.start(module, answers);
        return ofErrors((number, input) => instance.call(exportNames[number], input));
      };
      if (mode === 'direct') {
        return [one(() => start())];
      }
      return JSON.parse(profiles).map((profile) => one(() => start(host(profile)), profile.fresh));
    }
    case 'extism': {
      const { createPlugin } = await import('@extism/extism');
      const module = await WebAssembly.compile(wasm);
      const encoder = new TextEncoder();
      // The SDK prints what a module logs, on standard output: here that is the stages it announces.
      // It also says that an error is the module's own, in front of it.
      const origin = /^Plugin-originated error: /;
      const quiet = () => {};
      const logger = { trace: quiet, debug: quiet, log: quiet, info: quiet, warn: quiet, error: quiet };
      return [one(async () => {
        const plugin = await createPlugin(module, { useWasi: true, runInWorker: false, logger });
        return {
          call: async (number, input) => (await plugin.call(exportNames[number], input)).bytes().slice(),
          died: (thrown) => !origin.test(thrown.message),
          words: (thrown) => encoder.encode(thrown.message.replace(origin, '')),
          end: () => plugin.close(),
        };
      })];
    }
  }
  throw new Error(`no mode ${mode}`);
}

/** bodies yields the frames of standard input as they come. */
async function* bodies() {
  let chunks = [];
  let have = 0;
  let need = 4;
  let head = true;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    have += chunk.length;
    while (have >= need) {
      const all = Buffer.concat(chunks);
      const body = all.subarray(0, need);
      chunks = [all.subarray(need)];
      have -= need;
      if (head) {
        need = body.readUInt32LE(0);
      } else {
        yield new Uint8Array(body);
        need = 4;
      }
      head = !head;
      if (!head && need === 0) {
        yield new Uint8Array(0);
        head = true;
        need = 4;
      }
    }
  }
}

const all = await sources();
let i = 0;
for await (const body of bodies()) {
  const source = all[i++ % all.length];
  const engine = await source.take();
  const { results, alive } = await runCase(engine, readCase(body));
  await source.give(alive);
  if (!process.stdout.write(resultsFrame(results))) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
process.exit(0);
