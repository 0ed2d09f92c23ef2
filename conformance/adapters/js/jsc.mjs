/**
 * Runs cases in the shell of JavaScriptCore, which has no standard input, no text encoder and no base64: it reads the cases
 * from a file and prints the results in hexadecimal digits, one case a line.
 *
 *   jsc -m jsc.mjs -- ENGINE CASES
 */
globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (c) => c.charCodeAt(0));
  }
};
globalThis.TextDecoder ??= class {
  decode(bytes = new Uint8Array(0)) {
    let binary = '';
    for (const byte of bytes) {
      binary += String.fromCharCode(byte);
    }
    return decodeURIComponent(escape(binary));
  }
};

const { frames, ofErrors, readCase, resultsFrame, runCase, exportNames } = await import('./stream.mjs');
const { Instance } = await import('../../../js/src/instance.js');
const [engine, cases] = globalThis.arguments;
const module = new WebAssembly.Module(readFile(engine, 'binary'));
let instance;
for (const frame of frames(readFile(cases, 'binary'))) {
  instance ??= await Instance.start(module);
  const { results, alive } = await runCase(ofErrors((number, input) => instance.call(exportNames[number], input)), readCase(frame));
  if (!alive) {
    instance = undefined;
  }
  print(Array.from(resultsFrame(results), (byte) => byte.toString(16).padStart(2, '0')).join(''));
}
