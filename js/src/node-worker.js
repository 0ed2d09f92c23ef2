/** The worker thread of the door for Node. */
import { parentPort } from 'node:worker_threads';

import { serve } from './serve.js';

/** @import {MessagePort} from 'node:worker_threads' */

const port = /** @type {MessagePort} */ (parentPort);
port.on('message', serve((message, transfer) => port.postMessage(message, transfer)));
