package terminal

import (
	stdjson "encoding/json"
	"testing"
)

// What acts on a terminal is escaped, and the value stays the same.
func TestJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a C1 control", "[\"a\u009b31m\"]", `["a\u009b31m"]`},
		{"delete", "[\"\x7f\"]", `["\u007f"]`},
		{"an override of direction", "[\"a\u202etxt.exe\"]", `["a\u202etxt.exe"]`},
		{"isolates", "[\"\u2066a\u2069\"]", `["\u2066a\u2069"]`},
		{"what shows nothing", "[\"\u200b\ufeff\"]", `["\u200b\ufeff"]`},
		{"a tag", "[\"\U000e0041\"]", `["\udb40\udc41"]`},
		{"in a name", "{\"\u202e\":1}", `{"\u202e":1}`},
		{"a C0 control is escaped already", `["\u001b[31m"]`, `["\u001b[31m"]`},
		{"white space between tokens stays", "{\n  \"a\": [\t1]\r\n}\n", "{\n  \"a\": [\t1]\r\n}\n"},
		{"other scripts and joiners stay", `["主電源 é 😀 👩` + "\u200d" + `🔬"]`, `["主電源 é 😀 👩` + "\u200d" + `🔬"]`},
		{"a replacement character stays", "[\"\ufffd\"]", "[\"\ufffd\"]"},
	} {
		got := string(JSON([]byte(tt.in)))
		if got != tt.want {
			t.Errorf("%s: %q becomes %q, want %q", tt.name, tt.in, got, tt.want)
		}
		var before, after any
		if stdjson.Unmarshal([]byte(tt.in), &before) != nil || stdjson.Unmarshal([]byte(got), &after) != nil || !equal(before, after) {
			t.Errorf("%s: %q becomes another value, %q", tt.name, tt.in, got)
		}
	}
	if got := JSON([]byte("\"\xff\x9b\"")); string(got) != `"\ufffd\ufffd"` {
		t.Errorf("ill-formed UTF-8 becomes %q", got)
	}
}

func equal(a, b any) bool {
	x, _ := stdjson.Marshal(a)
	y, _ := stdjson.Marshal(b)
	return string(x) == string(y)
}
