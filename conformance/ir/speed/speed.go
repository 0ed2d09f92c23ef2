// Package speed measures engines beside each other: time, processor time and
// memory to index passages, and time to answer queries.
//
// Machines are shared and noisy, so no figure is worth much alone. Engines are
// asked in turn, a block of queries each, for several passes after a warm one:
// whatever else the machine does in that time falls on all of them, and the
// ratios hold. A block is short against the noise and long enough that an
// engine finds its caches as it left them; blocks of one query measure them
// cold. p50 and p95 are by nearest rank over all queries of all passes.
//
// Build times are of one build each, one after the other. Processor time counts
// all threads of the process, also those that the engine or its language adds
// (Java's compiler, collectors of garbage); for queries it includes reading the
// request and writing the reply. Peak memory includes the documents, which a
// peer reads before it builds; resident is measured after the queries.
package speed

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
	"github.com/rookhaven-project/rookhaven/conformance/ir/peer"
)

// Options say what to measure.
type Options struct {
	Peers     []peer.Peer
	Documents string // a file of package ir
	Queries   []ir.Query
	K         int           // results a query
	Passes    int           // measured ones
	Block     int           // queries that one engine answers before the next is asked
	Slow      time.Duration // an engine whose median is longer is measured in one pass
	Limit     time.Duration // for the build, and for one query
	Log       func(line string)
}

// A Row is what one engine reached, or why it did not.
type Row struct {
	Name, Absent string
	Documents    int
	Build        peer.Build
	Resident     int64         // bytes, after the queries
	CPU          time.Duration // of one query
	Times        map[string]Sample
	All          Sample
}

// A Sample is a set of durations.
type Sample []time.Duration

