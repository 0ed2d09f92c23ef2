package matrix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/conformance/adapters"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// A Report is what a run found. Run, Passed, Failed and Absent count runtimes.
type Report struct {
	Engine      string `json:"engine"`
	Seed        uint64 `json:"seed"`
	Files       int    `json:"files"`
	Generated   int    `json:"generated"`
	Texts       int    `json:"texts"` // for the built-in model, at most
	Runtimes    []Row  `json:"runtimes"`
	Run         int    `json:"run"`
	Passed      int    `json:"passed"`
	Failed      int    `json:"failed"`
	Absent      int    `json:"absent"`
	Comparisons int    `json:"comparisons"` // cases × runtimes
	Differences int    `json:"differences"`
}

// All runs runtimes, some at once, and tells about each when it has ended.
func (m *Matrix) All(ctx context.Context, list []adapters.Adapter, atOnce int, told func(Row)) *Report {
	r := &Report{Engine: artifact.Digest(m.Env.Wasm), Seed: m.Seed, Files: len(m.files), Generated: len(m.generated), Texts: m.Texts, Runtimes: make([]Row, len(list))}
	order := slowFirst(list)
	next, mu, wait := 0, sync.Mutex{}, sync.WaitGroup{}
	for range atOnce {
		wait.Go(func() {
			for {
				mu.Lock()
				place := next
				next++
				mu.Unlock()
				if place >= len(list) {
					return
				}
				i := order[place]
				row := m.Run(ctx, list[i])
				mu.Lock()
				r.Runtimes[i] = row
				told(row)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	r.count()
	return r
}

// slowFirst returns the places of runtimes, those that take longest first, so that
// none of them runs alone at the end.
func slowFirst(list []adapters.Adapter) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		slow := func(i int) int {
			if list[i].Name == "wazero interpreter" {
				return 0
			}
			return list[i].Part
		}
		return slow(a) - slow(b)
	})
	return order
}

func (r *Report) count() {
	for _, row := range r.Runtimes {
		r.Comparisons += row.Files + row.Generated
		r.Differences += len(row.Differences)
		switch {
		case row.Absent != "":
			r.Absent++
		case row.Good():
			r.Run, r.Passed = r.Run+1, r.Passed+1
		default:
			r.Run, r.Failed = r.Run+1, r.Failed+1
		}
	}
}

// Write writes report.json and report.md into a folder.
func (r *Report) Write(folder string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return errors.Join(
		os.MkdirAll(folder, 0o755),
		os.WriteFile(filepath.Join(folder, "report.json"), append(data, '\n'), 0o644),
		os.WriteFile(filepath.Join(folder, "report.md"), []byte(r.String()), 0o644),
	)
}

// String is the report for people.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Cases × runtimes\n\nEngine %s; %d cases in files, %d generated from seed %d, %d texts for the built-in model.\n\n", r.Engine, r.Files, r.Generated, r.Seed, r.Texts)
	fmt.Fprintf(&b, "| runtime | in files | generated | s | vectors | s | differences |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, row := range r.Runtimes {
		b.WriteString(row.String())
	}
	fmt.Fprintf(&b, "\n%d comparisons, %d differences; %d runtimes run, %d passed, %d absent.\n", r.Comparisons, r.Differences, r.Run, r.Passed, r.Absent)
	for _, row := range r.Runtimes {
		if row.Failure != "" {
			fmt.Fprintf(&b, "\n## %s failed\n\n```\n%s\n```\n", row.Name, row.Failure)
		}
		for _, d := range row.Differences {
			fmt.Fprintf(&b, "\n## %s differs in %s\n\n```\n%s\n```\n", row.Name, d.Case, d.Detail)
		}
	}
	return b.String()
}

// String is the row of a runtime.
func (r Row) String() string {
	switch {
	case r.Absent != "":
		return fmt.Sprintf("| %s | | | | | | absent: %s |\n", r.Name, r.Absent)
	case r.Failure != "":
		first, _, _ := strings.Cut(r.Failure, "\n")
		return fmt.Sprintf("| %s | %d | %d | %.1f | %d | %.1f | failed: %s |\n", r.Name, r.Files, r.Generated, r.Seconds, r.Texts, r.ModelSeconds, first)
	}
	return fmt.Sprintf("| %s | %d | %d | %.1f | %d | %.1f | %d |\n", r.Name, r.Files, r.Generated, r.Seconds, r.Texts, r.ModelSeconds, len(r.Differences))
}
