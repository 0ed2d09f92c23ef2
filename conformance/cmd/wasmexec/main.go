// Command wasmexec runs a Go program compiled for wasip1 under wazero, as the
// -exec of go test: with this system's files, environment, clock and entropy.
//
//	go test -exec FILE ./core/...
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
		fmt.Fprintln(os.Stderr, "usage: wasmexec FILE [ARG …]")
		os.Exit(2)
	}
	err := run(context.Background(), os.Args[1], os.Args[1:])
	var exit *sys.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(int(exit.ExitCode()))
	case err != nil:
		fmt.Fprintln(os.Stderr, "wasmexec:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, file string, args []string) error {
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(os.TempDir(), fmt.Sprintf("rookhaven-wasmexec-%d", os.Getuid())))
	if err != nil {
		return err
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	defer func() { _ = r.Close(ctx) }()
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return err
	}
	config := wazero.NewModuleConfig().WithArgs(args...).
		WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithFSConfig(wazero.NewFSConfig().WithDirMount("/", "/")).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep().WithRandSource(rand.Reader)
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); name != "PWD" && !strings.HasPrefix(name, "GO") {
			config = config.WithEnv(name, value)
		}
	}
	folder, err := os.Getwd() // Go resolves relative paths by PWD there
	if err != nil {
		return err
	}
	_, err = r.InstantiateWithConfig(ctx, program, config.WithEnv("PWD", folder))
	return err
}
