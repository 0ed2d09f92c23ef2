package ir

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WriteRun writes a run as trec_eval reads it: query, Q0, document, rank, score,
// engine. Scores fall by one with each rank, so that trec_eval keeps the order.
// Spaces in ids become underscores.
func (c *Collection) WriteRun(name, engine string, run Run) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	word := func(id string) string { return strings.ReplaceAll(id, " ", "_") }
	var b bytes.Buffer
	for _, q := range c.Queries {
		for i, id := range run[q.ID] {
			fmt.Fprintf(&b, "%s Q0 %s %d %d %s\n", word(q.ID), word(id), i+1, 1000-i, engine)
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
