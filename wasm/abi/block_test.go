package abi

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// One block of each type, written canonically.
var fullBlocks = `[` + strings.Join([]string{
	`{"level":2,"location":{"boundingBox":[7200,-100,43200,9000],"charEnd":12,"charStart":0,"pageEnd":3,"pageStart":2,"section":"1.1"},"text":"Start-up","type":"heading"}`,
	`{"text":"Open valve V-17.","type":"paragraph"}`,
	`{"headers":["Part","Price"],"location":{"cellRange":"A1:B3","lineEnd":9,"lineStart":7,"sheet":"Parts"},"rows":[["PX-1001","45.50"],[]],"type":"table"}`,
	`{"rows":[],"type":"table"}`,
	`{"language":"go","text":"x := 1\n","type":"code"}`,
	`{"items":["one","two"],"ordered":true,"type":"list"}`,
	`{"text":"Never run it dry.","type":"quote"}`,
	`{"alt":"a pump","location":{"slide":4},"type":"image"}`,
	`{"type":"pageBreak"}`,
	`{"text":"Measured in January.","type":"note"}`,
	`{"text":"From: a@example.org","type":"meta"}`,
}, ",") + `]`

func TestBlocksOfEachType(t *testing.T) {
	list, err := ReadBlocks([]byte(fullBlocks))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendBlocks(nil, list)); got != fullBlocks {
		t.Errorf("written as\n%s, want\n%s", got, fullBlocks)
	}
	seen := map[string]bool{}
	for _, b := range list {
		seen[b.Type] = true
	}
	for _, of := range BlockTypes() {
		if !seen[of] {
			t.Errorf("no block of type %s was read", of)
		}
	}
}

func TestReadBlocks(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", `[]`, `[]`},
		{"members in any order", `[{"text":"a","type":"paragraph"}]`, `[{"text":"a","type":"paragraph"}]`},
		{"empty optional members are absent ones", `[{"type":"code","text":"","language":"","location":{"sheet":"","slide":0,"charStart":0,"charEnd":0}}]`, `[{"text":"","type":"code"}]`},
		{"no headers are absent ones", `[{"type":"table","headers":[],"rows":[]}]`, `[{"rows":[],"type":"table"}]`},
		{"no type", `[{"text":"a"}]`, `CORPUS_INVALID: [0]: member "type" is missing at byte 1`},
		{"a type that is none", `[{"type":"paragraf","text":"a"}]`, `CORPUS_INVALID: [0]: unknown type "paragraf", did you mean "paragraph"? at byte 1`},
		{"a member that the type needs", `[{"type":"heading","text":"a"}]`, `CORPUS_INVALID: [0]: a block of type "heading" has no member "level" at byte 1`},
		{"a member of another type", `[{"type":"quote","text":"a","rows":[]}]`, `CORPUS_INVALID: [0]: a block of type "quote" has a member "rows" at byte 1`},
		{"a member of no type", `[{"type":"quote","txt":"a"}]`, `CORPUS_INVALID: [0]: unknown member "txt" at byte 17, did you mean "text"?`},
		{"level 0", `[{"type":"heading","text":"a","level":0}]`, `CORPUS_INVALID: [0].level: expected a level of 1 to 6 at byte 38`},
		{"level 1.5", `[{"type":"heading","text":"a","level":1.5}]`, `CORPUS_INVALID: [0].level: `},
		{"a page of no range", `[{"type":"pageBreak","location":{"pageStart":2,"pageEnd":1}}]`, `CORPUS_INVALID: [0].location: pageStart and pageEnd are no range at byte 32`},
		{"one end of a range", `[{"type":"pageBreak","location":{"lineEnd":1}}]`, `CORPUS_INVALID: [0].location: lineStart and lineEnd are no range at byte 32`},
		{"a box of three", `[{"type":"pageBreak","location":{"boundingBox":[1,2,3]}}]`, `CORPUS_INVALID: [0].location.boundingBox: expected a box: left, top, right and bottom at byte 47`},
		{"a box of five", `[{"type":"pageBreak","location":{"boundingBox":[1,2,3,4,5]}}]`, `CORPUS_INVALID: [0].location.boundingBox: expected a box`},
		{"a box upside down", `[{"type":"pageBreak","location":{"boundingBox":[1,4,3,2]}}]`, `CORPUS_INVALID: [0].location.boundingBox: expected a box`},
		{"a row that is none", `[{"type":"table","rows":["a"]}]`, `CORPUS_INVALID: [0].rows[0]: expected an array`},
		{"no JSON", `[`, `JSON_INVALID: `},
	} {
		list, err := ReadBlocks([]byte(tt.in))
		got := string(AppendBlocks(nil, list))
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, tt.want) || err == nil && got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// What the reader accepts, the writer writes back to the same message.
func FuzzBlocks(f *testing.F) {
	f.Add([]byte(fullBlocks))
	f.Add([]byte(`[{"type":"code","text":"","location":{}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		list, err := ReadBlocks(slices.Clone(in))
		if err != nil {
			checkError(t, err)
			return
		}
		out := AppendBlocks(nil, list)
		again, err := ReadBlocks(slices.Clone(out))
		if err != nil {
			t.Fatalf("%q is written as %q, which is refused: %v", in, out, err)
		}
		if twice := AppendBlocks(nil, again); !bytes.Equal(twice, out) {
			t.Errorf("%q is written as %q, then as %q", in, out, twice)
		}
	})
}
