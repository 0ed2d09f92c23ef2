"""Serves the stream of conformance/call on standard input and output.

    serve.py extism ENGINE
    serve.py wasmtime ENGINE
"""
import re
import struct
import sys

OPEN, CLOSE, OPEN_MODEL, CLOSE_MODEL = 2, 3, 19, 20
EXPORTS = [
    "abi", "describe", "open", "close", "decompose", "plan", "partial", "merge", "retrieve", "replay",
    "search", "search_plan", "search_statistics", "search_partial", "search_merge", "build", "compact", "remove", "documents",
    "open_model", "close_model", "embed", "chunk_texts", "pack_vectors", "attach_vectors", "statistics",
]
REPLY, FAILURE, BROKEN = 0, 1, 2
CODE = re.compile(rb"^[A-Z_]+: ")
HANDLE = re.compile(rb'"handle":([0-9]+)')


class Failed(Exception):
    """The module answered with an error: its text, in bytes."""


class Extism:
    """The module through the SDK of Extism, on the Extism plane."""

    def __init__(self, wasm):
        import extism

        self.error = extism.Error
        self.plugin = extism.Plugin({"wasm": [{"data": wasm}]}, wasi=True)

    def call(self, number, data):
        try:
            return bytes(self.plugin.call(EXPORTS[number], data))
        except self.error as e:
            text = str(e).encode()
            if CODE.match(text):
                raise Failed(text) from None
            raise


class Wasmtime:
    """The module under wasmtime with wasmtime's own WASI, on the bulk plane."""

    compiled = None

    def __init__(self, wasm):
        import wasmtime as w

        if Wasmtime.compiled is None:
            engine = w.Engine()
            Wasmtime.compiled = engine, w.Module(engine, wasm)
        engine, module = Wasmtime.compiled
        self.store = w.Store(engine)
        self.store.set_wasi(w.WasiConfig())
        linker = w.Linker(engine)
        linker.define_wasi()
        self.kernel(w, linker)
        exports = linker.instantiate(self.store, module).exports(self.store)
        self.memory = exports["memory"]
        self.functions = {name: exports[name] for name in ("bulk_alloc", "bulk_call", "bulk_release")}
        exports["_initialize"](self.store)

    def kernel(self, w, linker):
        """The part of the Extism kernel that announcing a stage takes; blocks are counted, what they hold is dropped."""
        i32, i64 = w.ValType.i32(), w.ValType.i64()
        self.blocks = 8
        def alloc(size):
            self.blocks += (size + 7) & ~7
            return self.blocks
        for name, params, results, f in [
            ("alloc", [i64], [i64], alloc),
            ("free", [i64], [], lambda at: None),
            ("store_u8", [i64, i32], [], lambda at, v: None),
            ("store_u64", [i64, i64], [], lambda at, v: None),
            ("log_debug", [i64], [], lambda at: None),
            ("input_length", [], [i64], lambda: 0),
            ("input_load_u8", [i64], [i32], lambda at: 0),
            ("input_load_u64", [i64], [i64], lambda at: 0),
            ("output_set", [i64, i64], [], lambda at, n: None),
            ("error_set", [i64], [], lambda at: None),
            ("get_log_level", [], [i32], lambda: 0x7FFFFFFF),
        ]:
            linker.define_func("extism:host/env", name, w.FuncType(params, results), f)

    def call(self, number, data):
        f, store = self.functions, self.store
        at = f["bulk_alloc"](store, len(data)) & 0xFFFFFFFF
        if at == 0:
            raise Failed(b"OVER_BUDGET: the input does not fit the memory of the module")
        self.memory.write(store, data, at)
        packed = f["bulk_call"](store, number, at, len(data)) & 0xFFFFFFFFFFFFFFFF
        out, failed, size = packed >> 32, packed >> 31 & 1, packed & 0x7FFFFFFF
        reply = bytes(self.memory.read(store, out, out + size))
        f["bulk_release"](store, signed(at))
        f["bulk_release"](store, signed(out))
        if failed:
            raise Failed(reply)
        return reply


def signed(n):
    return n - (1 << 32) if n >= 1 << 31 else n


def step(engine, number, data):
    try:
        return REPLY, engine.call(number, data)
    except Failed as e:
        return FAILURE, e.args[0]
    except Exception as e:  # whatever else it is, the instance is lost
        return BROKEN, repr(e).encode()


def run(engine, steps):
    """Runs the steps of a case and returns the results and whether the engine lives."""
    results, handles, closing = [], [], []
    for number, handle, data in steps:
        if handle:
            h = handles[handle - 1] if handle <= len(handles) else b"0"
            data = b'{"handle":' + h.rjust(8) + b"," + data
        status, output = step(engine, number, data)
        results.append((status, output))
        if status == BROKEN:
            return results, False
        if number == OPEN and status == REPLY:
            handles.append(HANDLE.search(output).group(1))
            closing.append((CLOSE, b'{"handle":' + handles[-1] + b"}"))
        elif number == OPEN_MODEL and status == REPLY:
            closing.append((CLOSE_MODEL, b"{}"))
    for number, data in closing:
        status, output = step(engine, number, data)
        if status == BROKEN:
            return results + [(status, output)], False
    return results, True


def frames(stream):
    while head := stream.read(4):
        yield stream.read(struct.unpack("<I", head)[0])


def steps(frame):
    at = 0
    while at < len(frame):
        number, handle, size = struct.unpack_from("<BBI", frame, at)
        yield number, handle, frame[at + 6 : at + 6 + size]
        at += 6 + size


def main(kind, path):
    with open(path, "rb") as f:
        wasm = f.read()
    make = {"extism": Extism, "wasmtime": Wasmtime}[kind]
    engine = None
    for frame in frames(sys.stdin.buffer):
        engine = engine or make(wasm)
        results, alive = run(engine, list(steps(frame)))
        if not alive:
            engine = None
        body = b"".join(struct.pack("<BI", status, len(output)) + output for status, output in results)
        sys.stdout.buffer.write(struct.pack("<I", len(body)) + body)
        sys.stdout.buffer.flush()


main(*sys.argv[1:])
