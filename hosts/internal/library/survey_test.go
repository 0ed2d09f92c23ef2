package library

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var spellings = [][]byte{
	[]byte(`{"id":"a","text":""}`),
	[]byte(`{"id":"b","text":"crane \u00e9 \ud83d\ude00 <&>  "}`),
	[]byte(`{"text":"x","id":"c","key":"k","path":"p","title":"t","collection":"s"}`),
	[]byte(`{"id":"d","text":"x","metadata":{}}`),
	[]byte(`{"id":"e","text":"x","metadata":{"b":1.50e1,"a":[null,true,"é"]}}`),
	[]byte(`{"id":"f","text":"x","path":"f","key":""}`),
	[]byte(`{"id":"g","title":"t","blocks":[{"type":"paragraph","text":"crane"},{"type":"list","ordered":false,"items":["a","b"]}]}`),
}

// The digest of a document is the one that the engine computes.
func TestDigest(t *testing.T) {
	docs := append(notes(20), spellings...)
	list, err := survey(docs)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pool.Open(ctx, engine(t), pool.Config{}, abi.Names{Engine: "e"}, docs)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close(ctx) }()
	leaves, err := abi.ReadLeaves(p.Leaves())
	if err != nil {
		t.Fatal(err)
	}
	if c := compare(leaves, list); len(c.fresh) > 0 || len(c.gone) > 0 || c.kept != len(docs) {
		t.Errorf("%+v", c)
	}
}

// A change of any member but the id changes the digest, so that no member that is
// added to documents can be forgotten here.
func TestDigestCoversDocuments(t *testing.T) {
	others := map[string]string{"Metadata": `{"t":2}`, "Blocks": `[{"text":"u","type":"paragraph"}]`}
	plain := abi.Document{ID: "a", Text: "t", Title: "t", Path: "t", Collection: "t", Key: "t", Metadata: `{"t":1}`}
	v := reflect.ValueOf(plain)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		changed := plain
		f := reflect.ValueOf(&changed).Elem().Field(i)
		if f.Kind() != reflect.String {
			t.Errorf("%s is no string: say here how it changes", name)
			continue
		}
		f.SetString(cmp.Or(others[name], "u"))
		if is := !bytes.Equal(appendContent(nil, &changed), appendContent(nil, &plain)); is != (name != "ID") {
			t.Errorf("another %s: the digest is another: %t", name, is)
		}
	}
}

// Documents of every spelling are found again, and a change of each is seen.
func TestSpellings(t *testing.T) {
	l := open(t, options(t, disktest.NewMemory()))
	synced(t, l, spellings)
	if c := synced(t, l, spellings); c.Published {
		t.Errorf("%+v", c)
	}
	if _, err := l.Compact(ctx); err != nil {
		t.Error(err)
	}
	if c := synced(t, l, spellings); c.Published {
		t.Errorf("compacted: %+v", c)
	}
	for i, in := range spellings {
		changed := append([][]byte{}, spellings...)
		changed[i] = fmt.Appendf(nil, `%s,"metadata":{"new":%d}}`, in[:len(in)-1], i)
		if _, err := survey(changed); err != nil {
			continue // it has metadata
		}
		if c := synced(t, l, changed); c.Changed+c.Kept != len(spellings) || c.Changed == 0 || c.Changed > 2 {
			t.Errorf("%d: %+v", i, c)
		}
	}
}
