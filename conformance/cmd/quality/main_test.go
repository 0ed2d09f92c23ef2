package main

import (
	"slices"
	"strings"
	"testing"
)

// Our engine is asked by words, by both and by meaning, and told the model where meaning counts.
func TestPeers(t *testing.T) {
	for _, tt := range []struct {
		name, command, model string
		words                bool
		want                 []string
	}{
		{"none", "", "m.rkm", false, []string{""}},
		{"by words", "ours", "m.rkm", true, []string{"ours"}},
		{"the built-in model", "ours -shards 2", "", false, []string{"ours -shards 2", "ours -shards 2 -mode hybrid", "ours -shards 2 -mode vector"}},
		{"another model", "ours", "a folder/m.rkm", false, []string{"ours", "ours -mode hybrid -model a folder/m.rkm", "ours -mode vector -model a folder/m.rkm"}},
	} {
		var got []string
		for _, p := range peers("fts5", tt.command, tt.model, tt.words) {
			if p.Name != "fts5" {
				got = append(got, strings.Join(p.Command, " "))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
