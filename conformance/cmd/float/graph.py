"""Writes the vectors that an exported graph gives in 32-bit floating point.

    .cache/peers/onnx/bin/python conformance/cmd/float/graph.py ARCHIVE WINDOW mean|first < TEXTS.jsonl

The archive has one *.onnx with the output last_hidden_state, and *tokenizer.json; a line of TEXTS is {"text": …}. A text
of more tokens than the window is read in windows of whole words, whose vectors are added up as core/embed does: those of all
tokens, or the first's as often. A vector has length 1, in ten-thousandths.
"""
import json
import sys
import zipfile

import numpy
import onnxruntime
from tokenizers import Tokenizer


def member(archive, end):
    name, = (n for n in archive.namelist() if n.endswith(end))
    return archive.read(name)


class Graph:
    def __init__(self, name, window, pooling):
        with zipfile.ZipFile(name) as archive:
            self.tokenizer = Tokenizer.from_str(member(archive, "tokenizer.json").decode())
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1
            self.session = onnxruntime.InferenceSession(member(archive, ".onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.inputs = {i.name for i in self.session.get_inputs()}
        self.room, self.pooling = window - 2, pooling

    def windows(self, text):
        """The ids of consecutive windows of whole words; a word that is longer than a window is cut."""
        encoding = self.tokenizer.encode(text, add_special_tokens=False)
        ids, words = encoding.ids, encoding.word_ids
        while True:
            end = min(self.room, len(ids))
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
        ids = numpy.array([[self.tokenizer.token_to_id("[CLS]"), *ids, self.tokenizer.token_to_id("[SEP]")]], dtype="i8")
        given = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        last = self.session.run(["last_hidden_state"], {name: given[name] for name in self.inputs})[0][0]
        return last[0] * ids.size if self.pooling == "first" else last.sum(0)

    def vector(self, text):
        total = sum(self.total(ids) for ids in self.windows(text))
        return total / numpy.linalg.norm(total)


def main():
    graph = Graph(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    for line in sys.stdin:
        print(json.dumps({"vector": [int(round(v * 10000)) for v in graph.vector(json.loads(line)["text"]).tolist()]}, separators=(",", ":")))


main()
