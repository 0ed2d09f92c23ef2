import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';

import { wasmFile } from './engine.js';

const root = new URL('../../../', import.meta.url);

/** @type {Record<string, string>} */
const types = { '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * serve serves the repository on a free port of this machine until the test ends, each answer with the policy if there is
 * one. It returns the port.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} [policy] a Content-Security-Policy
 */
export async function serve(t, policy) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    try {
      const body = await readFile(pathname === '/bin/rookhaven.wasm' ? wasmFile : new URL(`.${pathname}`, root));
      response.setHeader('Content-Type', types[extname(pathname)] ?? 'application/octet-stream');
      if (policy) {
        response.setHeader('Content-Security-Policy', policy);
      }
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}
