package generate

import (
	stdjson "encoding/json"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// documents asks for the documents of the case's corpus: some by their ids, or pages one
// after another; now and then in a way that is refused.
func (b *builder) documents() {
	switch {
	case b.r.is(40):
		b.add(abi.Documents, 1, `"ids":`+b.s.array(b.someIDs())+"}")
		return
	case b.r.is(10):
		b.add(abi.Documents, 1, pick(b.r, []string{`"limit":0}`, `"limit":10001}`, `"ids":["a"],"limit":1}`, `"after":1}`, `"ids":{}}`, `"before":"a"}`, b.flip(`"after":"a"}`)}))
		return
	}
	after := pick(b.r, []string{"", "", "a", "\uffff", "d"})
	for range b.r.between(1, 4) {
		out := b.add(abi.Documents, 1, `"limit":`+b.s.int(int64(b.r.between(1, 9)))+`,"after":`+b.s.text(after)+"}")
		var p struct {
			Documents []struct{ ID string }
			More      bool
		}
		if out == nil || stdjson.Unmarshal(out, &p) != nil || !p.More {
			return
		}
		after = p.Documents[len(p.Documents)-1].ID
	}
}