// At returns the share-th part of a sample by nearest rank, or 0 of none.
func (s Sample) At(share float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// engine is a process in the middle of being measured.
type engine struct {
	row     *Row
	process *peer.Process
	passes  int
	cpu     time.Duration
}

// Measure measures all peers in one run. An engine that fails is out from then
// on, and its row says why.
func Measure(o Options) []Row {
	rows := make([]Row, len(o.Peers))
	var running []*engine
	for i, p := range o.Peers {
		rows[i].Name = p.Name
		e := &engine{row: &rows[i]}
		if err := e.build(p, o); err != nil {
			e.drop(err)
			continue
		}
		defer e.process.Stop()
		running = append(running, e)
	}
	for pass := range o.Passes + 1 { // pass 0 warms
		o.Log(fmt.Sprintf("pass %d of %d", pass, o.Passes))
		running = ask(running, o, pass)
	}
	for _, e := range running {
		e.row.Resident = e.process.Usage().Resident
		e.row.CPU = e.cpu / time.Duration(max(1, len(e.row.All)))
	}
	return rows
}

func (e *engine) drop(err error) {
	e.row.Absent = err.Error()
	if e.process != nil {
		e.process.Stop()
	}
}

func (e *engine) build(p peer.Peer, o Options) (err error) {
	if e.process, err = p.Start(); err != nil {
		return err
	}
	e.process.Limit = o.Limit
	if e.row.Documents, err = e.process.Read(o.Documents); err != nil {
		return err
	}
	if p.Most > 0 && e.row.Documents > p.Most {
		return fmt.Errorf("is not given more than %d documents", p.Most)
	}
	o.Log(p.Name + " builds")
	e.row.Build, err = e.process.Build()
	e.row.Times, e.passes = map[string]Sample{}, o.Passes
	return err
}

// ask lets every engine answer all queries once, block by block in turn, and
// returns the engines that still run.
func ask(running []*engine, o Options, pass int) []*engine {
	for block := range slices.Chunk(o.Queries, max(1, o.Block)) {
		running = slices.DeleteFunc(running, func(e *engine) bool {
			err := e.answer(block, o.K, pass)
			if err != nil {
				e.drop(err)
			}
			return err != nil
		})
	}
	for _, e := range running {
		if pass == 0 && e.row.All.At(.5) > o.Slow {
			e.passes = 1
		}
		if pass == 0 {
			e.row.All = nil
		}
	}
	return running
}

func (e *engine) answer(block []ir.Query, k, pass int) error {
	if pass > e.passes {
		return nil
	}
	before := e.process.Usage().CPU
	for _, q := range block {
		_, took, err := e.process.Query(q.Text, k)
		if err != nil {
			return err
		}
		e.row.All = append(e.row.All, took)
		if pass > 0 {
			e.row.Times[q.Kind] = append(e.row.Times[q.Kind], took)
		}
	}
	if pass > 0 {
		e.cpu += e.process.Usage().CPU - before
	}
	return nil
}

// Tables returns rows as tables of building and of asking; the ratios are to
// the engine named base.
func Tables(o Options, rows []Row, base string) (string, error) {
	text, err := ir.TextBytes(o.Documents)
	if err != nil {
		return "", err
	}
	var reference Row
	for _, r := range rows {
		if r.Name == base && r.Absent == "" {
			reference = r
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%.1f MB of text; %d queries, k = %d; ratios to %s; load %s", float64(text)/1e6, len(o.Queries), o.K, base, load())
	builds(&out, rows, reference, text)
	queries(&out, rows, reference, kindsOf(o.Queries))
	return out.String(), nil
}

func builds(out *strings.Builder, rows []Row, reference Row, text int64) {
	fmt.Fprintf(out, "%-14s %9s %8s %8s %7s %6s %8s %6s %6s %8s %8s\n", "build", "documents", "s", "cpu s", "MB/s", "ratio", "index MB", "/ text", "ratio", "peak MB", "then MB")
	for _, r := range rows {
		if r.Absent != "" {
			fmt.Fprintf(out, "%-14s absent: %s\n", r.Name, r.Absent)
			continue
		}
		b := r.Build
		fmt.Fprintf(out, "%-14s %9d %8.2f %8.2f %7.2f %6s %8.1f %6s %6s %8.0f %8.0f\n", r.Name, r.Documents, b.Wall.Seconds(), b.CPU.Seconds(),
			float64(text)/1e6/b.Wall.Seconds(), ratio(b.Wall, reference.Build.Wall),
			float64(b.Bytes)/1e6, ratio(b.Bytes, text), ratio(b.Bytes, reference.Build.Bytes), float64(b.Peak)/1e6, float64(r.Resident)/1e6)
	}
}

func queries(out *strings.Builder, rows []Row, reference Row, kinds []string) {
	fmt.Fprintf(out, "%-14s %8s %6s %8s %6s %8s %8s", "query, ms", "p50", "ratio", "p95", "ratio", "p99", "cpu")
	for _, kind := range kinds {
		fmt.Fprintf(out, " %12s", kind+" p50")
	}
	fmt.Fprintln(out)
	for _, r := range rows {
		if r.Absent != "" {
			continue
		}
		fmt.Fprintf(out, "%-14s", r.Name)
		for _, share := range []float64{.5, .95} {
			fmt.Fprintf(out, " %8s %6s", ms(r.All.At(share)), ratio(r.All.At(share), reference.All.At(share)))
		}
		fmt.Fprintf(out, " %8s %8s", ms(r.All.At(.99)), ms(r.CPU))
		for _, kind := range kinds {
			fmt.Fprintf(out, " %12s", ms(r.Times[kind].At(.5)))
		}
		fmt.Fprintln(out)
	}
}

func kindsOf(queries []ir.Query) []string {
	var kinds []string
	for _, q := range queries {
		if !slices.Contains(kinds, q.Kind) {
			kinds = append(kinds, q.Kind)
		}
	}
	return kinds
}

func ms(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()*1000) }

func ratio[T time.Duration | int64](a, b T) string {
	if cmp.Compare(b, 0) == 0 {
		return "?"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// load returns the load averages of the machine, where it tells them.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown\n"
	}
	return string(text)
}
