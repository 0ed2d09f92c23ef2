"""Writes an encoder of the BERT family in 32-bit floating point as an ONNX file, from its authors' weights.

    .cache/peers/onnx/bin/python conformance/peers/onnx/convert.py FOLDER FILE.onnx

The folder has model.safetensors and config.json. Inputs are input_ids and attention_mask, both int64, a row for each
text; outputs are mean, the mean of a row's tokens in the last layer, and vector, mean of length 1. Attention is one
operator of onnxruntime, as its own optimizer writes it; spelt out in standard operators it takes the same time.
"""
import json
import pathlib
import struct
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def tensors(data):
    size = struct.unpack("<Q", data[:8])[0]
    found = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            found[name] = numpy.frombuffer(data[8 + size + start:8 + size + end], dtype="<f4").reshape(entry["shape"])
    return found


class Graph:
    def __init__(self, weights, config):
        self.weights, self.config = weights, config
        self.nodes, self.constants = [], []

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def node(self, op, *inputs, out=None, domain=None, **attributes):
        out = out or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [out], domain=domain, **attributes))
        return out

    def linear(self, x, name):
        y = self.node("MatMul", x, self.constant(self.weights[name + ".weight"].T))
        return self.node("Add", y, self.constant(self.weights[name + ".bias"]))

    def norm(self, x, name):
        gain, shift = (self.constant(self.weights[f"{name}.{of}"]) for of in ("weight", "bias"))
        return self.node("LayerNormalization", x, gain, shift, axis=-1, epsilon=self.config["layer_norm_eps"])

    def embeddings(self):
        w = self.weights
        words = self.node("Gather", self.constant(w["embeddings.word_embeddings.weight"]), "input_ids")
        n = self.node("Shape", "input_ids", start=1, end=2)
        places = w["embeddings.position_embeddings.weight"] + w["embeddings.token_type_embeddings.weight"][0]
        places = self.node("Slice", self.constant(places), self.constant([0]), n, self.constant([0]))
        return self.norm(self.node("Add", words, places), "embeddings.LayerNorm")

    def attention(self, x, mask, layer):
        parts = [layer + "attention.self." + of for of in ("query", "key", "value")]
        weights = numpy.concatenate([self.weights[p + ".weight"].T for p in parts], axis=1)
        bias = numpy.concatenate([self.weights[p + ".bias"] for p in parts])
        return self.node("Attention", x, self.constant(weights), self.constant(bias), mask, domain="com.microsoft", num_heads=self.config["num_attention_heads"])

    def layer(self, x, mask, layer):
        joined = self.linear(self.attention(x, mask, layer), layer + "attention.output.dense")
        x = self.norm(self.node("Add", joined, x), layer + "attention.output.LayerNorm")
        wide = self.node("Gelu", self.linear(x, layer + "intermediate.dense"))
        narrow = self.linear(wide, layer + "output.dense")
        return self.norm(self.node("Add", narrow, x), layer + "output.LayerNorm")

    def pool(self, x):
        """The mean of the tokens that the mask names."""
        weights = self.node("Unsqueeze", self.node("Cast", "attention_mask", to=TensorProto.FLOAT), self.constant([1]))
        total = self.node("Squeeze", self.node("MatMul", weights, x), self.constant([1]))
        count = self.node("ReduceSum", weights, self.constant([2]), keepdims=0)
        self.node("Div", total, count, out="mean")
        self.node("LpNormalization", "mean", out="vector", axis=-1, p=2)

    def model(self):
        x, mask = self.embeddings(), self.node("Cast", "attention_mask", to=TensorProto.INT32)
        for i in range(self.config["num_hidden_layers"]):
            x = self.layer(x, mask, f"encoder.layer.{i}.")
        self.pool(x)
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in ("input_ids", "attention_mask")]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["texts", self.config["hidden_size"]]) for name in ("mean", "vector")]
        graph = helper.make_graph(self.nodes, "encoder", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=10)


def main():
    folder, out = pathlib.Path(sys.argv[1]), sys.argv[2]
    weights, config = tensors((folder / "model.safetensors").read_bytes()), json.loads((folder / "config.json").read_bytes())
    onnx.save(Graph(weights, config).model(), out)


main()
