"""Serves the protocol of conformance/ir/peer with tantivy.

One field with the tokenizer en_stem (stop words are indexed), one writer
thread, any term may match. What is no letter or digit separates words in
tantivy's tokenizer, too; lower case keeps AND, OR and NOT from being operators.
"""

import json
import os
import re
import sys
import time

import tantivy


class Engine:
    def read(self, path):
        with open(path, encoding="utf-8") as lines:
            self.documents = [json.loads(line) for line in lines if line.strip()]
        return {"count": len(self.documents)}

    def build(self, folder):
        start = time.perf_counter_ns()
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
        schema.add_text_field("text", stored=False, tokenizer_name="en_stem", index_option="position")
        self.index = tantivy.Index(schema.build(), path=folder)
        writer = self.index.writer(heap_size=256_000_000, num_threads=1)
        for d in self.documents:
            title = d.get("title")
            text = title + "\n" + d["text"] if title else d["text"]
            writer.add_document(tantivy.Document(id=d["id"], text=text))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()
        self.documents = None
        ns = time.perf_counter_ns() - start
        return {"ns": ns, "bytes": sum(entry.stat().st_size for entry in os.scandir(folder))}

    def query(self, text, k):
        start = time.perf_counter_ns()
        words = re.sub(r"[\W_]+", " ", text).lower().strip()
        ids = []
        if words:
            found = self.searcher.search(self.index.parse_query(words, ["text"]), k)
            ids = [self.searcher.doc(address)["id"][0] for _, address in found.hits]
        return {"ids": ids, "ns": time.perf_counter_ns() - start}


def main():
    engine = Engine()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["op"] == "read":
                reply = engine.read(request["path"])
            elif request["op"] == "build":
                reply = engine.build(request["folder"])
            else:
                reply = engine.query(request.get("q", ""), request["k"])
        except Exception as error:  # the protocol: say so and go on
            reply = {"error": repr(error)}
        print(json.dumps(reply), flush=True)


main()
