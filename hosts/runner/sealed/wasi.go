package sealed

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// Error numbers of WASI.
const (
	success = 0
	badf    = 8  // no such file: every one but standard output and standard error
	fault   = 21 // an address outside memory
	nosys   = 52
)

// A call is a WASI function: memory and parameters in, an error number out.
type call func(s *Sandbox, memory []byte, args []uint64) uint64

func wasiFunctions() []Function {
	const module = "wasi_snapshot_preview1"
	def := func(name string, params []wasmfile.Type, c call) Function {
		return function(module, name, params, types(i32), func(s *Sandbox, m Memory, stack []uint64) error {
			stack[0] = c(s, m.Bytes(), stack)
			return nil
		})
	}
	refuse := func(errno uint64) call { return func(*Sandbox, []byte, []uint64) uint64 { return errno } }
	return []Function{
		def("args_get", types(i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return putStrings(m, s.Host.args(), a[0], a[1])
		}),
		def("args_sizes_get", types(i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return putSizes(m, s.Host.args(), a[0], a[1])
		}),
		def("environ_get", types(i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return putStrings(m, s.Host.Env, a[0], a[1])
		}),
		def("environ_sizes_get", types(i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return putSizes(m, s.Host.Env, a[0], a[1])
		}),
		def("clock_time_get", types(i32, i64, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return put64(m, a[2], uint64(s.Host.clock()))
		}),
		def("random_get", types(i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			p, ok := span(m, uint64(uint32(a[0])), uint64(uint32(a[1])))
			if !ok {
				return fault
			}
			s.Host.random(p)
			return success
		}),
		def("fd_write", types(i32, i32, i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			if fd := uint32(a[0]); fd != 1 && fd != 2 {
				return badf
			}
			return s.print(m, a[1], uint64(uint32(a[2])), a[3])
		}),
		def("fd_close", types(i32), refuse(badf)),
		def("fd_fdstat_get", types(i32, i32), refuse(badf)),
		def("fd_fdstat_set_flags", types(i32, i32), refuse(badf)),
		def("fd_prestat_get", types(i32, i32), refuse(badf)),
		def("fd_prestat_dir_name", types(i32, i32, i32), refuse(badf)),
		def("poll_oneoff", types(i32, i32, i32, i32), func(s *Sandbox, m []byte, a []uint64) uint64 {
			return poll(m, a[0], a[1], uint64(uint32(a[2])), a[3])
		}),
		function(module, "sched_yield", nil, types(i32), func(_ *Sandbox, _ Memory, stack []uint64) error {
			stack[0] = success
			return nil
		}),
		function(module, "proc_exit", types(i32), nil, func(_ *Sandbox, _ Memory, stack []uint64) error {
			return Exit{uint32(stack[0])}
		}),
	}
}

func put32(m []byte, at, v uint64) uint64 {
	b, ok := span(m, uint64(uint32(at)), 4)
	if !ok {
		return fault
	}
	binary.LittleEndian.PutUint32(b, uint32(v))
	return success
}

func put64(m []byte, at, v uint64) uint64 {
	b, ok := span(m, uint64(uint32(at)), 8)
	if !ok {
		return fault
	}
	binary.LittleEndian.PutUint64(b, v)
	return success
}

// putSizes writes how many strings there are and how many bytes they take,
// each with a zero behind it.
func putSizes(m []byte, list []string, count, bytes uint64) uint64 {
	n := len(list)
	for _, s := range list {
		n += len(s)
	}
	return max(put32(m, count, uint64(len(list))), put32(m, bytes, uint64(n)))
}

func putStrings(m []byte, list []string, pointers, bytes uint64) uint64 {
	for i, s := range list {
		b, ok := span(m, uint64(uint32(bytes)), uint64(len(s)+1))
		if !ok || put32(m, pointers+4*uint64(i), bytes) != success {
			return fault
		}
		b[copy(b, s)] = 0
		bytes += uint64(len(s) + 1)
	}
	return success
}

// print keeps the beginning of what the module says. It takes all of it, so
// that a panic is never cut short by its own report.
func (s *Sandbox) print(m []byte, vectors, count, written uint64) uint64 {
	n := uint64(0)
	for i := range count {
		v, ok := span(m, uint64(uint32(vectors))+8*i, 8)
		if !ok {
			return fault
		}
		b, ok := span(m, uint64(binary.LittleEndian.Uint32(v)), uint64(binary.LittleEndian.Uint32(v[4:])))
		if !ok {
			return fault
		}
		n += uint64(len(b))
		s.printed = append(s.printed, b[:min(len(b), printedMax-len(s.printed))]...)
	}
	return put32(m, written, n)
}

// Sizes of the records of poll_oneoff.
const (
	subscriptionSize = 48
	eventSize        = 32
)

// poll answers every wait for a clock at once, since its clock stands still,
// and refuses everything else.
func poll(m []byte, in, out, count, events uint64) uint64 {
	for i := range count {
		s, ok := span(m, uint64(uint32(in))+subscriptionSize*i, subscriptionSize)
		if !ok {
			return fault
		}
		e, ok := span(m, uint64(uint32(out))+eventSize*i, eventSize)
		if !ok {
			return fault
		}
		userdata, tag := binary.LittleEndian.Uint64(s), s[8]
		clear(e)
		binary.LittleEndian.PutUint64(e, userdata)
		if tag != 0 {
			binary.LittleEndian.PutUint16(e[8:], nosys)
		}
		e[10] = tag
	}
	return put32(m, events, count)
}
