package retrieve

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Words of front matter find the first chunk, which does not show them: the hit does.
func TestFrontMatter(t *testing.T) {
	long := strings.Repeat("crane ", 60)
	many := ""
	for i := range 12 {
		many += fmt.Sprintf("k%d: crane\n", i)
	}
	for _, tt := range []struct{ name, text, query, mode, want string }{
		{"a value", "---\ntags: [fog, crane]\nyear: 2026\n---\n# Tides\n\nwindows\n", `"crane"`, "snippet", `[{2 tags: [fog, crane]}]`},
		{"a key", "---\ntags: [fog]\n---\n# Tides\n", "tags", "snippet", `[{2 tags: [fog]}]`},
		{"stem, prefix", "---\na: cranes\nb: foggy\n---\ntext\n", "crane fog*", "snippet", `[{2 a: cranes} {3 b: foggy}]`},
		{"a phrase", "---\na: the fog crane\n---\ntext\n", `"fog crane"`, "full", `[{2 a: the fog crane}]`},
		{"CRLF", "---\r\na: 1\r\nb: crane\r\n---\r\ntext\r\n", "crane", "snippet", `[{3 b: crane}]`},
		{"a byte order mark", "\ufeff---\na: crane\n---\ntext\n", "crane", "snippet", `[{2 a: crane}]`},
		{"TOML", "+++\na = \"crane\"\n+++\ntext\n", "crane", "snippet", `[{2 a = "crane"}]`},
		{"also in the body", "---\na: crane\n---\ncrane\n", "crane", "snippet", `[{2 a: crane}]`},
		{"only in the body", "---\na: fog\n---\ncrane\n", "crane", "snippet", `[]`},
		{"no front matter", "crane\n", "crane", "snippet", `[]`},
		{"what cannot be read is text", "---\n- crane\n---\ntext\n", "crane", "snippet", `[]`},
		{"no texts", "---\na: crane\n---\ntext\n", "crane", "none", `[]`},
		{"a long line", "---\na: " + long + "\n---\ntext\n", "crane", "snippet", "[{2 a: " + long[:237] + "}]"},
		{"many lines", "---\n" + many + "---\ntext\n", "crane", "snippet",
			"[{2 k0: crane} {3 k1: crane} {4 k2: crane} {5 k3: crane} {6 k4: crane} {7 k5: crane} {8 k6: crane} {9 k7: crane}]"},
	} {
		e := New(Config{})
		document, _ := json.Marshal(map[string]string{"id": "a", "path": "a.md", "text": tt.text})
		mustCall(t, e, abi.Open, `{"engine":"e","settings":{},"documents":[`+string(document)+`]}`)
		query, _ := json.Marshal(tt.query)
		for export, in := range map[abi.Export]string{
			abi.Search:   `{"handle":1,"search":{"query":` + string(query) + `,"text":"` + tt.mode + `"}}`,
			abi.Retrieve: `{"handle":1,"request":{"query":` + string(query) + `,"profile":"standard","text":"` + tt.mode + `"}}`,
		} {
			var p struct {
				Hits []struct {
					Text        string
					FrontMatter []abi.FrontLine
				}
			}
			if err := json.Unmarshal([]byte(mustCall(t, e, export, in)), &p); err != nil {
				t.Fatal(err)
			}
			if len(p.Hits) != 1 || fmt.Sprint(p.Hits[0].FrontMatter) != tt.want {
				t.Errorf("%s, %s: %+v, want %s", tt.name, export, p.Hits, tt.want)
			}
		}
	}
}
