package library

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A bag embeds a text as the sum of a vector for each of its words. It counts texts, and
// fails when it had as many as it may.
type bag struct {
	model string
	texts int
	most  int    // 0: no bound
	fails string // a text that holds it fails, unless it is ""
}

func (b *bag) Model() string               { return b.model }
func (b *bag) External() bool              { return false }
func (b *bag) Dimensions() int             { return 32 }
func (b *bag) Background() int             { return 0 }
func (b *bag) Close(context.Context) error { return nil }

var errEnough = abi.Errorf(abi.Cancelled, "that was enough")

func (b *bag) Embed(_ context.Context, _ bool, texts ...string) ([][]int8, error) {
	if b.most > 0 && b.texts+len(texts) > b.most {
		return nil, errEnough
	}
	if b.fails != "" && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, b.fails) }) {
		return nil, abi.Errorf(abi.EmbedderFailed, "the server does not answer")
	}
	b.texts += len(texts)
	list := make([][]int8, len(texts))
	for i, text := range texts {
		list[i] = make([]int8, 32)
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(word))
			r := rand.New(rand.NewPCG(h.Sum64(), 0))
			for j := range list[i] {
				list[i][j] += int8(r.IntN(7) - 3)
			}
		}
	}
	return list, nil
}

// vectors returns what makes vectors by a bag.
func (b *bag) vectors() *Vectors {
	return &Vectors{
		Model: b.model,
		Open:  func(context.Context) (embedding.Embedder, error) { return b, nil },
		Query: func(ctx context.Context, text string) ([]int8, error) {
			v, err := (&bag{model: b.model}).Embed(ctx, true, text)
			if err != nil {
				return nil, err
			}
			return v[0], nil
		},
		File: func() ([]byte, error) { return nil, errors.New("there is no file") },
	}
}

func modelNamed(name string) string { return embedding.ModelOf([]byte(name)) }

// legs says how a search was answered: its mode, what degraded says, and the model.
func legs(t *testing.T, l *Library, request string) string {
	t.Helper()
	reply, _, err := l.Search(ctx, "", []byte(request))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Model    string
		Degraded []string
		Request  struct{ Mode string }
	}
	if err := json.Unmarshal(reply, &p); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(p.Request.Mode, p.Degraded, p.Model != "")
}

const (
	byWords   = "lexical[] false"
	byBoth    = "hybrid[] true"
	building  = "hybrid[vectors:building] false"
	noQueries = "hybrid[model:absent] false"
	damaged   = "hybrid[vectors:corrupt] false"
)

