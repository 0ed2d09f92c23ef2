/**
 * Turns tokens into vectors with onnxruntime, on one core: reads lines of JSON, {"ids": […]}, and answers each with one,
 * {"ns": …, "vector": […]}. conformance/cmd/bench asks.
 *
 *   node serve.mjs FILE.onnx
 */
import { createInterface } from 'node:readline';
import ort from 'onnxruntime-node';

const session = await ort.InferenceSession.create(process.argv[2], { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential' });
for await (const line of createInterface({ input: process.stdin })) {
  const { ids } = JSON.parse(line);
  const shape = [1, ids.length];
  const from = process.hrtime.bigint();
  const input_ids = new ort.Tensor('int64', BigInt64Array.from(ids, BigInt), shape);
  const attention_mask = new ort.Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape);
  const { vector } = await session.run({ input_ids, attention_mask }, ['vector']);
  const ns = Number(process.hrtime.bigint() - from);
  process.stdout.write(JSON.stringify({ ns, vector: Array.from(vector.data) }) + '\n');
}
