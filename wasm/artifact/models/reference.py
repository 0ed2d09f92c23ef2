"""Writes testdata/reference.jsonl: texts with the vectors that the authors' weights give in floating point.

    conformance/peers/setup.sh onnx
    .cache/peers/onnx/bin/python wasm/artifact/models/reference.py .cache/peers/onnx/model [FILE.onnx] < TEXTS.jsonl > REFERENCE.jsonl

The folder has model.safetensors, tokenizer.json and config.json; a line of TEXTS is {"text": …}. A vector is the mean of the
last layer over all tokens, [CLS] and [SEP] among them, of length 1, in ten-thousandths. A text of more tokens than the
window is read in windows, whose sums are added up. models_test.go compares the integers with these.

Numbers have 64 bits and are computed by what stands below. With FILE.onnx (conformance/peers/onnx/convert.py) they have 32 and
onnxruntime computes them, much faster; on the texts of testdata no component differs by more than one ten-thousandth.
"""
import json
import math
import struct
import sys

import numpy
from tokenizers import Tokenizer

WINDOW = 256


def tensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            found[name] = numpy.frombuffer(data[8 + size + start:8 + size + end], dtype="<f4").astype("f8").reshape(entry["shape"])
    return found


class Encoder:
    def __init__(self, folder):
        self.weights = tensors(folder + "/model.safetensors")
        with open(folder + "/config.json") as file:
            self.config = json.load(file)
        self.tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.erf = numpy.vectorize(math.erf)

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / numpy.sqrt((x * x).mean(-1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.weights[name + ".weight"] + self.weights[name + ".bias"]

    def linear(self, x, name):
        return x @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def tokens(self, ids):
        """The vectors of the last layer."""
        w, n = self.weights, len(ids)
        heads = self.config["num_attention_heads"]
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:n]
        x = self.norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for i in range(self.config["num_hidden_layers"]):
            layer = f"encoder.layer.{i}."
            q, k, v = (self.linear(x, layer + "attention.self." + of).reshape(n, heads, -1).transpose(1, 0, 2) for of in ("query", "key", "value"))
            scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
            shares = numpy.exp(scores - scores.max(-1, keepdims=True))
            shares /= shares.sum(-1, keepdims=True)
            joined = (shares @ v).transpose(1, 0, 2).reshape(n, -1)
            x = self.norm(x + self.linear(joined, layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
            wide = self.linear(x, layer + "intermediate.dense")
            wide = wide * 0.5 * (1 + self.erf(wide / math.sqrt(2)))
            x = self.norm(x + self.linear(wide, layer + "output.dense"), layer + "output.LayerNorm")
        return x

    def windows(self, text):
        """The ids of consecutive windows of whole words; a word that is longer than a window is cut."""
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        ids, words, room = encoding.ids, encoding.word_ids, WINDOW - 2
        while True:
            end = min(room, len(ids))
            if end < len(ids):
                begin = end
                while begin > 0 and words[begin] == words[begin - 1]:
                    begin -= 1
                end = begin or end
            yield ids[:end]
            ids, words = ids[end:], words[end:]
            if not ids:
                return

    def total(self, ids):
        """The sum of the vectors of the last layer."""
        return self.tokens(ids).sum(0)

    def vector(self, text):
        total = sum(self.total([101] + ids + [102]) for ids in self.windows(text))
        return total / numpy.linalg.norm(total)


class Fast(Encoder):
    """An Encoder that has its totals of onnxruntime, on one core."""

    def __init__(self, folder, file):
        import onnxruntime

        super().__init__(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def total(self, ids):
        ids = numpy.array([ids], dtype="i8")
        return self.session.run(["mean"], {"input_ids": ids, "attention_mask": numpy.ones_like(ids)})[0][0] * ids.size


def main():
    encoder = Fast(*sys.argv[1:]) if sys.argv[2:] else Encoder(sys.argv[1])
    for line in sys.stdin:
        text = json.loads(line)["text"]
        vector = [int(round(v * 10000)) for v in encoder.vector(text).tolist()]
        print(json.dumps({"text": text, "vector": vector}, ensure_ascii=False, separators=(",", ":")))


main()
