/**
 * What drives an engine in a page: a classic script, so that it also runs from `file://`. The page has set the global
 * `rookhaven` by one of the doors; a driver calls the global `harness` and gets plain values back.
 */
/** @type {any} */ (globalThis).harness = (() => {
  /** The door, which the page may set after this script ran. */
  const door = () => /** @type {{rookhaven: typeof import('../../src/browser.js')}} */ (/** @type {unknown} */ (globalThis)).rookhaven;

  /** @type {import('../../src/browser.js').Engine | undefined} */
  let engine;

  /**
   * harness.open starts an engine in place of the last. The module is a URL in `wasm`, or base64 in `base64`. It returns the
   * engine's name.
   *
   * @param {import('../../src/door.js').OpenOptions & {base64?: string}} options
   */
  async function open({ base64, ...options }) {
    await close();
    const wasm = base64 === undefined ? options.wasm : door().fromBase64(base64);
    engine = await door().open({ ...options, wasm });
    return engine.name;
  }

  /**
   * harness.run makes calls in order: `{export, input}` with a value or JSON text, or `{export, base64}` with bytes. Of each
   * it returns `{output}`, the text of the reply, or `{error}`, `CODE: sentence`.
   *
   * @param {{export: import('../../src/abi.js').ExportName, input?: unknown, base64?: string}[]} calls
   */
  async function run(calls) {
    if (!engine) {
      throw new Error('harness.open comes first');
    }
    const outputs = [];
    for (const { export: name, input, base64 } of calls) {
      try {
        const bytes = await engine.call(name, base64 === undefined ? input : door().fromBase64(base64));
        outputs.push({ output: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) });
      } catch (thrown) {
        outputs.push({ error: /** @type {Error} */ (thrown).message });
      }
    }
    return outputs;
  }

  /** harness.close ends the engine. */
  async function close() {
    await engine?.close();
    engine = undefined;
  }

  return { open, run, close };
})();
