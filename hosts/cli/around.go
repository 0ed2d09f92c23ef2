package cli

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

const (
	indent = "      " // of a hit's text
	margin = "    | " // of a hit's own lines, where others stand around them
	nearby = 2000     // characters that are shown of what stands before a hit, and after it
)

// body returns the lines of a hit's text, with what stands around it where that was asked
// for; "" where there is none.
func body(h *abi.Found) string {
	switch {
	case h.Context != nil:
		before, own, after := around(h)
		var list []string
		for _, part := range []struct{ text, indent string }{
			{ending(terminal.Line(before), nearby), indent}, {terminal.Line(own), margin}, {terminal.Cut(terminal.Line(after), nearby), indent},
		} {
			if part.text != "" {
				list = append(list, terminal.Wrap(part.text, part.indent, width))
			}
		}
		return strings.Join(list, "\n")
	case h.Text != nil && strings.TrimSpace(h.Text.Text) != "":
		return terminal.Wrap(excerpt(h.Text), indent, width)
	}
	return ""
}

// around divides the context of a hit into its own passage and what stands around it. Where
// the hit's text is not in the reply, nobody knows where the passage is, unless it is all.
func around(h *abi.Found) (before, own, after string) {
	all := h.Context.Text
	if h.Context.From == h.Context.To {
		return "", all, ""
	}
	if h.Text == nil {
		return "", "", all
	}
	at := strings.Index(all, h.Text.Text)
	if h.Chunk == h.Context.To { // the same text may stand twice
		at = strings.LastIndex(all, h.Text.Text)
	}
	if at < 0 {
		return "", "", all
	}
	end := at + len(h.Text.Text)
	at -= lastUnits(all[:at], h.Text.From)
	end += firstUnits(all[end:], h.Text.Of-h.Text.To)
	return all[:at], all[at:end], all[end:]
}

// firstUnits returns how many bytes the first n UTF-16 units of a text take.
func firstUnits(s string, n int64) int {
	i := 0
	for n > 0 && i < len(s) {
		c, size := utf8.DecodeRuneInString(s[i:])
		n -= int64(utf16.RuneLen(c))
		i += size
	}
	return i
}

// lastUnits returns how many bytes the last n UTF-16 units of a text take.
func lastUnits(s string, n int64) int {
	i := len(s)
	for n > 0 && i > 0 {
		c, size := utf8.DecodeLastRuneInString(s[:i])
		n -= int64(utf16.RuneLen(c))
		i -= size
	}
	return len(s) - i
}

// ending returns the last n characters of a line, with … where more stand before them.
func ending(s string, n int) string {
	skip := utf8.RuneCountInString(s) - n
	if skip <= 0 {
		return s
	}
	for range skip {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return "…" + strings.TrimLeft(s, " ")
}
