package speed

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
)

// mute is an engine for tests that finds nothing, or fails at a query.
type mute struct{ fails string }

func (mute) Build(documents []ir.Document, folder string) (int64, error) { return 1000, nil }

func (m mute) Query(text string, k int) ([]string, error) {
	if m.fails != "" && strings.Contains(text, m.fails) {
		return nil, fmt.Errorf("%s is too hard", text)
	}
	return nil, nil
}

// The test binary is a peer when it is told so.
func TestMain(m *testing.M) {
	if os.Getenv("ROOKHAVEN_TEST_PEER") != "" {
		fails := ""
		if len(os.Args) > 1 {
			fails = os.Args[1]
		}
		if err := peer.Serve(mute{fails}, os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func TestMeasure(t *testing.T) {
	t.Setenv("ROOKHAVEN_TEST_PEER", "1")
	documents := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(documents, []byte(`{"id":"1","text":"a bird"}`+"\n"+`{"id":"2","title":"Up","text":"a tower"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{
		Peers: []peer.Peer{
			{Name: "well", Command: []string{os.Args[0]}},
			{Name: "failing", Command: []string{os.Args[0], "three"}},
			{Name: "absent", Absent: "it is a test"},
			{Name: "small", Command: []string{os.Args[0]}, Most: 1},
		},
		Documents: documents,
		Queries:   []ir.Query{{ID: "1", Text: "one", Kind: "a"}, {ID: "2", Text: "two", Kind: "a"}, {ID: "3", Text: "three", Kind: "b"}},
		K:         10, Passes: 2, Block: 2, Slow: time.Minute, Limit: time.Minute, Log: func(string) {},
	}
	rows := Measure(o)
	well := rows[0]
	if well.Absent != "" || well.Documents != 2 || well.Build.Bytes != 1000 || len(well.All) != 6 || len(well.Times["a"]) != 4 || len(well.Times["b"]) != 2 {
		t.Errorf("well: %+v", well)
	}
	for i, want := range []string{"", "three is too hard", "it is a test", "not given more than 1 documents"} {
		if !strings.Contains(rows[i].Absent, want) {
			t.Errorf("%s: absent %q, want %q", rows[i].Name, rows[i].Absent, want)
		}
	}
	out, err := Tables(o, rows, "well")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0.0 MB of text; 3 queries, k = 10; ratios to well", "absent         absent: it is a test", "a p50", "b p50"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestSample(t *testing.T) {
	s := Sample{4, 1, 3, 2}
	for share, want := range map[float64]time.Duration{0: 1, .5: 3, .75: 4, 1: 4} {
		if got := s.At(share); got != want {
			t.Errorf("At(%v) = %d, want %d", share, got, want)
		}
	}
	if got := (Sample{}).At(.5); got != 0 {
		t.Errorf("At of none = %d", got)
	}
}
