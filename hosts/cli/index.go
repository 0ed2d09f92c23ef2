package cli

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/discover"
	"github.com/rookhaven-project/rookhaven/hosts/internal/library"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type indexVerb struct {
	Names      []string `arg:"" name:"path" help:"Folders, text files, and corpus files (.json, .jsonl)."`
	Data       string   `placeholder:"DIR" help:"Where the index is kept. Default: .rookhaven in the folder that is indexed; of files or several folders, the data folder."`
	Language   *string  `placeholder:"NAME" help:"Whose stems words also meet by: en, de, …, or none. Default: en."`
	Chunks     *string  `placeholder:"HOW" help:"auto: markdown by its sections, paragraphs else; whole: a document is one passage. Default: auto."`
	Target     *int64   `placeholder:"N" help:"Tokens of a passage. Default: 180."`
	Min        *int64   `placeholder:"N" help:"The least tokens of a passage. Default: 64."`
	Max        *int64   `placeholder:"N" help:"The most tokens of a passage. Default: 220."`
	Overlap    *int64   `placeholder:"N" help:"Tokens that a passage repeats of the one before. Default: 32."`
	Rebuild    bool     `help:"Build all anew: for other settings, after an upgrade, or after damage."`
	Compact    bool     `help:"Then make as few segments as there can be, without what was removed."`
	ForgetLost bool     `help:"Then give up the generations that are lost to damage, so that doctor tells of them no more; those that are whole stay."`
	Empty      bool     `help:"Take folders without any document for what they are, and empty the index."`
	Strict     bool     `help:"Exit with 3 when any file was passed over that could not be read, or is none; links are passed over without a word."`
	JSON       bool     `help:"As JSON."`
	meaning
	Shards *string `placeholder:"N" group:"settings" help:"How many instances open the index; 0 chooses."`
	folders
}

func (indexVerb) Help() string {
	return `Makes an index of files. A second run brings it up to date: what is unchanged stays as it is, what changed or is new is indexed, what is gone is removed. So the index holds exactly what the paths of the last run hold. Every run that changes something makes a generation; searches that run keep theirs, and --as-of searches an older one: the last 10 and those of 30 days are kept.

	rookhaven index docs
	rookhaven search --data docs tide windows
	rookhaven index --data /var/lib/docs --language de docs notes
	rookhaven index --data idx documents.jsonl

Of a folder, files in .md, .markdown, .mdx, .txt, .rst, .org and .adoc count, at any depth; hidden ones, node_modules and links are passed over, and so is, with a word, what is no file: a pipe, a socket, a device. It is not opened. A document's id is its path in the folder, with /; where several folders are named, after the folder's name. A file that cannot be read, or not as text any more (it is not UTF-8, has a NUL in it, or more than 16 MiB), is not one that was deleted: where the index holds its document, that stays as it is. One that never was text has no document.

A model makes a vector of each passage, so that it is found by meaning, too: minilm-l6-v2, which is built in, or the one of --model. With more than 64 passages to embed the index is published first and searched by its words meanwhile; a run that is ended is gone on with by the next, and what was embedded once is not embedded again. --model none makes none.

The index is kept in .rookhaven in the folder, with --data elsewhere, and without a single folder in the data folder (rookhaven config show). A folder that holds what is neither an index's nor the data folder's is refused, and nothing in it is touched.

After damage, index makes a whole generation of the paths, with --rebuild where no generation is whole. Older ones that are lost stay what doctor fails for, since a backup of their files would bring them back; --forget-lost gives them up for good.

	rookhaven index --rebuild --forget-lost docs

Exit codes: 0 the index is up to date, 3 it is but for files that could not be read, or not as text any more, 10 another process is writing it, 2 an error.`
}

