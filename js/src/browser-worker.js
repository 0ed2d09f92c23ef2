/** The worker of the doors for pages. */
import { serve } from './serve.js';

const receive = serve((message, transfer) => globalThis.postMessage(message, { transfer }));
globalThis.onmessage = ({ data }) => receive(data);
