"""Does what serve.mjs does, with onnxruntime's package for Python.

    .cache/peers/onnx/bin/python conformance/peers/onnx/serve.py FILE.onnx
"""
import json
import sys
import time

import numpy
import onnxruntime

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
for line in sys.stdin:
    ids = json.loads(line)["ids"]
    start = time.perf_counter_ns()
    row = numpy.array([ids], dtype="i8")
    vector = session.run(["vector"], {"input_ids": row, "attention_mask": numpy.ones_like(row)})[0][0]
    print(json.dumps({"ns": time.perf_counter_ns() - start, "vector": vector.tolist()}), flush=True)