func (v *indexVerb) Run(r *run) error {
	given := v.given()
	given["shards"] = v.Shards
	c, err := r.config(given, v.chosen())
	if err != nil {
		return err
	}
	folder, err := v.folder(c)
	if err != nil {
		return err
	}
	progress := r.progress()
	defer progress.end()
	found, err := discover.Find(r.ctx, v.Names, func(files int) { progress.say("reading: %d files", files) })
	if err != nil {
		return err
	}
	if len(found.Documents) == 0 && !found.Unread() && !v.Empty {
		why := ""
		if len(found.Problems) > 0 {
			why = " (" + valid(found.Problems[0].Sentence) + ")"
		}
		return abi.Errorf(abi.ArgumentInvalid, "there is no document in %s%s, so nothing was changed; --empty takes that for what it is", strings.Join(v.Names, ", "), why)
	}
	settings, err := v.settings(folder)
	if err != nil {
		return err
	}
	engine, err := r.engine(c)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close(context.WithoutCancel(r.ctx)) }()
	l, err := r.shelf(c, engine, folder, settings)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close(context.WithoutCancel(r.ctx)) }()
	l.Tell = r.notice
	progress.say("indexing: %d documents", len(found.Documents))
	change, err := v.sync(r, l.Library, found)
	if err != nil {
		return err
	}
	completed, err := l.Complete(r.ctx, progress.embedding())
	if err != nil {
		return err
	}
	change.Generation, change.Published = completed.Generation, change.Published || completed.Published
	var forgotten []int64
	if v.ForgetLost {
		if forgotten, err = l.Forget(r.ctx); err != nil {
			return err
		}
	}
	if change.Published { // what fails here is done by the next run
		if _, err := l.Prune(); err != nil {
			r.log(c).Warn("not_pruned", logging.Failure(err))
		}
		r.keepEngine(c) // an export takes it, when another is built in
	}
	progress.end()
	ignore(folder)
	return v.report(r, folder, &indexed{change, found, forgotten})
}

// indexed is what a run did.
type indexed struct {
	library.Change
	found     *discover.Found
	forgotten []int64 // generations
}

// folder returns where the index is kept.
func (v *indexVerb) folder(c *config.Config) (string, error) {
	if v.Data != "" {
		return v.Data, nil
	}
	if len(v.Names) == 1 {
		if info, err := os.Stat(v.Names[0]); err == nil && info.IsDir() {
			return filepath.Join(v.Names[0], dataName), nil
		}
	}
	if c.DataDir == "" {
		return "", abi.Errorf(abi.ConfigInvalid, "there is no data folder on this machine: give --data DIR")
	}
	return c.DataDir, nil
}

// settings returns those that were asked for: the ones of the index with what the flags
// change; nil where no flag does.
func (v *indexVerb) settings(folder string) (*abi.Settings, error) {
	if v.Language == nil && v.Chunks == nil && v.Target == nil && v.Min == nil && v.Max == nil && v.Overlap == nil {
		return nil, nil
	}
	s := abi.DefaultSettings()
	g, _, err := index.Open(folder, disk.OS()).Current()
	switch {
	case err == nil:
		if s, err = abi.ReadSettings(g.Settings); err != nil {
			return nil, err
		}
	case !v.Rebuild && service.Code(err) != index.Absent:
		return nil, err
	}
	for _, set := range []struct{ to, from *int64 }{{&s.Target, v.Target}, {&s.Min, v.Min}, {&s.Max, v.Max}, {&s.Overlap, v.Overlap}} {
		if set.from != nil {
			*set.to = *set.from
		}
	}
	if v.Language != nil {
		s.Language = *v.Language
	}
	if v.Chunks != nil {
		s.Chunks = *v.Chunks
	}
	return &s, s.Check()
}

// sync brings the index up to date.
func (v *indexVerb) sync(r *run, l *library.Library, found *discover.Found) (library.Change, error) {
	documents := make([][]byte, len(found.Documents))
	for i, d := range found.Documents {
		documents[i] = d.JSON
	}
	var change library.Change
	var err error
	if v.Rebuild {
		if err := unread(r.ctx, l, found); err != nil {
			return library.Change{}, err
		}
		change, err = l.Rebuild(r.ctx, documents)
	} else {
		change, err = l.Sync(r.ctx, documents, found.Kept)
	}
	if err != nil || !v.Compact {
		return change, err
	}
	compacted, err := l.Compact(r.ctx)
	change.Generation, change.Published = compacted.Generation, change.Published || compacted.Published
	change.Merged += compacted.Merged
	return change, err
}

