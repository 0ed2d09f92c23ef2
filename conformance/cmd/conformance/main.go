// Command conformance runs the cases in files, generated ones and the built-in model
// in every runtime that it finds, and demands the same bytes.
//
//	go run ./conformance/cmd/conformance [-n 10000] [-texts 500] [-seed 1] [-only "Node,jsc"] [-require all]
//
// It writes conformance/report/report.md and report.json, and exits with 1 when a
// runtime differs, fails or, with -require all (or CONFORMANCE_REQUIRE=all), is
// absent.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/matrix"
)

func main() {
	n := flag.Int("n", 10000, "generated cases for the main runtimes; the others get a twentieth")
	texts := flag.Int("texts", adapters.Many, "for the built-in model in the fast runtimes; the others get 20 of them, the slowest only when these are all 500")
	seed := flag.Uint64("seed", 1, "of the generated cases")
	only := flag.String("only", "", "the `runtimes` to run, all if empty")
	require := flag.String("require", os.Getenv("CONFORMANCE_REQUIRE"), "all: an absent runtime is a failure")
	atOnce := flag.Int("j", 2, "runtimes at once")
	list := flag.Bool("list", false, "list the runtimes")
	flag.Parse()
	if *list {
		for _, a := range adapters.All() {
			fmt.Println(a.Name)
		}
		return
	}
	if err := run(*n, *texts, *seed, *only, *require == "all", *atOnce); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(n, texts int, seed uint64, only string, all bool, atOnce int) error {
	env, err := adapters.NewEnv()
	if err != nil {
		return err
	}
	chosen := adapters.All()
	if only != "" {
		names := strings.Split(only, ",")
		chosen = slices.DeleteFunc(chosen, func(a adapters.Adapter) bool { return !slices.Contains(names, a.Name) })
	}
	from := time.Now()
	m, err := matrix.New(env, n, texts, seed)
	if err != nil {
		return err
	}
	fmt.Printf("%d cases and %d texts from seed %d in %.1f s\n", n, texts, seed, time.Since(from).Seconds())
	report := m.All(context.Background(), chosen, atOnce, func(row matrix.Row) { fmt.Print(row) })
	if err := report.Write(filepath.Join(env.Root, "conformance", "report")); err != nil {
		return err
	}
	fmt.Printf("\n%s\n%.0f s; the report is in conformance/report/report.md\n", report, time.Since(from).Seconds())
	switch {
	case report.Failed > 0:
		return fmt.Errorf("%d of %d runtimes failed", report.Failed, report.Run)
	case all && report.Absent > 0:
		return fmt.Errorf("%d runtimes are absent and all are required", report.Absent)
	}
	return nil
}
