#!/usr/bin/env node
/**
 * Replays a stored reply on a corpus, straight from the sources: node bin/replay.mjs --wasm FILE --corpus FILE --reply FILE
 *
 * The corpus is a JSON array of documents, or one document a line. The reply is one of retrieve or of search: of the latter the
 * index is built anew, with the settings that it names.
 *
 * It prints the verdict and exits with 0 for MATCH, 4 for MISMATCH and UNVERIFIABLE, 2 for an error. `--engine`, `--model`
 * and `--vectors` give the names that the reply was made under, where they are not digests of files. An engine whose name is
 * a digest has to be that file: a false one under a true name would prove nothing.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { RookhavenError, open } from '../src/node.js';

/** @import {ReplayReply} from '../src/abi.js' */

const usage = 'usage: replay.mjs --wasm FILE --corpus FILE --reply FILE [--engine NAME] [--model NAME] [--vectors NAME]';
const exit = { match: 0, error: 2, verification: 4 };

/** @param {string[]} args */
function settings(args) {
  try {
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(['wasm', 'corpus', 'reply', 'engine', 'model', 'vectors'].map((name) => [name, { type: /** @type {const} */ ('string') }])),
    });
    return /** @type {Record<string, string | undefined>} */ (values);
  } catch (cause) {
    throw new RookhavenError('ARGUMENT_UNKNOWN', `${/** @type {Error} */ (cause).message}\n${usage}`, { cause });
  }
}

/** @param {string} file */
async function bytesOf(file) {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new RookhavenError('FILE_UNREADABLE', /** @type {Error} */ (cause).message, { cause });
  }
}

/**
 * asArray returns a corpus file as a JSON array: it is one, or has a document a line. No string of JSON holds a line feed.
 *
 * @param {Buffer} file
 */
function asArray(file) {
  const text = file.toString('latin1'); // bytes as they are
  if (/^[ \t\r\n]*\[/.test(text)) {
    return file;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Buffer.from(`[${lines.join(',')}]`, 'latin1');
}

/**
 * sentence returns the verdict in a line.
 *
 * @param {ReplayReply} verdict
 */
function sentence(verdict) {
  switch (verdict.verdict) {
    case 'MATCH':
      return `MATCH ${verdict.digest}`;
    case 'MISMATCH':
      return `MISMATCH (${verdict.at}): stored ${verdict.stored ?? 'nothing'}, replayed ${verdict.replayed ?? 'nothing'}`;
    default:
      return `UNVERIFIABLE (${verdict.missing}): stored ${verdict.stored ?? 'none'}, here ${verdict.replayed ?? 'none'}${verdict.document === undefined ? '' : `; first differing document ${JSON.stringify(verdict.document)}`}`;
  }
}

/** @param {string[]} args */
async function main(args) {
  const { wasm, corpus, reply, ...names } = settings(args);
  if (wasm === undefined || corpus === undefined || reply === undefined) {
    throw new RookhavenError('ARGUMENT_INVALID', usage);
  }
  const [documents, stored] = await Promise.all([corpus, reply].map(bytesOf));
  const engine = await open({ ...names, wasm, worker: false });
  const verdict = await engine.replay(stored, asArray(documents));
  console.log(sentence(verdict));
  return verdict.verdict === 'MATCH' ? exit.match : exit.verification;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (thrown) {
  console.error(thrown instanceof RookhavenError ? thrown.message : thrown);
  process.exitCode = exit.error;
}
