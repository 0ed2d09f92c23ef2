/** Fetches cases, runs them through the door for pages, in its worker, and posts the results. */
import { open } from '/js/src/browser.js';
import { concat, exportNames, frames, ofErrors, readCase, resultsFrame, runCase } from './stream.mjs';

async function main() {
  const fetched = await fetch('/cases');
  const cases = new Uint8Array(await fetched.arrayBuffer());
  const parts = [];
  let door;
  for (const frame of frames(cases)) {
    door ??= await open({ wasm: '/engine.wasm', engine: 'engine:case' });
    const engine = ofErrors((number, input) => door.call(exportNames[number], input));
    const { results, alive } = await runCase(engine, readCase(frame));
    if (!alive) {
      await door.close();
      door = undefined;
    }
    parts.push(resultsFrame(results));
  }
  return concat(parts);
}

try {
  await fetch('/results', { method: 'POST', body: await main() });
} catch (thrown) {
  await fetch('/trouble', { method: 'POST', body: `${thrown?.stack ?? thrown}` });
}
