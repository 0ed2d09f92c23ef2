package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
)

// nodeTest runs the tests of the npm package.
func nodeTest(r *result) {
	if r.missing("npm") {
		return
	}
	for _, args := range [][]string{{"ci", "--silent", "--no-fund", "--no-audit"}, {"test", "--silent"}} {
		cmd := exec.Command("npm", args...)
		cmd.Dir = "js"
		out, err := cmd.CombinedOutput()
		if args[0] == "test" {
			r.node(string(out))
		}
		if err != nil {
			r.fail("npm " + strings.Join(args, " ") + ": " + err.Error() + "\n" + string(out))
			return
		}
	}
}

var summary = regexp.MustCompile(`(?m)^(?:#|ℹ) (pass|fail|skipped) (\d+)$`)
var skipped = regexp.MustCompile(`# SKIP (.+)$`)

// node reads the summary of node's test runner.
func (r *result) node(out string) {
	for _, m := range summary.FindAllStringSubmatch(out, -1) {
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "pass":
			r.passed += n
		case "skipped":
			r.skipped += n
		}
	}
	for _, line := range strings.Split(out, "\n") {
		if m := skipped.FindStringSubmatch(line); m != nil {
			r.skipped-- // skip counts it again
			r.skip(m[1])
		}
	}
}

// cases runs the conformance suite, with few texts for the built-in model, and counts
// its runtimes.
func cases(r *result, n int) {
	cmd := exec.Command("go", "run", "./conformance/cmd/conformance", "-n", strconv.Itoa(n), "-texts", strconv.Itoa(adapters.Few))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	failure := cmd.Run()
	var report struct {
		Passed, Failed int
		Runtimes       []struct{ Name, Absent string }
	}
	written, err := os.ReadFile("conformance/report/report.json")
	if err == nil {
		err = json.Unmarshal(written, &report)
	}
	if err != nil {
		r.fail("conformance: " + err.Error())
		return
	}
	r.passed, r.failed = report.Passed, report.Failed
	for _, runtime := range report.Runtimes {
		if runtime.Absent != "" {
			r.skip(runtime.Name + ": " + runtime.Absent)
		}
	}
	if failure != nil && r.failed == 0 {
		r.fail("conformance: " + failure.Error())
	}
}
