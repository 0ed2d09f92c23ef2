package cli

import (
	"io/fs"
	"os"
	"strings"
	"unicode"
)

// marked puts the words of a query in bold where stdout is a terminal.
func (r *run) marked(text string, words []string) string {
	if !r.isTerminal() || r.Env("NO_COLOR") != "" {
		return text
	}
	return mark(text, words)
}

// isTerminal reports whether stdout shows what is written to it.
func (r *run) isTerminal() bool { return isTerminal(r.Stdout) && r.Env("TERM") != "dumb" }

func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const bold, plain = "\x1b[1m", "\x1b[22m"

// mark puts the words of a text that are like one of the given ones between bold and
// plain. It is for the eye: what counts as like is a guess.
func mark(text string, words []string) string {
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexFunc(text, func(c rune) bool { return !isWord(c) })
		if end < 0 {
			end = len(text)
		}
		if word := text[:end]; alike(word, words) {
			b.WriteString(bold + word + plain)
		} else {
			b.WriteString(word)
		}
		text = text[end:]
		next := strings.IndexFunc(text, isWord)
		if next < 0 {
			next = len(text)
		}
		b.WriteString(text[:next])
		text = text[next:]
	}
	return b.String()
}

func isWord(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '_'
}

// alike reports whether a word is, without regard to case, one of the words or a part of
// one, or has the same beginning and at most three characters of its own.
func alike(word string, words []string) bool {
	if word == "" {
		return false
	}
	w := strings.ToLower(word)
	for _, q := range words {
		q = strings.ToLower(q)
		same := 0
		for same < min(len(w), len(q)) && w[same] == q[same] {
			same++
		}
		switch {
		case w == q, len(w) > 2 && strings.Contains(q, w) && strings.ContainsFunc(q, func(c rune) bool { return !isWord(c) }):
			return true
		case same >= 4 && len(w)-same <= 3 && len(q)-same <= 3:
			return true
		}
	}
	return false
}
