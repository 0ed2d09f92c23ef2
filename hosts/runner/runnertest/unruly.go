package runnertest

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// The unruly engine is a module of a few hundred bytes that has the bulk plane
// and does what no engine should. What it does is chosen by the export.
const (
	echo     = abi.Export(iota) // replies with its input
	obey                        // runs until the stop word is set, then answers CANCELLED
	deaf                        // ignores the stop word; runs until the host's clock shows 0
	trap                        // executes unreachable
	panicked                    // prints a report as Go's runtime does, and exits
	outside                     // replies from outside its memory
	refuse                      // answers QUERY_EMPTY
	spin                        // ignores everything, for ever
)

// Places in the memory of the unruly engine.
const (
	stopAt    = 16
	clockAt   = 24
	vectorAt  = 32 // of fd_write: address and size of the report
	refusalAt = 256
	stoppedAt = 320
	reportAt  = 384
	inputAt   = 1024
)

const (
	refusal = "QUERY_EMPTY: the query is empty"
	stopped = "CANCELLED: the stop word was set"
	report  = "panic: rank: BUG: equal hits in a total order\n\ngoroutine 1 [running]:\n"
)

// Unruly returns the unruly engine.
func Unruly() []byte {
	m := []byte("\x00asm\x01\x00\x00\x00")
	m = section(m, 1, vector(
		[]byte("\x60\x00\x00"),                     // 0: () → ()
		[]byte("\x60\x00\x01\x7f"),                 // 1: () → i32
		[]byte("\x60\x01\x7f\x01\x7f"),             // 2: i32 → i32
		[]byte("\x60\x01\x7f\x00"),                 // 3: i32 → ()
		[]byte("\x60\x03\x7f\x7f\x7f\x01\x7e"),     // 4: i32 i32 i32 → i64
		[]byte("\x60\x03\x7f\x7e\x7f\x01\x7f"),     // 5: clock_time_get
		[]byte("\x60\x04\x7f\x7f\x7f\x7f\x01\x7f"), // 6: fd_write
	))
	m = section(m, 2, vector(
		imported("clock_time_get", 5),
		imported("fd_write", 6),
		imported("proc_exit", 3),
	))
	m = section(m, 3, vector([]byte{0}, []byte{1}, []byte{2}, []byte{3}, []byte{4}))
	m = section(m, 5, vector([]byte{1, 16, 16}))
	m = section(m, 7, vector(
		exported("_initialize", 0, 3),
		exported("stop_word", 0, 4),
		exported("bulk_alloc", 0, 5),
		exported("bulk_release", 0, 6),
		exported("bulk_call", 0, 7),
		exported("memory", 2, 0),
	))
	m = section(m, 10, vector(
		body(),
		body(constant(stopAt)),
		body(constant(inputAt)),
		body(),
		body(bulkCall()...),
	))
	head := binary.LittleEndian.AppendUint32(nil, reportAt)
	return section(m, 11, vector(
		data(vectorAt, string(binary.LittleEndian.AppendUint32(head, uint32(len(report))))),
		data(refusalAt, refusal),
		data(stoppedAt, stopped),
		data(reportAt, report),
	))
}

// bulkCall is the code of bulk_call(export, address, size): an if for each of the
// constants above, which returns or traps.
func bulkCall() [][]byte {
	const (
		local0, local1, local2 = "\x20\x00", "\x20\x01", "\x20\x02"
		asLong, shift32, or    = "\xad", "\x42\x20\x86", "\x84"
		ret, end               = "\x0f", "\x0b"
		loop, again, always    = "\x03\x40", "\x0d\x00", "\x0c\x00"
	)
	when := func(e abi.Export, code string) []byte {
		return []byte(local0 + "\x41" + string(rune(e)) + "\x46\x04\x40" + code + end)
	}
	load32, load64 := "\x28\x02\x00", "\x29\x03\x00"
	zero32, zero64 := "\x45", "\x50"
	return [][]byte{
		when(echo, local1+asLong+shift32+local2+asLong+or+ret),
		when(obey, loop+string(constant(stopAt))+load32+zero32+again+end+failed(stoppedAt, len(stopped))+ret),
		when(deaf, loop+"\x41\x00\x42\x00"+string(constant(clockAt))+"\x10\x00\x1a"+
			string(constant(clockAt))+load64+zero64+"\x45"+again+end+failed(stoppedAt, len(stopped))+ret),
		when(trap, "\x00"),
		when(panicked, "\x41\x02"+string(constant(vectorAt))+"\x41\x01"+string(constant(clockAt))+"\x10\x01\x1a\x41\x02\x10\x02\x00"),
		when(outside, "\x42\x7f\x42\x21\x88\x42\x20\x86"+"\x42\x05"+or+ret),
		when(refuse, failed(refusalAt, len(refusal))+ret),
		when(spin, loop+always+end),
		[]byte("\x00"),
	}
}

// failed is code for the result of a call that failed with a text in memory.
func failed(at, size int) string {
	packed := uint64(at)<<32 | 1<<31 | uint64(size)
	return "\x42" + string(signed(int64(packed)))
}

func constant(n int) []byte { return append([]byte{0x41}, signed(int64(n))...) }

// signed is a number in signed LEB128.
func signed(n int64) []byte {
	var out []byte
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func unsigned(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

func vector(items ...[]byte) []byte {
	out := unsigned(len(items))
	for _, item := range items {
		out = append(out, item...)
	}
	return out
}

func section(m []byte, id byte, content []byte) []byte {
	return append(append(append(m, id), unsigned(len(content))...), content...)
}

func text(s string) []byte { return append(unsigned(len(s)), s...) }

func imported(name string, typ byte) []byte {
	return append(append(text("wasi_snapshot_preview1"), text(name)...), 0, typ)
}

func exported(name string, kind, index byte) []byte { return append(text(name), kind, index) }

func body(code ...[]byte) []byte {
	out := []byte{0}
	for _, c := range code {
		out = append(out, c...)
	}
	out = append(out, 0x0b)
	return append(unsigned(len(out)), out...)
}

func data(at int, s string) []byte {
	return append(append(append([]byte{0}, constant(at)...), 0x0b), text(s)...)
}
