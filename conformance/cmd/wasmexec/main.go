// Command wasmexec runs a program that was compiled to WebAssembly, with its
// arguments: it is what go test -exec needs for the tests of core as wasm.
//
//	GOOS=wasip1 GOARCH=wasm go test -exec PATH/wasmexec ./core/...
//
// The program sees the file system read-only, but for the temporary folder, and
// the real clock and entropy. Compiled code is kept between runs.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "wasmexec: name a WebAssembly program")
		os.Exit(2)
	}
	err := run(context.Background(), os.Args[1:])
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(int(exit.ExitCode()))
	case err != nil:
		fmt.Fprintln(os.Stderr, "wasmexec:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	wasm, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	config := wazero.NewRuntimeConfig()
	if dir, err := os.UserCacheDir(); err == nil {
		cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "rookhaven-wasmexec"))
		if err != nil {
			return err
		}
		defer func() { _ = cache.Close(ctx) }()
		config = config.WithCompilationCache(cache)
	}
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer func() { _ = r.Close(ctx) }()
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	m, err := module(args)
	if err != nil {
		return err
	}
	_, err = r.InstantiateWithConfig(ctx, wasm, m)
	return err
}

// module is the world of the program. PWD is how Go programs under WASI know where
// they are.
func module(args []string) (wazero.ModuleConfig, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	files := wazero.NewFSConfig().WithReadOnlyDirMount("/", "/").WithDirMount(os.TempDir(), os.TempDir())
	c := wazero.NewModuleConfig().WithArgs(args...).WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithFSConfig(files).WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader)
	for _, e := range os.Environ() {
		if name, value, ok := strings.Cut(e, "="); ok && name != "" && name != "PWD" && name != "GOMAXPROCS" {
			c = c.WithEnv(name, value)
		}
	}
	return c.WithEnv("PWD", dir), nil
}