// A generation that lacks many vectors is published at once and answers by its words, and
// complete later; one that lacks few is complete from the start; and what was embedded
// once is never embedded again.
func TestComplete(t *testing.T) {
	b := &bag{model: modelNamed("bag")}
	o := options(t, disktest.NewMemory())
	o.Vectors = b.vectors()
	l := open(t, o)
	ask := func(what, want string, texts int) {
		t.Helper()
		if got := legs(t, l, `{"query":"crane"}`); got != want || b.texts != texts {
			t.Errorf("%s: %s after %d texts, want %s after %d", what, got, b.texts, want, texts)
		}
	}
	complete := func() Change {
		t.Helper()
		c, err := l.Complete(ctx, func(done, total int) {
			if done > total {
				t.Errorf("%d of %d", done, total)
			}
		})
		want(t, "Complete", err, "")
		return c
	}
	documents := notes(200)
	synced(t, l, documents)
	ask("at first", building, 0)
	if c := complete(); !c.Published || !c.Generation.Complete() || c.Generation.Root != generation(t, l, 1).Root {
		t.Errorf("%+v", c)
	}
	all := b.texts
	ask("complete", byBoth, all)
	if c := complete(); c.Published {
		t.Error("what is complete was published again")
	}

	documents[7] = note(7, 1)
	if c := synced(t, l, documents); !c.Generation.Complete() || c.Generation.Building {
		t.Errorf("after a small change: %+v", c)
	}
	ask("a small change", byBoth, all+1)
	if c, err := l.Compact(ctx); err != nil || !c.Generation.Complete() {
		t.Errorf("compacted: %+v, %v", c, err)
	}
	ask("compacted", byBoth, all+1)
	c, err := l.Rebuild(ctx, documents)
	want(t, "Rebuild", err, "")
	if c.Generation.Complete() {
		t.Error("so many texts were compared before the publication")
	}
	complete()
	ask("rebuilt", byBoth, all+1)

	if got, err := l.Check(ctx); err != nil || !got.Sound() {
		t.Errorf("%+v, %v", got, err)
	}
	rebuilt := generation(t, l, c.Generation.Number+1)
	reply, _, err := l.Search(ctx, "", []byte(`{"query":"crane"}`))
	want(t, "Search", err, "")
	o.Vectors = nil
	words := open(t, o)
	if got := legs(t, words, `{"query":"crane"}`); got != byWords {
		t.Errorf("without vectors: %s", got)
	}
	if got := legs(t, words, `{"query":"crane","mode":"hybrid"}`); got != "hybrid[vectors:absent] false" {
		t.Errorf("without vectors, hybrid: %s", got)
	}
	documents[8] = note(8, 1)
	if c := synced(t, words, documents); c.Generation.Complete() || c.Generation.Building {
		t.Errorf("a writer without vectors: %+v", c.Generation)
	}
	complete()
	ask("a writer without vectors changed a document", byBoth, all+2)
	again, _, err := l.Search(ctx, fmt.Sprint(rebuilt.Number), []byte(`{"query":"crane"}`))
	if err != nil || string(again) != string(reply) {
		t.Errorf("generation %d answers otherwise than when it was current: %v", rebuilt.Number, err)
	}
}

// generation returns a generation by its number.
func generation(t *testing.T, l *Library, n int64) index.Generation {
	t.Helper()
	all, err := l.Generations()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(g index.Generation) bool { return g.Number == n })
	if i < 0 {
		t.Fatalf("there is no generation %d", n)
	}
	return all[i]
}

