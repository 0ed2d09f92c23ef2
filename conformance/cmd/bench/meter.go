package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// meterCost compares the engine with one built without its work meter, in turn.
func meterCost(b *bench) error {
	metered, err := builtEngine()
	if err != nil {
		return err
	}
	unmetered, err := buildUnmetered()
	if err != nil {
		return err
	}
	l, err := newLanguage()
	if err != nil {
		return err
	}
	documents, queries := l.corpus(b.choose(20000, 5000)), l.queries(100)
	var open, query [2]sample
	for range b.choose(9, 3) {
		for i, engine := range [][]byte{metered, unmetered} {
			opened, asked, err := openAndAsk(engine, documents, queries)
			if err != nil {
				return err
			}
			open[i].add(opened)
			query[i] = append(query[i], asked...)
		}
	}
	fmt.Println("\nthe work meter: medians in milliseconds, in turn in one run")
	fmt.Printf("%10s %12s %12s %8s\n", "", "with", "without", "ratio")
	for _, row := range []struct {
		name string
		s    [2]sample
	}{{"open", open}, {"retrieve", query}} {
		fmt.Printf("%10s %12.3f %12.3f %8.3f\n", row.name, row.s[0].at(.5), row.s[1].at(.5), row.s[0].at(.5)/row.s[1].at(.5))
	}
	return nil
}

func openAndAsk(engine, documents []byte, queries []string) (time.Duration, sample, error) {
	ctx := context.Background()
	corpus, end, err := openPool(ctx, engine, 1, []byte("[]"))
	if err != nil {
		return 0, nil, err
	}
	end() // the engine is compiled now, and in the cache
	_ = corpus
	from := time.Now()
	corpus, end, err = openPool(ctx, engine, 1, documents)
	if err != nil {
		return 0, nil, err
	}
	defer end()
	opened := time.Since(from)
	s, err := ask(ctx, corpus, queries)
	return opened, s, err
}

func buildUnmetered() ([]byte, error) {
	folder, err := os.MkdirTemp("", "rookhaven-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	raw, linked := filepath.Join(folder, "module.wasm"), filepath.Join(folder, "engine.wasm")
	if err := buildModule(raw, "./wasm/module", "-tags", "unmetered"); err != nil {
		return nil, err
	}
	if err := run(exec.Command("go", "run", "./wasm/artifact/link", "-o", linked, raw)); err != nil {
		return nil, err
	}
	return os.ReadFile(linked)
}

// buildModule builds a package as the engine is built, but for what is done after Go's linker.
func buildModule(out, pkg string, args ...string) error {
	args = append([]string{"build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X=runtime.godebugDefault=gcstoptheworld=1", "-o", out}, args...)
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd", "CGO_ENABLED=0")
	return run(cmd)
}

// run runs a command; what it says is the error.
func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, out)
	}
	return nil
}
