package sealed

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// A flat is a memory of fixed size.
type flat []byte

func (f flat) Bytes() []byte { return f }

// invoke calls a function by name and returns what is in its result.
func invoke(t *testing.T, s *Sandbox, m flat, name string, args ...uint64) (uint64, error) {
	t.Helper()
	i := slices.IndexFunc(Functions(), func(f Function) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("there is no function %s", name)
	}
	f := Functions()[i]
	if len(args) != len(f.Signature.Params) {
		t.Fatalf("%s takes %s", name, f.Signature)
	}
	stack := make([]uint64, max(len(args), 1))
	copy(stack, args)
	err := f.Call(s, m, stack)
	return stack[0], err
}

// do is invoke for what must not fail.
func do(t *testing.T, s *Sandbox, m flat, name string, args ...uint64) uint64 {
	t.Helper()
	v, err := invoke(t, s, m, name, args...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, args, err)
	}
	return v
}

// Hosts check a module's imports against the list of wasm/artifact before they run
// it; this is what they then give.
func TestFunctionsAreTheImportable(t *testing.T) {
	text, err := os.ReadFile("../../../wasm/artifact/imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range Functions() {
		got = append(got, "import "+f.Module+" "+f.Name+" func "+f.Signature.String())
	}
	slices.Sort(got)
	if want := strings.Split(strings.TrimSpace(string(text)), "\n"); !slices.Equal(got, want) {
		t.Errorf("functions\n%s\nimports.txt\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSealedWorld(t *testing.T) {
	s, m := &Sandbox{}, make(flat, 256)
	for range 2 {
		for clock := range uint64(4) {
			if errno := do(t, s, m, "clock_time_get", clock, 1, 8); errno != success || binary.LittleEndian.Uint64(m[8:]) != instant {
				t.Errorf("clock %d: %d, error %d", clock, binary.LittleEndian.Uint64(m[8:]), errno)
			}
		}
		if errno := do(t, s, m, "random_get", 24, 4); errno != success || string(m[23:29]) != "\x00ZZZZ\x00" {
			t.Errorf("random bytes %x, error %d", m[23:29], errno)
		}
	}
	if errno := do(t, s, m, "environ_sizes_get", 32, 36); errno != success || string(m[32:40]) != "\x00\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("environment %x, error %d", m[32:40], errno)
	}
	do(t, s, m, "args_sizes_get", 40, 44)
	do(t, s, m, "args_get", 48, 64)
	if m[40] != 1 || m[44] != 10 || m[48] != 64 || string(m[64:74]) != "rookhaven\x00" {
		t.Errorf("arguments %q", m[40:80])
	}
	for _, c := range []struct {
		name string
		args []uint64
		want uint64
	}{
		{"fd_prestat_get", []uint64{3, 8}, badf}, // Go takes anything else for a folder, or panics
		{"fd_prestat_dir_name", []uint64{3, 8, 8}, badf},
		{"fd_fdstat_get", []uint64{0, 8}, badf},
		{"fd_fdstat_set_flags", []uint64{1, 0}, badf},
		{"fd_close", []uint64{1}, badf},
		{"fd_write", []uint64{0, 0, 0, 8}, badf},
		{"fd_write", []uint64{3, 0, 0, 8}, badf},
		{"sched_yield", nil, success},
	} {
		if errno, err := invoke(t, s, m, c.name, c.args...); errno != c.want || err != nil {
			t.Errorf("%s%v = %d %v, want %d", c.name, c.args, errno, err, c.want)
		}
	}
	var exit Exit
	if _, err := invoke(t, s, m, "proc_exit", 2); !errors.As(err, &exit) || exit.Code != 2 {
		t.Errorf("proc_exit: %v", err)
	}
}

func TestHostIsAsked(t *testing.T) {
	now := int64(7)
	s, m := &Sandbox{Host: Host{
		Clock:  func() int64 { now--; return now },
		Random: func(p []byte) { copy(p, "random") },
		Env:    []string{"A=1", "BC=δ"},
		Args:   []string{},
	}}, make(flat, 256)
	do(t, s, m, "clock_time_get", 0, 0, 8)
	do(t, s, m, "random_get", 16, 6)
	do(t, s, m, "environ_sizes_get", 32, 36)
	do(t, s, m, "environ_get", 48, 64)
	do(t, s, m, "args_sizes_get", 96, 100)
	if m[8] != 6 || string(m[16:22]) != "random" || m[32] != 2 || m[36] != 10 || m[52] != 68 ||
		string(m[64:74]) != "A=1\x00BC=δ\x00" || m[96] != 0 {
		t.Errorf("memory %q", m[:104])
	}
}

// What is printed is kept up to a bound, and all of it counts as written.
func TestPrinted(t *testing.T) {
	s, m := &Sandbox{}, make(flat, 64<<10)
	copy(m[100:], "panic: ")
	binary.LittleEndian.PutUint32(m[0:], 100)
	binary.LittleEndian.PutUint32(m[4:], 7)
	binary.LittleEndian.PutUint32(m[8:], 1000)
	binary.LittleEndian.PutUint32(m[12:], 30_000)
	for range 3 {
		if errno := do(t, s, m, "fd_write", 2, 0, 2, 16); errno != success || binary.LittleEndian.Uint32(m[16:]) != 30_007 {
			t.Errorf("fd_write = %d, written %d", errno, binary.LittleEndian.Uint32(m[16:]))
		}
	}
	if got := s.Printed(); len(got) != printedMax || !strings.HasPrefix(got, "panic: \x00") {
		t.Errorf("%d bytes are kept: %.20q", len(got), got)
	}
}

// A wait for a clock that stands still is over at once.
func TestPoll(t *testing.T) {
	s, m := &Sandbox{}, make(flat, 256)
	binary.LittleEndian.PutUint64(m[0:], 77)
	binary.LittleEndian.PutUint64(m[48:], 78)
	m[48+8] = 1 // a file
	if errno := do(t, s, m, "poll_oneoff", 0, 128, 2, 200); errno != success || m[200] != 2 {
		t.Fatalf("poll_oneoff = %d, %d events", errno, m[200])
	}
	if m[128] != 77 || m[128+8] != success || m[128+10] != 0 || m[160] != 78 || m[160+8] != nosys || m[160+10] != 1 {
		t.Errorf("events %v", m[128:192])
	}
}

func TestKernel(t *testing.T) {
	s := &Sandbox{}
	s.Begin([]byte("0123456789"))
	if n := do(t, s, nil, "input_length"); n != 10 {
		t.Errorf("input_length = %d", n)
	}
	if v := do(t, s, nil, "input_load_u64", 1); v != binary.LittleEndian.Uint64([]byte("12345678")) {
		t.Errorf("input_load_u64 = %x", v)
	}
	if v := do(t, s, nil, "input_load_u8", 9); v != '9' {
		t.Errorf("input_load_u8 = %x", v)
	}
	a := do(t, s, nil, "alloc", 5)
	b := do(t, s, nil, "alloc", 0)
	c := do(t, s, nil, "alloc", 8)
	if a == 0 || a%8 != 0 || b%8 != 0 || c%8 != 0 || c <= a {
		t.Errorf("blocks at %d, %d, %d", a, b, c)
	}
	for _, l := range []struct{ at, want uint64 }{{a, 5}, {c, 8}, {a + 1, 0}, {0, 0}, {1 << 60, 0}} {
		if n := do(t, s, nil, "length", l.at); n != l.want {
			t.Errorf("length(%d) = %d, want %d", l.at, n, l.want)
		}
	}
	for i, ch := range []byte("reply") {
		do(t, s, nil, "store_u8", a+uint64(i), uint64(ch))
	}
	do(t, s, nil, "store_u64", c, binary.LittleEndian.Uint64([]byte("C: wrong")))
	if v := do(t, s, nil, "load_u64", c); v != binary.LittleEndian.Uint64([]byte("C: wrong")) {
		t.Errorf("load_u64 = %x", v)
	}
	if v := do(t, s, nil, "load_u8", a); v != 'r' {
		t.Errorf("load_u8 = %x", v)
	}
	do(t, s, nil, "output_set", a, 5)
	do(t, s, nil, "error_set", c)
	if out, failure := s.Output(); string(out) != "reply" || failure != "C: wrong" {
		t.Errorf("output %q, failure %q", out, failure)
	}
	s.Begin(nil)
	if out, failure := s.Output(); out != nil || failure != "" {
		t.Errorf("a new call begins with %q, %q", out, failure)
	}
	if n := do(t, s, nil, "length", a); n != 0 {
		t.Error("a block outlived its call")
	}
	again := do(t, s, nil, "alloc", 16)
	if v := do(t, s, nil, "load_u64", again); v != 0 {
		t.Errorf("fresh memory holds %x of the call before", v)
	}
}

// Announcing stages takes no memory from one to the next.
func TestStages(t *testing.T) {
	var seen []string
	s := &Sandbox{Stage: func(name string) { seen = append(seen, name) }}
	s.Begin(nil)
	last := uint64(0)
	for range 100 {
		at := do(t, s, nil, "alloc", 4)
		do(t, s, nil, "store_u64", at, binary.LittleEndian.Uint64([]byte("rank\x00\x00\x00\x00")))
		do(t, s, nil, "log_debug", at)
		do(t, s, nil, "free", at)
		if last != 0 && at != last {
			t.Fatalf("a stage was announced at %d, the next at %d", last, at)
		}
		last = at
	}
	if len(seen) != 100 || seen[99] != "rank" {
		t.Errorf("%d stages, %q", len(seen), seen[len(seen)-1])
	}
}

func TestKernelRefuses(t *testing.T) {
	s := &Sandbox{}
	s.Begin([]byte("12345678"))
	at := do(t, s, nil, "alloc", 8)
	for _, c := range []struct {
		name string
		args []uint64
	}{
		{"input_load_u64", []uint64{1}}, {"input_load_u8", []uint64{8}}, {"input_load_u8", []uint64{1 << 63}},
		{"load_u8", []uint64{0}}, {"load_u8", []uint64{at + 8}}, {"load_u64", []uint64{at + 1}}, {"load_u64", []uint64{^uint64(0)}},
		{"store_u8", []uint64{at - 1, 1}}, {"store_u64", []uint64{at + 4, 1}}, {"output_set", []uint64{at, 9}},
		{"output_set", []uint64{at, ^uint64(0)}}, {"log_debug", []uint64{1 << 40}},
	} {
		if _, err := invoke(t, s, nil, c.name, c.args...); err == nil {
			t.Errorf("%s%v is accepted", c.name, c.args)
		}
	}
	for _, size := range []uint64{kernelMax, 1 << 62, ^uint64(0)} {
		if at, err := invoke(t, s, nil, "alloc", size); at != 0 || err != nil {
			t.Errorf("alloc(%d) = %d %v", size, at, err)
		}
	}
}

// Whatever a module passes, the host neither panics nor writes outside its memory.
func TestAnyArguments(t *testing.T) {
	for seed := range uint64(20_000) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := &Sandbox{}
		s.Begin(make([]byte, 16))
		s.kernel.alloc(24)
		m := make(flat, 128)
		for i := range m {
			m[i] = byte(r.IntN(4)) << r.IntN(8)
		}
		f := Functions()[r.IntN(len(Functions()))]
		if f.Name == "alloc" {
			continue
		}
		stack := make([]uint64, max(len(f.Signature.Params), 1))
		for i := range stack {
			stack[i] = []uint64{r.Uint64N(160), r.Uint64(), uint64(r.Uint32()), ^uint64(0) - r.Uint64N(40)}[r.IntN(4)]
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("seed %d: %s%v panics: %v", seed, f.Name, stack, p)
				}
			}()
			_ = f.Call(s, m, stack) // refusing is fine; crashing is not
		}()
	}
}
