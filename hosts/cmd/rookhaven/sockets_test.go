package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// X59: no verb opens a socket of the internet, whatever it is given.
func TestX59NoSockets(t *testing.T) {
	needEngine(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: sockets cannot be watched")
	}
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	m.run("", "retrieve", "--corpus", "corpus.json", "--out", "reply.json", "tide")
	trace := filepath.Join(m.dir, "trace")
	for _, tt := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"retrieve", "--corpus", "corpus.json", "https://example.com/ tide"}},
		{"", []string{"retrieve", "--corpus", "https://example.com/corpus.json", "tide"}},
		{"", []string{"replay", "--corpus", "corpus.json", "reply.json"}},
		{"", []string{"index", "--data", "idx", "corpus.json"}},
		{"", []string{"search", "--data", "idx", "https://example.com/ tide"}},
		{"", []string{"diff", "--data", "idx", "1", "current", "tide"}},
		{"", []string{"demo", "--dir", "demo"}},
		{"", []string{"doctor"}},
		{"", []string{"config", "show", "--origin"}},
		{"", []string{"engine", "list"}},
		{"", []string{"install", "--client", "cursor"}},
		{"", []string{"version"}},
		{bare + "\n" + request + "\n", []string{"mcp", "--corpus", "corpus.json"}},
	} {
		cmd := exec.Command(strace, append([]string{"-f", "-qq", "-e", "trace=socket", "-o", trace, binary}, tt.args...)...)
		cmd.Dir, cmd.Env, cmd.Stdin = m.dir, m.env, strings.NewReader(tt.stdin)
		out, err := cmd.CombinedOutput()
		if err != nil && strings.Contains(string(out), "ptrace") {
			t.Skipf("strace may not trace here: %s", out)
		}
		calls, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(calls), "INET") {
			t.Errorf("%v opens a socket:\n%s", tt.args, calls)
		}
	}
}
