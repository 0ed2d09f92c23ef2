// Package logging writes what a host has to say while it runs: one JSON object a
// line, on stderr, with the members time, level and msg first.
//
// A msg is a fixed word for programs (corpus_reloaded); everything that varies is
// a member of its own. A failure has the members code and sentence of [abi.Error].
// No line holds a query or a document's text at the level info or above.
package logging

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// JSON returns a logger that writes JSON lines.
func JSON(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: lower}))
}

// lower writes levels as the setting names them.
func lower(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.LevelKey && len(groups) == 0 {
		return slog.String(a.Key, strings.ToLower(a.Value.String()))
	}
	return a
}

// Failure returns the members that describe an error.
func Failure(err error) slog.Attr {
	var e *abi.Error
	if !errors.As(err, &e) {
		return slog.Group("", slog.String("code", string(abi.Internal)), slog.String("sentence", err.Error()))
	}
	return slog.Group("", slog.String("code", string(e.Code)), slog.String("sentence", e.Sentence))
}

// People returns a logger for a terminal: "rookhaven: warn: cache_unusable code=…".
func People(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(&people{w: w, level: level})
}

type people struct {
	w     io.Writer
	level slog.Leveler
	attrs []slog.Attr
}

func (p *people) Enabled(_ context.Context, l slog.Level) bool { return l >= p.level.Level() }

func (p *people) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString("rookhaven: " + strings.ToLower(r.Level.String()) + ": " + r.Message)
	for _, a := range p.attrs {
		appendAttr(&b, a)
	}
	r.Attrs(func(a slog.Attr) bool { appendAttr(&b, a); return true })
	_, err := io.WriteString(p.w, terminal.Line(b.String())+"\n")
	return err
}

func appendAttr(b *strings.Builder, a slog.Attr) {
	if a.Value.Kind() == slog.KindGroup {
		for _, a := range a.Value.Group() {
			appendAttr(b, a)
		}
		return
	}
	b.WriteString(" " + a.Key + "=" + a.Value.String())
}

func (p *people) WithAttrs(attrs []slog.Attr) slog.Handler {
	q := *p
	q.attrs = append(q.attrs[:len(q.attrs):len(q.attrs)], attrs...)
	return &q
}

func (p *people) WithGroup(string) slog.Handler { return p }