// unread refuses to rebuild where the index holds the document of a file that could not
// be read, or not as text: it would be lost.
func unread(ctx context.Context, l *library.Library, found *discover.Found) error {
	if len(found.Problems) == 0 {
		return nil
	}
	e, release, err := l.Edition(ctx, "")
	if err != nil {
		return nil // there is nothing to lose, or the sync says what is wrong
	}
	defer release()
	leaves, err := abi.ReadLeaves(e.Index.Leaves())
	if err != nil {
		return err
	}
	ids := make([]string, len(leaves))
	for i, leaf := range leaves {
		ids[i] = leaf.ID
	}
	slices.Sort(ids)
	for _, p := range found.Problems {
		if p.KeepsAny(ids) {
			return abi.Errorf(abi.FileUnreadable, "%s; the index has documents of it, so nothing was changed: mend the file, or move it away if they are to go", valid(p.Sentence))
		}
	}
	return nil
}

// ignore keeps an index that lies beside its documents out of version control. It is a
// favour: where it fails, the index is as good.
func ignore(folder string) {
	path := filepath.Join(folder, ".gitignore")
	if _, err := os.Lstat(path); filepath.Base(folder) == dataName && os.IsNotExist(err) {
		_ = os.WriteFile(path, []byte("*\n"), 0o644)
	}
}

// report says what was done.
func (v *indexVerb) report(r *run, folder string, done *indexed) error {
	var err error
	if v.JSON {
		err = r.json(done.report(folder))
	} else {
		done.show(r, folder)
	}
	if err == nil && (done.found.Unread() || len(done.Held) > 0 || v.Strict && len(done.found.Problems) > 0) && r.unwritten == nil {
		return exit(3)
	}
	return err
}

func sizes(g *index.Generation) (chunks, bytes int64) {
	for _, s := range g.Segments {
		chunks += s.Chunks
		bytes += s.Bytes
	}
	return chunks, bytes
}

func (done *indexed) show(r *run, folder string) {
	g := &done.Generation
	chunks, bytes := sizes(g)
	r.printf("%d added, %d changed, %d removed, %d unchanged", done.Added, done.Changed, done.Removed, done.Kept)
	var kept, passed []discover.Problem
	for _, p := range done.found.Problems {
		if p.Kind == discover.Unreadable || p.KeepsAny(done.Held) {
			kept = append(kept, p)
		} else {
			passed = append(passed, p)
		}
	}
	r.showProblems("not read; what the index has of them stays:", kept)
	r.showProblems("passed over:", passed)
	if len(done.forgotten) > 0 {
		names := make([]string, len(done.forgotten))
		for i, n := range done.forgotten {
			names[i] = itoa(n)
		}
		r.printf("lost, and forgotten: generation %s", listed(names))
	}
	unchanged := ""
	if !done.Published {
		unchanged = ", as it was"
	}
	vectors := ""
	if g.Complete() {
		vectors = ", vectors by " + modelName(g.Model)
	}
	r.printf("generation %d%s: %s, %s, %s, %s%s", g.Number, unchanged, count(g.Documents, "document"), count(chunks, "passage"), count(int64(len(g.Segments)), "segment"), size(bytes), vectors)
	r.printf("index %s  engine %s  corpus %s", terminal.Line(folder), short(g.Engine), short(g.Root))
}

func (r *run) showProblems(what string, problems []discover.Problem) {
	n := len(problems)
	if n == 0 {
		return
	}
	r.printf("%s %s", count(int64(n), "file"), what)
	for _, p := range problems[:min(n, told)] {
		r.printf("  %s", terminal.Cut(terminal.Line(p.Sentence), 200))
	}
	if n > told {
		r.printf("  and %d more; --json lists all", n-told)
	}
}