// X23: where passages are cut otherwise, only those whose text changed are embedded again.
func TestX23CheapUpgrade(t *testing.T) {
	b := &bag{model: modelNamed("bag")}
	o := options(t, disktest.NewMemory())
	o.Vectors = b.vectors()
	documents := append(notes(100), fmt.Appendf(nil, `{"id":"long","path":"long.md","text":%q}`, "# Tides\n\n"+strings.Repeat("tide windows of the harbour, and fog. ", 60)))
	l := open(t, o)
	synced(t, l, documents)
	if _, err := l.Complete(ctx, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	before := generation(t, l, 2)
	settings := abi.DefaultSettings()
	settings.Target, settings.Max = 100, 120
	o.Settings = &settings
	l = open(t, o)
	b.texts = 0
	if _, err := l.Rebuild(ctx, documents); err != nil {
		t.Fatal(err)
	}
	c, err := l.Complete(ctx, func(int, int) {})
	want(t, "Complete", err, "")
	chunks := func(g index.Generation) (n int64) {
		for _, s := range g.Segments {
			n += s.Chunks
		}
		return n
	}
	cut := chunks(c.Generation) - 100 // of the long one
	if cut <= chunks(before)-100 || int64(b.texts) > cut || b.texts == 0 {
		t.Errorf("%d texts were embedded for %d passages that are cut otherwise", b.texts, cut)
	}
}

// What a run made that was ended is not made again, and no checkpoint is left at last.
func TestCompleteGoesOn(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	b := &bag{model: modelNamed("bag"), most: 60}
	o.Vectors = b.vectors()
	l := open(t, o)
	synced(t, l, notes(200))
	_, err := l.Complete(ctx, func(int, int) {})
	want(t, "Complete", err, abi.Cancelled)
	if got := legs(t, l, `{"query":"crane"}`); got != building {
		t.Errorf("after a run that was ended: %s", got)
	}
	made := b.texts
	kept := 0
	for path, data := range m.Files() {
		if strings.HasSuffix(path, checkpointFile) {
			kept++
			m.Put(path+".damaged"+checkpointFile, data[:len(data)-8])
		}
	}
	if made == 0 || kept == 0 {
		t.Fatalf("%d texts were embedded, and %d checkpoints kept", made, kept)
	}
	b.most, b.texts = 0, 0
	total := 0
	if _, err := l.Complete(ctx, func(_, of int) { total = of }); err != nil {
		t.Fatal(err)
	}
	if b.texts != total || total == 0 {
		t.Errorf("%d texts were embedded, %d were told", b.texts, total)
	}
	fresh := &bag{model: modelNamed("bag")}
	whole := options(t, disktest.NewMemory())
	whole.Vectors = fresh.vectors()
	w := open(t, whole)
	synced(t, w, notes(200))
	if _, err := w.Complete(ctx, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if fresh.texts != made+b.texts {
		t.Errorf("at once %d texts are embedded, with a break %d and %d", fresh.texts, made, b.texts)
	}
	for path := range m.Files() {
		if strings.Contains(path, checkpointFile) {
			t.Errorf("%s is left", path)
		}
	}
	if x, y := answersOf(t, l, ""), answersOf(t, w, ""); !slices.Equal(x, y) {
		t.Error("the answers differ")
	}
}

// Vectors of another model are made anew; until then queries, whose vectors are of the new
// one, are answered by words.
func TestX20AnotherModel(t *testing.T) {
	m := disktest.NewMemory()
	o := options(t, m)
	o.Vectors = (&bag{model: modelNamed("bag")}).vectors()
	l := open(t, o)
	synced(t, l, notes(100))
	if _, err := l.Complete(ctx, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	root, before := generation(t, l, 2).Root, modelNamed("bag")
	other := &bag{model: modelNamed("sack")}
	o.Vectors = other.vectors()
	l = open(t, o)
	if got := legs(t, l, `{"query":"crane"}`); got != noQueries {
		t.Errorf("with another model: %s", got)
	}
	if _, err := l.Complete(ctx, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if got := legs(t, l, `{"query":"crane"}`); got != byBoth || other.texts == 0 {
		t.Errorf("made anew from %d texts: %s", other.texts, got)
	}
	for model, want := range map[string]string{before: "2", other.model: "3", modelNamed("net"): root, "": root} {
		if got := l.AnsweredBy(root, model); got != want {
			t.Errorf("a reply by %q is of %s, want %s", model, got, want)
		}
	}
}

// Where vectors cannot be made, words are published, and what fails is Complete.
func TestEmbedderFails(t *testing.T) {
	o := options(t, disktest.NewMemory())
	o.Vectors = (&bag{model: modelNamed("bag"), most: 1}).vectors()
	l := open(t, o)
	if c := synced(t, l, notes(10)); c.Generation.Complete() || !c.Generation.Building {
		t.Errorf("%+v", c.Generation)
	}
	if got := legs(t, l, `{"query":"crane"}`); got != building {
		t.Error(got)
	}
	_, err := l.Complete(ctx, func(int, int) {})
	want(t, "Complete", err, abi.Cancelled)
}

// What an embedder failed to embed is pending: words find all documents meanwhile, and once it
// heals the next run takes these, and no other again.
func TestX28FailedIsPendingAgain(t *testing.T) {
	o := options(t, disktest.NewMemory())
	b := &bag{model: modelNamed("bag"), fails: "provoke"}
	o.Vectors = b.vectors()
	l := open(t, o)
	list := notes(100)
	for i := range 3 {
		list = append(list, fmt.Appendf(nil, `{"id":"failing %d","text":"provoke %d"}`, i, i))
	}
	c := synced(t, l, list)
	if c.Generation.Documents != 103 || !c.Generation.Building {
		t.Errorf("%+v", c.Generation)
	}
	for range 2 {
		_, err := l.Complete(ctx, func(int, int) {})
		want(t, "Complete", err, abi.EmbedderFailed)
		if got := legs(t, l, `{"query":"provoke"}`); got != building {
			t.Error(got)
		}
	}
	made := b.texts
	b.fails = ""
	total := 0
	if c, err := l.Complete(ctx, func(_, of int) { total = of }); err != nil || !c.Generation.Complete() || b.texts-made != total {
		t.Errorf("healed: %+v, %v; %d texts of %d", c.Generation, err, b.texts-made, total)
	}
	if got := legs(t, l, `{"query":"provoke"}`); got != byBoth {
		t.Error(got)
	}
	if c, err := l.Complete(ctx, func(int, int) {}); err != nil || c.Published {
		t.Errorf("there is nothing left to do: %+v, %v", c, err)
	}
}

// Damaged vectors take nothing from the words: the generation answers by them and says so,
// what is written next leaves the damaged ones behind, and Complete makes them again, of
// them alone.
func TestX21DamagedVectors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(m *disktest.Memory, path string)
	}{
		{"flipped", func(m *disktest.Memory, path string) {
			data := []byte(m.Files()[path])
			data[len(data)/2] ^= 1
			m.Put(path, string(data))
		}},
		{"cut", func(m *disktest.Memory, path string) { m.Put(path, m.Files()[path][:100]) }},
		{"gone", func(m *disktest.Memory, path string) { _ = m.Remove(path) }},
	} {
		m := disktest.NewMemory()
		b := &bag{model: modelNamed("bag")}
		o := options(t, m)
		o.Shards, o.Vectors = 2, b.vectors()
		l := open(t, o)
		synced(t, l, notes(30))
		synced(t, l, notes(50)) // a segment of its own
		g := generation(t, l, 2)
		if len(g.Segments) != 2 || !g.Complete() {
			t.Fatalf("%+v", g)
		}
		tt.damage(m, "/data/blobs/"+strings.TrimPrefix(g.Segments[1].Vectors, "sha256:"))
		o.Tell = func(sentence string) { t.Errorf("%s: told: %s", tt.name, sentence) }
		l = open(t, o)
		if got := legs(t, l, `{"query":"crane"}`); got != damaged {
			t.Errorf("%s: %s", tt.name, got)
		}
		if r, err := l.Check(ctx); err != nil || r.Sound() || r.Engine != nil {
			t.Errorf("%s: doctor finds %+v, %v", tt.name, r, err)
		}
		reply, _, err := l.Search(ctx, "", []byte(`{"query":"crane"}`))
		if err != nil {
			t.Fatal(err)
		}
		b.texts = 0
		if c, err := l.Complete(ctx, func(int, int) {}); err != nil || !c.Published || b.texts != 20 {
			t.Errorf("%s: Complete: %+v of %d texts, %v", tt.name, c, b.texts, err)
		}
		if got := legs(t, l, `{"query":"crane"}`); got != byBoth {
			t.Errorf("%s: after Complete: %s", tt.name, got)
		}
		if r, err := l.Check(ctx); err != nil || !r.Sound() {
			t.Errorf("%s: after Complete doctor finds %+v, %v", tt.name, r, err)
		}
		e, release, err := l.Edition(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		if verdict, err := e.Index.Replay(ctx, reply, nil); err != nil || !strings.Contains(string(verdict), abi.Match) {
			t.Errorf("%s: what was found by words alone is replayed: %s, %v", tt.name, verdict, err)
		}
		release()
	}
}

// Documents are added to an index with damaged vectors, with a model and without one.
func TestX21SyncOverDamagedVectors(t *testing.T) {
	for _, withModel := range []bool{true, false} {
		m := disktest.NewMemory()
		o := options(t, m)
		o.Vectors = (&bag{model: modelNamed("bag")}).vectors()
		l := open(t, o)
		synced(t, l, notes(30))
		path := "/data/blobs/" + strings.TrimPrefix(generation(t, l, 1).Segments[0].Vectors, "sha256:")
		m.Put(path, "damaged")
		if !withModel {
			o.Vectors = nil
		}
		l = open(t, o)
		if c := synced(t, l, notes(31)); c.Generation.Complete() != withModel {
			t.Errorf("with a model %v: %+v", withModel, c.Generation)
		}
	}
}
