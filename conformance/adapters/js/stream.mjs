/**
 * The stream of conformance/call in JavaScript: frames of cases and results, and how a case is run. It needs nothing of its
 * surroundings, so that it also runs in a page and in the bare shell of an engine.
 */
const open = 2;
const close = 3;
const openModel = 19;
const closeModel = 20;
export const exportNames = [
  'abi', 'describe', 'open', 'close', 'decompose', 'plan', 'partial', 'merge', 'retrieve', 'replay',
  'search', 'search_plan', 'search_statistics', 'search_partial', 'search_merge', 'build', 'compact', 'remove', 'documents',
  'open_model', 'close_model', 'embed', 'chunk_texts', 'pack_vectors', 'attach_vectors', 'statistics',
];

const [reply, failure, broken] = [0, 1, 2];

/** ascii returns the bytes of a text of ASCII characters. */
function ascii(text) {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

export function concat(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** readCase takes the body of a frame apart: the steps, each {number, handle, input}. */
export function readCase(frame) {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const steps = [];
  for (let at = 0; at < frame.length;) {
    const size = view.getUint32(at + 2, true);
    steps.push({ number: frame[at], handle: frame[at + 1], input: frame.subarray(at + 6, at + 6 + size) });
    at += 6 + size;
  }
  return steps;
}

/** frames yields the bodies of all frames of a whole stream. */
export function* frames(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const size = view.getUint32(at, true);
    yield bytes.subarray(at + 4, at + 4 + size);
    at += 4 + size;
  }
}

/** resultsFrame returns the frame of results, each {status, output}. */
export function resultsFrame(results) {
  const parts = [];
  let size = 0;
  for (const { status, output } of results) {
    const head = new Uint8Array(5);
    head[0] = status;
    new DataView(head.buffer).setUint32(1, output.length, true);
    parts.push(head, output);
    size += 5 + output.length;
  }
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, size, true);
  return concat([head, ...parts]);
}

const name = ascii('"handle":');

/** handleOf returns the handle in the reply of open, as the digits that stand there. */
function handleOf(bytes) {
  for (let i = 0; i + name.length <= bytes.length; i++) {
    if (name.every((c, k) => bytes[i + k] === c)) {
      let end = i + name.length;
      while (bytes[end] >= 0x30 && bytes[end] <= 0x39) {
        end++;
      }
      return bytes.slice(i + name.length, end);
    }
  }
  return ascii('0');
}

/** padded puts spaces in front, up to eight characters. */
function padded(digits) {
  return concat([ascii(' '.repeat(8 - digits.length)), digits]);
}

/**
 * runCase runs the steps of a case on an engine: call(number, input) gives bytes or throws; died(thrown) tells whether what
 * was thrown ended the engine; words(thrown) is its text. It returns the results and whether the engine lives.
 */
export async function runCase(engine, steps) {
  const results = [];
  const handles = [];
  const closing = [];
  const step = async (number, input) => {
    try {
      return { status: reply, output: await engine.call(number, input) };
    } catch (thrown) {
      return { status: engine.died(thrown) ? broken : failure, output: engine.words(thrown) };
    }
  };
  for (const { number, handle, input } of steps) {
    const whole = handle === 0 ? input.slice() : concat([ascii('{"handle":'), padded(handles[handle - 1] ?? ascii('0')), ascii(','), input]);
    const result = await step(number, whole);
    results.push(result);
    if (result.status === broken) {
      return { results, alive: false };
    }
    if (number === open && result.status === reply) {
      const opened = handleOf(result.output);
      handles.push(opened);
      closing.push({ number: close, input: concat([ascii('{"handle":'), opened, ascii('}')]) });
    } else if (number === openModel && result.status === reply) {
      closing.push({ number: closeModel, input: ascii('{}') });
    }
  }
  for (const { number, input } of closing) {
    const result = await step(number, input);
    if (result.status === broken) {
      results.push(result);
      return { results, alive: false };
    }
  }
  return { results, alive: true };
}

/** ofErrors returns an engine whose failures are RookhavenErrors. */
export function ofErrors(call) {
  const encoder = new TextEncoder();
  return {
    call,
    died: (thrown) => !thrown?.code || thrown.code === 'ENGINE_FAILED',
    words: (thrown) => encoder.encode(thrown?.message ?? String(thrown)),
  };
}
