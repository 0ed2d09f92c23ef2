// Package adapters runs cases in every runtime that the product promises.
//
// An adapter says how to find its runtime and how to start a session in it; a
// session takes cases and gives their results in order. Runtimes in other
// processes speak the stream of conformance/call, so that one process serves a
// whole run; pages fetch the cases and post the results.
//
// An absent runtime is an [Absent] error: a test skips with its words, and fails
// under CONFORMANCE_REQUIRE=all.
package adapters

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// An Adapter is a runtime.
type Adapter struct {
	Name string
	// Part is the share of a full run: 1 is every case, 20 every twentieth.
	Part int
	// Light leaves out the cases in files whose input is larger than [Heavy].
	Light bool
	// Texts is how many texts the built-in model turns into vectors, where a run has as many.
	Texts int
	// Slow leaves the built-in model to runs of [Many] texts.
	Slow bool
	// Start finds the runtime and begins a session.
	Start func(ctx context.Context, e *Env) (Session, error)
}

// Heavy is a size in bytes. What slow engines leave out above it are limits of texts
// and scores of documents of millions of words; every fast one runs them.
const Heavy = 1 << 18

// How many texts the built-in model turns into vectors in a fast runtime, and in others.
const (
	Many = 500
	Few  = 20
)

// A Session runs cases.
type Session interface {
	// Run runs cases and yields the results of each, in their order.
	Run(cases []call.Case, yield func(i int, results []call.Result) error) error
	Close() error
}

// Absent is the error of a runtime that is not there.
type Absent struct{ What string }

func (a Absent) Error() string { return a.What + " is absent; make test-setup installs it" }

// IsAbsent reports whether a runtime is not there.
func IsAbsent(err error) bool {
	var a Absent
	return errors.As(err, &a)
}

// Required reports whether an absent runtime is a failure.
func Required() bool { return os.Getenv("CONFORMANCE_REQUIRE") == "all" }

// An Env is where adapters find things.
type Env struct {
	Root   string // of the repository
	Cache  string // for compiled code and helpers' programs; kept
	Wasm   []byte // the module
	Engine string // a file with it
	Native string // the program that is core itself, for other processors
}

// NewEnv finds the repository and the built module.
func NewEnv() (*Env, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	wasm, _, ok := artifact.Built()
	if !ok {
		return nil, Absent{"the built module (make build)"}
	}
	e := &Env{Root: root, Cache: filepath.Join(root, ".cache", "conformance"), Wasm: wasm, Native: "./conformance/adapters/native"}
	if err := os.MkdirAll(e.Cache, 0o700); err != nil {
		return nil, err
	}
	e.Engine = filepath.Join(e.Cache, "rookhaven.wasm")
	temp, err := os.CreateTemp(e.Cache, "engine-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(wasm)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return nil, err
	}
	return e, os.Rename(temp.Name(), e.Engine)
}

// Root returns the folder of the repository.
func Root() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("adapters: no go.mod above the working directory")
		}
		dir = up
	}
	return "", err
}

// All returns every adapter: the four that run all cases, with their hostile
// hosts, then the others. The native engine without SIMD is what the others are
// compared with.
func All() []Adapter {
	return []Adapter{
		{Name: "native", Part: 1, Texts: Few, Start: native},
		{Name: "native SIMD", Part: 1, Texts: Many, Start: nativeSIMD},
		{Name: "wazero compiler", Part: 1, Texts: Many, Start: wazeroCompiler},
		{Name: "wazero compiler hostile", Part: 1, Texts: Few, Start: wazeroHostile},
		{Name: "wasmtime", Part: 1, Texts: Many, Start: wasmtimeSealed},
		{Name: "wasmtime hostile", Part: 1, Texts: Few, Start: wasmtimeHostile},
		{Name: "Node", Part: 1, Texts: Many, Start: nodeDoor},
		{Name: "Node hostile", Part: 1, Texts: Few, Start: nodeHostile},

		{Name: "wazero compiler Extism plane", Part: 20, Texts: Few, Start: wazeroExtism},
		{Name: "wazero interpreter", Part: 20, Light: true, Texts: Few, Slow: true, Start: wazeroInterpreter},
		{Name: "Chromium", Part: 20, Texts: Few, Start: chromium},
		{Name: "Firefox", Part: 20, Texts: Few, Start: firefox},
		{Name: "Extism SDK for Go", Part: 20, Texts: Few, Start: extismGo},
		{Name: "Extism SDK for JavaScript", Part: 20, Texts: Few, Start: extismJS},
		{Name: "Extism SDK for Python", Part: 20, Texts: Few, Start: extismPython},
		{Name: "wasmtime for Python", Part: 20, Texts: Few, Start: wasmtimePython},
		{Name: "Bun", Part: 20, Texts: Few, Start: bun},
		{Name: "Deno", Part: 20, Texts: Few, Start: deno},
		{Name: "jsc", Part: 20, Texts: Few, Start: jsc},
		{Name: "native arm64", Part: 20, Light: true, Texts: Few, Start: emulated("arm64", "aarch64")},
		{Name: "native s390x", Part: 20, Light: true, Texts: Few, Start: emulated("s390x", "s390x")},
		{Name: "native 386", Part: 20, Light: true, Texts: Few, Start: emulated("386", "i386")},
	}
}

// Find returns the adapter of a name.
func Find(name string) (Adapter, error) {
	for _, a := range All() {
		if a.Name == name {
			return a, nil
		}
	}
	return Adapter{}, fmt.Errorf("adapters: no adapter %q", name)
}
