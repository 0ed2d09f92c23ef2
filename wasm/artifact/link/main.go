// Command link finishes the module that Go's linker made: it bounds the memory,
// makes jumps direct (package jumps), puts in an instruction that Go has no name for
// (package dots), refuses any import or export that surface.txt does not list and a
// module that was built with other flags than it needs, and writes the engine. It
// prints the engine's digest, and how many of those instructions it has. The same input
// gives the same output.
//
//	go run ./wasm/artifact/link -o wasm/artifact/built/rookhaven.wasm FILE
//
// With -golden it rewrites surface.txt instead of refusing.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/dots"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/jumps"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

func main() {
	out := flag.String("o", "wasm/artifact/built/rookhaven.wasm", "the `file` to write")
	golden := flag.String("golden", "", "rewrite this surface.txt instead of comparing with the committed one")
	flag.Parse()
	if err := run(flag.Args(), *out, *golden); err != nil {
		fmt.Fprintln(os.Stderr, "link:", err)
		os.Exit(1)
	}
}

func run(args []string, out, golden string) error {
	if len(args) != 1 {
		return errors.New("name the one file that go build made")
	}
	wasm, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	engine, err := bound(wasm)
	if err == nil {
		engine, err = jumps.Shorten(engine)
	}
	count := 0
	if err == nil {
		engine, count, err = fuse(engine)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if err := surface(engine, golden); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	if err := artifact.Check(engine, ""); err != nil {
		return err
	}
	if err := write(out, engine); err != nil {
		return err
	}
	fmt.Printf("%s, %d dot products\n", artifact.Digest(engine), count)
	return nil
}

// collector is how the linker's -X flag stands in the module.
const collector = "gcstoptheworld=1"

// bound returns the module with the limits of an engine's memory.
func bound(wasm []byte) ([]byte, error) {
	f, err := wasmfile.Parse(wasm)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(wasm, []byte(collector)) {
		return nil, fmt.Errorf("built without -ldflags=-X=runtime.godebugDefault=%s: see wasm/module", collector)
	}
	if f.Memory.Min > artifact.MemoryMin {
		return nil, fmt.Errorf("the module needs %d pages to start, more than the %d of wasm/artifact: raise MemoryMin", f.Memory.Min, artifact.MemoryMin)
	}
	return wasmfile.WithMemory(wasm, wasmfile.Limits{Min: artifact.MemoryMin, Max: artifact.MemoryMax, Bounded: true})
}

// fuse returns the module with the dot products of core/embed/kernel as instructions,
// and how many there are. A module in which they are not found gives the same results
// and multiplies at little more than a third of the speed, so that it is refused.
func fuse(engine []byte) ([]byte, int, error) {
	engine, count, err := dots.Fuse(engine)
	if err == nil && count < dots.Expected {
		err = fmt.Errorf("only %d of %d dot products of core/embed/kernel were found: Go makes other code of them than wasm/artifact/dots looks for", count, dots.Expected)
	}
	return engine, count, err
}

func surface(engine []byte, golden string) error {
	f, err := wasmfile.Parse(engine)
	if err != nil {
		return err
	}
	if golden != "" {
		return os.WriteFile(golden, []byte(artifact.Surface(f)), 0o644)
	}
	if diff := artifact.Differences(f); len(diff) > 0 {
		return fmt.Errorf("not the surface of surface.txt; if the contract is meant to change, run make golden:\n%s", strings.Join(diff, "\n"))
	}
	return nil
}

// write replaces a file in one step, so that nobody embeds half of it.
func write(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".link-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
