package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.." // of the repository

func document(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The transcript of the README works as shown.
func TestReadmeTranscript(t *testing.T) {
	needEngine(t)
	script := ""
	for block := range strings.SplitSeq(document(t, "README.md"), "```") {
		if body, ok := strings.CutPrefix(block, "sh\n"); ok && strings.Contains(body, `"method":"initialize"`) {
			script = body
		}
	}
	if script == "" {
		t.Fatal("the README has no transcript")
	}
	m := newMachine(t)
	m.file("documents.json", smallCorpus)
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(script, "bin/rookhaven", binary))
	cmd.Dir, cmd.Env = m.dir, m.env
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := answers(t, string(out))
	if len(got) != 2 || at(got["2"], "result", "structuredContent", "hits", 0, "id") != "d2" {
		t.Errorf("%s\ngives\n%s", script, out)
	}
}

var row = regexp.MustCompile(`(?m)^\| (R\d\d) \|.*\| (.*) \|$`)

// Each requirement has a test, and each test that the table names is there.
func TestRequirementsTable(t *testing.T) {
	rows := row.FindAllStringSubmatch(document(t, "hosts/README.md"), -1)
	for i := range 28 {
		if want := fmt.Sprintf("R%02d", i+1); i >= len(rows) || rows[i][1] != want {
			t.Fatalf("row %d of the table is not %s", i, want)
		}
	}
	for _, r := range rows {
		for place := range strings.SplitSeq(r[2], ";") {
			folder, tests, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(place), "`"), "` ")
			if !ok {
				t.Errorf("%s: %s", r[1], place)
			}
			for name := range strings.SplitSeq(tests, ", ") {
				if !hasTest(t, folder, name) {
					t.Errorf("%s: there is no %s in %s", r[1], name, folder)
				}
			}
		}
	}
}

func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if b, err := os.ReadFile(file); err == nil && strings.Contains(string(b), "func "+name+"(") {
			return true
		}
	}
	return false
}

// R28: the four decisions of the earlier system have their sections.
func TestR28Decisions(t *testing.T) {
	text := document(t, "hosts/README.md")
	for _, heading := range []string{"Why our own random numbers", "Why queries are split at connectors and not by a model", "Why a scorer gives integers to the door", "Why messages are lines"} {
		if _, section, ok := strings.Cut(text, "## "+heading+"\n"); !ok || len(strings.TrimSpace(section)) < 100 {
			t.Errorf("no section %q", heading)
		}
	}
}
