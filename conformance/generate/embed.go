package generate

import (
	"encoding/base64"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// embeds reports whether case i is about a model: every thirteenth is, whatever share
// of the cases a runtime gets.
func embeds(i int) bool { return i%13 == 6 }

// embedCase makes a case about a model. Its draws are its own.
func (g *Generator) embedCase(i int) call.Case {
	r := newRandom(g.Seed^0xe3bed, uint64(i))
	b := builder{r: r, v: newVocabulary(r), s: &speller{r: r, loose: r.is(40)}, engine: g.Reference()}
	b.embed()
	return call.Case{Name: g.Name(i), Steps: b.steps}
}

// embed opens a model and asks for vectors; now and then it is another model, a
// damaged one that leaves the first open, or none any more.
func (b *builder) embed() {
	b.openModel(b.tiny().Bytes())
	for range b.r.between(1, 3) {
		b.add(abi.Embed, 0, b.embedRequest())
		switch {
		case b.r.is(10):
			b.openModel(b.tiny().Bytes())
		case b.r.is(10):
			file := b.tiny().Bytes()
			file[b.r.n(len(file))] ^= 1 << b.r.n(8)
			b.openModel(file)
		case b.r.is(10):
			b.openModel([]byte(b.flip(string(b.tiny().Bytes()))))
		case b.r.is(10):
			b.add(abi.Embed, 0, b.flip(b.embedRequest()))
		case b.r.is(10):
			b.add(abi.CloseModel, 0, "{}")
		}
	}
}

// tiny draws a model, mostly of one layer.
func (b *builder) tiny() Tiny {
	t := Tiny{Seed: b.r.next()}
	if b.r.is(15) {
		t.Layers = 2
	}
	if b.r.is(10) {
		t.Heads = 2
	}
	if b.r.is(25) {
		t.Pooling = "first"
	}
	if b.r.is(40) {
		t.Query = b.v.text(2) + ": "
	}
	return t
}

func (b *builder) openModel(file []byte) {
	base64 := b.s.object([]member{{"base64", b.s.text(base64.StdEncoding.EncodeToString(file))}})
	b.add(abi.OpenModel, 0, b.s.object([]member{{"model", base64}}))
}

func (b *builder) embedRequest() string {
	list := make([]string, pick(b.r, []int{0, 1, 1, 2, 3, 5, b.r.between(1, 20)}))
	for i := range list {
		list[i] = b.s.text(b.v.passage(pick(b.r, []int{3, 10, 10, 60})))
	}
	m := []member{{"texts", b.s.array(list)}}
	if b.r.is(50) {
		m = append(m, member{"query", b.s.bool(b.r.is(50))})
	}
	return b.s.object(m)
}

// passage draws a text of at most so many words, or one that is hardly a text.
func (v *vocabulary) passage(most int) string {
	switch {
	case v.r.is(5):
		return pick(v.r, []string{"", " ", "\n", "[SEP]", "##s", pick(v.r, oddities), pick(v.r, pictures)})
	case v.r.is(20):
		var s strings.Builder // words that tiny models know the letters of
		for range v.r.between(1, 5*most) {
			s.WriteString(pick(v.r, letters))
		}
		return s.String()
	}
	return v.text(v.r.between(1, most))
}

// letters are the alphabet of tiny models, with spaces and a mark.
var letters = strings.Split(alphabet+"  \u0301", "")

// Texts returns n texts of all scripts for a model of full size, and of the pieces that
// it knows: twenty short ones, then most of some words and every fifteenth longer than
// a window.
func Texts(seed uint64, n int, pieces []string) []string {
	list := make([]string, n)
	for i := range list {
		v := newVocabulary(newRandom(seed^0x7e875, uint64(i)))
		for range len(v.words) {
			v.words = append(v.words, strings.TrimPrefix(pick(v.r, pieces), "##"))
		}
		switch {
		case i < 20:
			list[i] = v.passage(2)
		case i%15 == 0:
			list[i] = v.text(v.r.between(40, 150))
		default:
			list[i] = v.passage(6)
		}
	}
	return list
}
