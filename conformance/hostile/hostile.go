// Package hostile gives the module worlds that lie: other clocks, other entropy,
// another environment, a memory that was used before. None may change a byte.
//
// The sealed host answers every import the same way each time. That is right for
// users and wrong for tests: a constant random_get makes the order of Go's maps
// look fixed. So a leak would only show under hosts that answer otherwise.
package hostile

import (
	"crypto/rand"
	"errors"
	"io"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
)

// A Profile is one world. Its words are also the ones that the JavaScript adapter
// takes: see adapters/js/hostile.mjs.
type Profile struct {
	Name   string   `json:"name"`
	Random string   `json:"random"` // zeros, ones, counter or real
	Clock  string   `json:"clock"`  // first (1 ns: Go refuses to start at 0), jumping or real
	Env    []string `json:"env"`
	Args   []string `json:"args"`
	Fresh  bool     `json:"fresh"` // a new instance for each case
}

// Profiles are the worlds of a run; case i lives in the one at i modulo their number.
// GOMAXPROCS is not among the variables: Go's runtime for WebAssembly has no threads
// and ends at once when it is told to use some.
func Profiles() []Profile {
	return []Profile{
		{Name: "no entropy, time begins", Random: "zeros", Clock: "first"},
		{Name: "all bits set, time jumps back", Random: "ones", Clock: "jumping"},
		{Name: "other bytes each time", Random: "counter", Clock: "real", Args: []string{"", "--seed=7", "\xff", "a b"}},
		{Name: "the real world", Random: "real", Clock: "real"},
		{Name: "a collection at every allocation", Random: "counter", Clock: "first", Env: []string{"GOGC=1", "GODEBUG=clobberfree=1,invalidptr=1"}},
		{Name: "elsewhere", Random: "real", Clock: "jumping", Env: []string{"TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=th_TH", "HOME=/nowhere", "ROOKHAVEN_DEFAULT_SEED=other"}},
		{Name: "little memory, old runtime", Random: "ones", Clock: "real", Env: []string{"GOMEMLIMIT=1MiB", "GODEBUG=randautoseed=0,asyncpreemptoff=1,madvdontneed=1", "GOTRACEBACK=crash"}},
		{Name: "born yesterday", Random: "real", Clock: "jumping", Fresh: true},
	}
}

// Host returns what the profile answers to the imports of an instance.
func (p Profile) Host() sealed.Host {
	return sealed.Host{Clock: p.clock(), Random: p.random(), Args: p.Args, Env: p.Env}
}

func (p Profile) clock() func() int64 {
	switch p.Clock {
	case "first":
		return func() int64 { return 1 }
	case "jumping":
		t, n := time.Now().UnixNano(), int64(0)
		return func() int64 {
			n++
			return t - n*n%7*int64(time.Hour) + n
		}
	}
	return func() int64 { return time.Now().UnixNano() }
}

func (p Profile) random() func([]byte) {
	fill := func(with func() byte) func([]byte) {
		return func(b []byte) {
			for i := range b {
				b[i] = with()
			}
		}
	}
	switch p.Random {
	case "zeros":
		return fill(func() byte { return 0 })
	case "ones":
		return fill(func() byte { return 0xff })
	case "counter":
		n := byte(0)
		return fill(func() byte { n++; return n })
	}
	return func(b []byte) { rand.Read(b) }
}

// Rotation returns a source whose case i runs on an engine of profile i modulo
// their number. Start is asked for the engine of a profile.
func Rotation(profiles []Profile, start func(Profile) (call.Engine, error)) call.Source {
	r := &rotation{}
	for _, p := range profiles {
		r.sources = append(r.sources, call.Single(p.Fresh, func() (call.Engine, error) { return start(p) }))
	}
	return r
}

type rotation struct{ sources []call.Source }

func (r *rotation) at(i int) call.Source { return r.sources[i%len(r.sources)] }

func (r *rotation) Take(i int) (call.Engine, error) { return r.at(i).Take(i) }
func (r *rotation) Return(i int, alive bool) error  { return r.at(i).Return(i, alive) }

func (r *rotation) Close() error {
	var errs []error
	for _, s := range r.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

var _ io.Closer = (*rotation)(nil)
