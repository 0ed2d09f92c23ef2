package retrieve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A member that was taken from a stored reply, put into it or changed is named, in
// the reply itself, in its request and in its settings.
func TestReplayNamesEachMember(t *testing.T) {
	e := New(Config{})
	mustCall(t, e, abi.Open, `{"engine":"e","settings":{"max":400,"target":200,"min":10},"documents":`+harbour+`}`)
	for _, tt := range []struct {
		export  abi.Export
		request string
	}{
		{abi.Search, `"search":{"query":"crane tide","explain":true,"count":true,"abstain":true}`},
		{abi.Search, `"search":{"query":"crane"}`},
		{abi.Retrieve, `"request":{"query":"crane faults and tide windows","recallBudget":3,"profile":"standard"}`},
		{abi.Retrieve, `"request":{"query":"crane faults and tide windows","recallBudget":3,"seed":"demo","explain":true}`},
	} {
		stored := mustCall(t, e, tt.export, `{"handle":1,`+tt.request+`}`)
		for _, where := range []string{"", "request", "settings"} {
			for _, c := range changes(t, stored, where) {
				out, err := e.Call(abi.Replay, []byte(`{"handle":1,"reply":`+c.reply+`}`))
				if err != nil {
					if !c.gone || where != "" || !strings.HasPrefix(err.Error(), string(abi.ReplyInvalid)) {
						t.Errorf("%s, %s: %v", tt.request, c.name, err)
					}
					continue
				}
				v, err := abi.ReadReplayReply(out)
				if err != nil || v.Verdict != abi.Mismatch || v.At != c.name {
					t.Errorf("%s, %s: %+v, %v", tt.request, c.name, v, err)
				}
			}
		}
	}
}

// A change of a stored reply at the member of that name.
type change struct {
	name, reply string
	gone        bool
}

// changes makes replies in which a member of an object is gone, is another, or is
// one more.
func changes(t *testing.T, stored, where string) []change {
	read := func() (whole, object map[string]any) {
		if err := json.Unmarshal([]byte(stored), &whole); err != nil {
			t.Fatal(err)
		}
		if object = whole; where != "" {
			object, _ = whole[where].(map[string]any)
		}
		return whole, object
	}
	_, object := read()
	if object == nil {
		return nil
	}
	var list []change
	add := func(name string, gone bool, edit func(map[string]any)) {
		whole, object := read()
		edit(object)
		if where != "" {
			name = where + "." + name
		}
		b, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, change{name, string(b), gone})
	}
	for name, value := range object {
		add(name, true, func(o map[string]any) { delete(o, name) })
		switch v := value.(type) {
		case bool:
			add(name, false, func(o map[string]any) { o[name] = !v })
		case float64:
			add(name, false, func(o map[string]any) { o[name] = v + 1 })
		}
	}
	add("aaa", false, func(o map[string]any) { o["aaa"] = 1 })
	add("zzz", false, func(o map[string]any) { o["zzz"] = map[string]any{"a": 1} })
	return list
}
