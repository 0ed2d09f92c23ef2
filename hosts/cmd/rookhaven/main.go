// Rookhaven finds passages in documents, and can prove afterwards why it found
// just these. Run it without a verb to see what it does.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/cli"
)

// version is set by the build of a release.
var version = ""

//go:embed example/corpus.jsonl
var example []byte

func main() {
	os.Exit(run())
}

// patience is how long what runs may take to end after a signal.
const patience = 700 * time.Millisecond

func run() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(ctx, world()) }()
	select {
	case code := <-ended:
		return code
	case s := <-signals:
		cancel()
		// What runs is told, and has a moment to end in order; a second signal does
		// not wait for that.
		select {
		case <-ended:
		case <-signals:
		case <-time.After(patience):
		}
		if s == os.Interrupt {
			return 130
		}
		return 143
	}
}

func world() *cli.World {
	home, _ := os.UserHomeDir()
	if !filepath.IsAbs(home) {
		home = ""
	}
	dir, _ := os.Getwd()
	executable, err := os.Executable()
	if err != nil {
		executable = "rookhaven"
	}
	return &cli.World{
		Args: os.Args[1:], Env: os.Getenv, Environ: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Home: home, Dir: dir, GOOS: runtime.GOOS, Executable: executable, Version: versionOf(), Example: example,
	}
}

// versionOf returns the version of a release, or what Go knows of the source.
func versionOf() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.0.0-dev"
}
