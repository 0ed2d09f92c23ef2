package peer

import (
	"slices"
	"testing"
)

// Every peer that is installed finds a document by a word of its title and by
// one of its text, takes operators and quotes for words, and keeps to k.
func TestInstalledPeers(t *testing.T) {
	for _, p := range List("../../..") {
		t.Run(p.Name, func(t *testing.T) {
			if p.Absent != "" {
				t.Skip(p.Absent)
			}
			process, err := p.Start()
			if err != nil {
				t.Fatal(err)
			}
			defer process.Stop()
			if n, err := process.Read(corpus(t)); n != 2 || err != nil {
				t.Fatalf("Read = %d, %v", n, err)
			}
			if b, err := process.Build(); err != nil || b.Wall <= 0 || b.Bytes <= 0 {
				t.Fatalf("Build = %+v, %v", b, err)
			}
			for query, want := range map[string][]string{
				"Rook":                  {"1"},
				"tower":                 {"2"},
				"TOWER of nothing":      {"2"},
				`bird" (AND* OR text:-`: {"1"},
			} {
				if got, took, err := process.Query(query, 10); !slices.Equal(got, want) || took <= 0 || err != nil {
					t.Errorf("Query(%q) = %q in %v, %v; want %q", query, got, took, err, want)
				}
			}
			for _, query := range []string{"", " ", "…", "zebra"} {
				if got, _, err := process.Query(query, 10); len(got) > 0 && p.Name != "orama" || err != nil {
					t.Errorf("Query(%q) = %q, %v", query, got, err)
				}
			}
			if got, _, err := process.Query("bird tower", 1); len(got) != 1 || err != nil {
				t.Errorf("one result: %q, %v", got, err)
			}
		})
	}
}
