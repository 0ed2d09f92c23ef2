package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

// goTest runs go test and counts its top-level tests.
func goTest(r *result, env []string, args ...string) {
	cmd := exec.Command("go", append([]string{"test", "-json", "-timeout", "60m"}, args...)...) // a busy machine takes its time
	cmd.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.fail(err.Error())
		return
	}
	count(r, out)
	if err := cmd.Wait(); err != nil && r.failed == 0 {
		r.fail("go test " + strings.Join(args, " ") + ": " + err.Error() + "\n" + errs.String())
	}
}

func (r *result) fail(output string) {
	r.failed++
	r.output = append(r.output, output)
}

// count reads the events of go test.
func count(r *result, out interface{ Read([]byte) (int, error) }) {
	printed := map[string]*strings.Builder{}
	scan := bufio.NewScanner(out)
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		var e event
		if json.Unmarshal(scan.Bytes(), &e) != nil {
			r.output = append(r.output, scan.Text()) // what the compiler says
			continue
		}
		key := e.Package + " " + e.Test
		if printed[key] == nil {
			printed[key] = &strings.Builder{}
		}
		switch e.Action {
		case "output", "build-output":
			printed[key].WriteString(e.Output)
			continue
		case "pass", "fail", "skip":
			r.ended(e, printed[key].String())
		}
		delete(printed, key)
	}
}

// ended counts a test, or a package that failed without one.
func (r *result) ended(e event, printed string) {
	switch {
	case e.Action == "fail" && (e.Test == "" || !strings.Contains(e.Test, "/")):
		r.fail(printed)
	case e.Action == "fail":
		r.output = append(r.output, printed)
	case e.Action == "skip" && e.Test != "":
		r.skip(reason(printed))
	case e.Test != "" && !strings.Contains(e.Test, "/"):
		r.passed++
	}
}

// What may be skipped although every runtime is required: not because something
// is absent, but because it is tested elsewhere, or cannot be here.
var excused = regexp.MustCompile(`UCD_TESTS|rights|no links here|short run|minutes|takes its time|may not trace|everything can be read here|peers\/setup.sh has not installed it|collections are absent|vectors of the collection are absent`)

// skip counts a test that was skipped. With CONFORMANCE_REQUIRE=all that is a
// failure unless its reason is excused, or the step is run beside a full one.
func (r *result) skip(why string) {
	r.skipped++
	if !slices.Contains(r.absent, why) {
		r.absent = append(r.absent, why)
	}
	if required() && !r.beside && !excused.MatchString(why) {
		r.fail("required, but skipped: " + why)
	}
}

// missing says that a step cannot be run here.
func (r *result) missing(program string) bool {
	if _, err := exec.LookPath(program); err == nil {
		return false
	}
	r.skip(program + " is absent")
	return true
}

// reason is the last line that a skipped test printed.
func reason(printed string) string {
	why := ""
	for _, line := range strings.Split(printed, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			_, text, ok := strings.Cut(line, "_test.go:")
			if !ok {
				text = line
			}
			if _, after, ok := strings.Cut(text, ": "); ok {
				text = after
			}
			why = text
		}
	}
	return why
}

// wasmTest runs core's own tests compiled to wasm.
func wasmTest(r *result) {
	r.beside = true
	env := []string{"GOOS=wasip1", "GOARCH=wasm", "GOEXPERIMENT=simd"}
	goTest(r, env, "-short", "-exec", wasmExec(r), "./core/...", "./wasm/abi/...")
}

// wasmExec builds the program that runs a wasm test binary.
func wasmExec(r *result) string {
	path := ".cache/wasmexec"
	if out, err := exec.Command("go", "build", "-o", path, "./conformance/cmd/wasmexec").CombinedOutput(); err != nil {
		r.fail(string(out))
	}
	dir, err := os.Getwd()
	if err != nil {
		r.fail(err.Error())
	}
	return dir + "/" + path
}
