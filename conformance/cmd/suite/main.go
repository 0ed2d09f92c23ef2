// Command suite runs every test of the repository and ends with a table: what
// was run, what passed, and which runtimes were absent.
//
//	go run ./conformance/cmd/suite [-only go,race,cgo,wasm,js,cases] [-n 10000]
//
// With CONFORMANCE_REQUIRE=all in the environment an absent runtime is a failure.
// It exits with 1 when anything failed.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// A step is a part of the suite.
type step struct {
	name string
	what string
	run  func(*result)
}

// A result counts tests, and keeps what a reader has to see.
type result struct {
	passed, failed, skipped int
	absent                  []string // why tests were skipped, each reason once
	output                  []string // of what failed
	took                    time.Duration
	beside                  bool // its tests are run in full by another step
}

func main() {
	only := flag.String("only", "", "the `steps` to run, all if empty")
	n := flag.Int("n", 10000, "generated cases for each of the main runtimes")
	flag.Parse()
	steps := []step{
		{"go", "Go tests", func(r *result) { goTest(r, nil, "./...") }},
		{"race", "Go tests of the hosts, race detector", func(r *result) {
			if r.beside = true; !r.missing("gcc") {
				// Not hosts/cmd: its tests start the command, which no detector watches.
				goTest(r, []string{"CGO_ENABLED=1"}, "-race", "-short", "./hosts/cli/...", "./hosts/internal/...", "./hosts/mcp/...", "./hosts/runner/...", "./hosts/store/...")
			}
		}},
		{"cgo", "Go tests of the wasmtime runner", func(r *result) {
			if !r.missing("gcc") {
				goTest(r, []string{"CGO_ENABLED=1"}, "-tags", "wasmtime", "./hosts/runner/wasmtime/...")
			}
		}},
		{"wasm", "core's tests as wasm", func(r *result) { wasmTest(r) }},
		{"js", "the npm package", nodeTest},
		{"cases", "conformance cases × runtimes", func(r *result) { cases(r, *n) }},
	}
	failed := false
	var rows []string
	total := result{}
	for _, s := range steps {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), s.name) {
			continue
		}
		fmt.Printf("── %s\n", s.what)
		r, from := &result{}, time.Now()
		s.run(r)
		r.took = time.Since(from)
		for _, line := range r.output {
			fmt.Println(line)
		}
		failed = failed || r.failed > 0
		rows = append(rows, row(s.what, r))
		total.passed, total.failed, total.skipped = total.passed+r.passed, total.failed+r.failed, total.skipped+r.skipped
	}
	fmt.Printf("\n%-40s %8s %8s %8s %8s %8s\n", "", "run", "passed", "failed", "absent", "s")
	for _, line := range rows {
		fmt.Println(line)
	}
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.skipped)
	if failed {
		os.Exit(1)
	}
}

func row(what string, r *result) string {
	line := fmt.Sprintf("%-40s %8d %8d %8d %8d %8.0f", what, r.passed+r.failed, r.passed, r.failed, r.skipped, r.took.Seconds())
	for _, reason := range r.absent {
		line += "\n    absent: " + reason
	}
	return line
}

// required reports whether an absent runtime is a failure.
func required() bool { return os.Getenv("CONFORMANCE_REQUIRE") == "all" }
