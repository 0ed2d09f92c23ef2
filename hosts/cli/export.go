package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/atomicfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

type exportVerb struct {
	AsOf   string `placeholder:"WHICH" help:"An older generation: its number; its corpus root, or 8 digits of it or more; a time such as 2026-11-30T15:04:05Z, 2026-11-30T15:04Z or 2026-11-30 (UTC), and then what was current at the end of that second, minute or day; or current."`
	Out    string `default:"-" placeholder:"FILE" help:"Where to write. Default: -, stdout."`
	Engine string `placeholder:"FILE" help:"The engine that the index belongs to, where it is neither built in nor kept."`
	data
	strict
	folders
}

func (exportVerb) Help() string {
	return `Writes the documents of an index as JSON Lines: one a line, in the order of their ids' bytes, each in the one spelling that it has. An index that is made of the file has the same corpus root, answers with the same bytes, and is exported as the same file; with other settings than the defaults, where stderr names the flags that it needs. What an index cannot give as it took it in is not written at all.

	rookhaven export --data docs --out docs.jsonl
	rookhaven index docs.jsonl --data copy
	rookhaven export --data docs --as-of 3 | grep crane

It needs no files that were indexed. An index of another engine is read with that one, if it is kept in the data folder (rookhaven engine list) or named with --engine. An index without documents is exported as [], the empty corpus. On a terminal, what would act on it is escaped.
Exit codes: 0 it is written, 2 an error, 3 it is written, of an older generation in the place of one that is lost (with --strict).`
}

func (v *exportVerb) Run(r *run) error {
	c, err := r.config(v.given())
	if err != nil {
		return err
	}
	folder := v.folder(r, c)
	if folder == "" {
		return noIndex(r)
	}
	if err := v.apart(r, folder); err != nil {
		return err
	}
	var offered []byte
	if v.Engine != "" {
		if offered, err = r.read(v.Engine); err == nil {
			err = artifact.Check(offered, "")
		}
		if err != nil {
			return err
		}
	}
	engine, err := r.engine(c)
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close(context.WithoutCancel(r.ctx)) }()
	l, err := r.shelf(c, engine, folder, nil)
	if err != nil {
		return err
	}
	l.Engines = r.engines(c, offered)
	defer func() { _ = l.Close(context.WithoutCancel(r.ctx)) }()
	x, err := l.Export(r.ctx, v.AsOf)
	if err != nil {
		return err
	}
	defer func() { _ = x.Close(context.WithoutCancel(r.ctx)) }()
	flags, err := flagsOf(&x.Generation)
	if err != nil {
		return err
	}
	if err := v.write(r, c.CorpusPath, func(yield func([]byte) error) error { return x.Each(r.ctx, yield) }); err != nil {
		return err
	}
	g := &x.Generation
	_, _ = fmt.Fprintf(r.Stderr, "%s of generation %d, corpus %s\nthe same index again: rookhaven index %s --data NEW%s\n",
		count(g.Documents, "document"), g.Number, short(g.Root), word(v.named()), flags)
	return v.end(len(l.Recovered()) > 0, 0)
}

// engines returns how an engine is had that is not built in: the one that was offered,
// one that is kept, or one of an earlier release.
func (r *run) engines(c *config.Config, offered []byte) func(ctx context.Context, digest string) (runner.Runner, error) {
	return func(ctx context.Context, digest string) (runner.Runner, error) {
		wasm, released := artifact.Release(digest)
		var err error
		switch {
		case offered != nil:
			wasm, err = offered, artifact.Check(offered, digest)
		case c.DataDir != "":
			wasm, err = store.Open(c.DataDir).Engine(digest)
		case !released:
			err = abi.Errorf(abi.EngineUnknown, "there is no data folder on this machine in which it could be kept")
		}
		if err != nil {
			return nil, err
		}
		return service.Compile(ctx, wasm, c.CacheDir, r.log(c))
	}
}

// write writes documents, one a line. None are the empty corpus, which a file without a
// line is not. A file appears once it is whole; where what is written appears at once, all
// documents are looked at before, so that nothing is begun that is not ended.
func (v *exportVerb) write(r *run, corpus string, each func(yield func(document []byte) error) error) error {
	if r.appears(v.Out) {
		if err := each(func([]byte) error { return nil }); err != nil {
			return err
		}
	}
	shown := func(line []byte) []byte { return line }
	if r.isStdout(v.Out) {
		shown = r.shown
	}
	return r.stream(v.Out, corpus, func(w *bufio.Writer) error {
		none := true
		err := each(func(document []byte) error {
			none = false
			_, err := w.Write(shown(document))
			return errors.Join(err, w.WriteByte('\n'))
		})
		if err == nil && none {
			_, err = w.WriteString("[]\n")
		}
		return err
	})
}

// apart refuses to write into the folder of the index, or over something else than documents.
func (v *exportVerb) apart(r *run, folder string) error {
	if r.isStdout(v.Out) {
		return nil
	}
	if err := mine(v.Out, "a file of documents, one a line", isDocuments); err != nil {
		return err
	}
	out, err1 := filepath.Abs(filepath.Dir(atomicfile.Target(v.Out)))
	index, err2 := filepath.Abs(folder)
	if err1 != nil || err2 != nil {
		return nil // which is told when it is written or read
	}
	below, err := filepath.Rel(atomicfile.Target(index), atomicfile.Target(out))
	if err == nil && filepath.IsLocal(below) {
		return abi.Errorf(abi.ArgumentInvalid, "%s is in the folder of the index, %s: name another place to write to", v.Out, folder)
	}
	return nil
}

// named returns how the file is to be named where it is indexed.
func (v *exportVerb) named() string {
	if slices.Contains([]string{".json", ".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(v.Out))) {
		return v.Out
	}
	return "FILE.jsonl"
}

// flagsOf returns the flags with which rookhaven index makes an index like the one that
// was exported.
func flagsOf(g *index.Generation) (string, error) {
	s, err := abi.ReadSettings(g.Settings)
	if err != nil {
		return "", err
	}
	d := abi.DefaultSettings()
	var b strings.Builder
	for _, f := range []struct {
		name, value, plain string
	}{
		{"language", s.Language, d.Language}, {"chunks", s.Chunks, d.Chunks}, {"target", itoa(s.Target), itoa(d.Target)},
		{"min", itoa(s.Min), itoa(d.Min)}, {"max", itoa(s.Max), itoa(d.Max)}, {"overlap", itoa(s.Overlap), itoa(d.Overlap)},
	} {
		if f.value != f.plain {
			b.WriteString(" --" + f.name + " " + word(f.value))
		}
	}
	if g.Documents == 0 {
		b.WriteString(" --empty")
	}
	return b.String(), nil
}

// word returns a text as one word of a command line: in quotes where it has more than
// what no shell takes for anything else, since a folder that somebody else made names
// its language.
func word(text string) string {
	text = terminal.Line(text)
	if text != "" && !strings.ContainsFunc(text, func(c rune) bool { return !isWord(c) && !strings.ContainsRune("-./:", c) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