// size spells bytes for people.
func size(n int64) string {
	switch {
	case n < 1000:
		return count(n, "byte")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// report is what was done, for programs.
func (done *indexed) report(folder string) any {
	type problem struct {
		Kind     discover.Kind `json:"kind"`
		Path     string        `json:"path"`
		ID       string        `json:"id,omitempty"`
		Sentence string        `json:"sentence"`
		Kept     bool          `json:"kept"` // the index has documents of it, and they stay
	}
	problems := []problem{}
	for _, p := range done.found.Problems {
		problems = append(problems, problem{p.Kind, valid(p.Path), p.ID, valid(p.Sentence), p.KeepsAny(done.Held)})
	}
	g := &done.Generation
	chunks, bytes := sizes(g)
	return struct {
		Schema     int                `json:"schema"`
		Index      string             `json:"index"`
		Generation int64              `json:"generation"`
		Published  bool               `json:"published"`
		Created    string             `json:"created"`
		Corpus     string             `json:"corpus"`
		Engine     string             `json:"engine"`
		Settings   stdjson.RawMessage `json:"settings"`
		Added      int                `json:"added"`
		Changed    int                `json:"changed"`
		Removed    int                `json:"removed"`
		Unchanged  int                `json:"unchanged"`
		Documents  int64              `json:"documents"`
		Chunks     int64              `json:"chunks"` // of all segments, those of removed documents among them
		Segments   int                `json:"segments"`
		Bytes      int64              `json:"bytes"`
		Model      string             `json:"model,omitempty"` // that made the vectors of all passages
		Files      int                `json:"files"`
		Problems   []problem          `json:"problems"`
		Forgotten  []int64            `json:"forgotten,omitempty"` // generations that were lost
	}{
		Schema: abi.Schema, Index: folder, Generation: g.Number, Published: done.Published, Created: g.Created.UTC().Format(time.RFC3339Nano),
		Corpus: g.Root, Engine: g.Engine, Settings: g.Settings, Added: done.Added, Changed: done.Changed, Removed: done.Removed, Unchanged: done.Kept,
		Documents: g.Documents, Chunks: chunks, Segments: len(g.Segments), Bytes: bytes, Model: modelOf(g), Files: done.found.Files, Problems: problems, Forgotten: done.forgotten,
	}
}

// modelOf returns the model that made the vectors of all passages, "" where some are missing.
func modelOf(g *index.Generation) string {
	if !g.Complete() {
		return ""
	}
	return g.Model
}

func valid(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// A progress is one line on a terminal that is written over; elsewhere there is none.
type progress struct {
	out  io.Writer // nil where there is none
	last time.Time
	on   bool // something stands there
}

func (r *run) progress() *progress {
	if !isTerminal(r.Stderr) || r.Env("TERM") == "dumb" {
		return &progress{}
	}
	return &progress{out: r.Stderr}
}

// embedding returns a function that says how far embedding is, and how long it may take.
func (p *progress) embedding() func(done, total int) {
	var start time.Time
	return func(done, total int) {
		switch {
		case done == 0:
			start = time.Now()
			p.say("embedding: %d passages; words are searched already", total)
		case done < total:
			left := time.Since(start) / time.Duration(done) * time.Duration(total-done)
			p.say("embedding: %d of %d passages, about %s left; words are searched already", done, total, left.Round(time.Second))
		}
	}
}

// say replaces the line, ten times a second at most.
func (p *progress) say(format string, args ...any) {
	if p.out == nil || time.Since(p.last) < 100*time.Millisecond && p.on && strings.HasPrefix(format, "reading") {
		return
	}
	p.last, p.on = time.Now(), true
	_, _ = fmt.Fprintf(p.out, "\r\x1b[K"+format, args...)
}

// end takes the line away.
func (p *progress) end() {
	if p.on {
		_, _ = fmt.Fprint(p.out, "\r\x1b[K")
	}
	p.on = false
}
