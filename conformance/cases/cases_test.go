package cases_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/cases"
	"github.com/rookhaven-project/rookhaven/conformance/generate"
)

var update = flag.Bool("update", false, "write what the native engine answers into the cases; the diff is the review")

// Every case holds natively; -update makes it so. That it holds elsewhere is the matrix's: see
// TestMatrix in the folder above.
func TestGoldenCases(t *testing.T) {
	list, err := cases.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 500 {
		t.Errorf("%d cases, fewer than 500", len(list))
	}
	for i := range list {
		c := &list[i]
		t.Run(c.Path, func(t *testing.T) {
			if *update {
				file, err := c.Update(adapters.Native)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(c.Path, file, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			steps, err := c.Case()
			if err != nil {
				t.Fatal(err)
			}
			results, _ := call.Run(adapters.Native(), steps)
			if problem := c.Check(results); problem != "" {
				t.Errorf("%s\n%s", c.Point, problem)
			}
		})
	}
}

// The model of the tests of js is the one of cases about queries.
func TestGoldenModel(t *testing.T) {
	const file = "../../js/test/support/tiny.rkm"
	want := generate.Tiny{Seed: 1, Query: "fog: "}.Bytes()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not the model of generate.Tiny (%v); run make golden", file, err)
	}
}

// Points are points: no two cases say the same.
func TestPointsAreDistinct(t *testing.T) {
	list, err := cases.Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, c := range list {
		if other, ok := seen[c.Point]; ok {
			t.Errorf("%s and %s make the same point: %s", other, c.Path, c.Point)
		}
		seen[c.Point] = c.Path
	}
}

// A reader of the specification that was written apart, in Python, computes the
// replies anew and agrees.
func TestSecondReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if adapters.Required() {
			t.Fatal(err)
		}
		t.Skip("python3 is absent")
	}
	out, err := exec.Command(python, "second_reader.py").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
