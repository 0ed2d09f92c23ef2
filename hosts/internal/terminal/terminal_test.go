package terminal

import (
	"strings"
	"testing"
)

// X74: what a document holds must not act on the terminal.
func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a colour", "a\x1b[31mred", "a\ufffd[31mred"},
		{"a C1 control", "a\u009b31m", "a\ufffd31m"},
		{"backspace and bell", "a\b\a", "a\ufffd\ufffd"},
		{"an override of direction", "a\u202etxt.exe", "a\ufffdtxt.exe"},
		{"lines become spaces", "a\r\n\tb\u2028c", "a b c"},
		{"no space at the ends", "  a  ", "a"},
		{"a zero-width space", "a\u200bb", "a\ufffdb"},
		{"joiners stay", "👩\u200d🔬 می\u200cخواهم", "👩\u200d🔬 می\u200cخواهم"},
		{"ill-formed UTF-8", "a\xffb", "a\ufffdb"},
		{"other scripts stay", "主電源 é 😀", "主電源 é 😀"},
	} {
		if got := Line(tt.in); got != tt.want {
			t.Errorf("%s: Line(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	if got := Cut("主電源の表示", 3); got != "主電源…" {
		t.Errorf("Cut = %q", got)
	}
	if got := Cut("abc", 3); got != "abc" {
		t.Errorf("Cut = %q", got)
	}
}

func TestWrap(t *testing.T) {
	got := Wrap("one two three "+strings.Repeat("x", 30), "  ", 12)
	if want := "  one two\n  three\n  " + strings.Repeat("x", 30); got != want {
		t.Errorf("Wrap = %q, want %q", got, want)
	}
}
