package generate

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
)

// A Tiny says what small encoder of texts is made: the same words, the same bytes.
type Tiny struct {
	Seed    uint64 `json:"seed"` // of its weights
	Layers  int    `json:"layers,omitempty"`
	Heads   int    `json:"heads,omitempty"` // of 32 channels
	Pooling string `json:"pooling,omitempty"`
	Query   string `json:"query,omitempty"` // what stands before a query
}

// alphabet are the letters that tiny models know, at the beginning of words and inside.
const alphabet = "aeiounrstlbк新かاअ"

// tinyPieces are what their vocabularies hold.
var tinyPieces = func() []string {
	list := append([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "##gy", "##berth", ".", ","}, english[:18]...)
	for _, letter := range strings.Split(alphabet, "") {
		list = append(list, letter, "##"+letter)
	}
	return list
}()

// Bytes returns the file of a model. Its window is a few words, so that texts have
// several.
func (t Tiny) Bytes() []byte {
	c := model.Config{
		Name: "tiny", Layers: max(t.Layers, 1), Heads: max(t.Heads, 1), Inner: 32, Positions: 12, Types: 1, Window: 12,
		Pieces: len(tinyPieces), Pooling: t.Pooling, Query: t.Query, Source: "conformance", Licence: "Apache-2.0",
	}
	c.Hidden = 32 * c.Heads
	if c.Pooling == "" {
		c.Pooling = model.PoolMean
	}
	m := modeltest.Random(c, modeltest.Ordinary(t.Seed))
	m.Vocabulary = tinyPieces
	temper(m)
	return model.Encode(m)
}

// temper makes what norms and products add as small as it is in encoders that were
// trained: what is drawn would drown the text.
func temper(m *model.Model) {
	around := func(list []int32, middle int32) {
		for i, n := range list {
			list[i] = middle + n&0x3fff - 0x2000
		}
	}
	norm := func(n *model.Norm) {
		around(n.Gain, 1<<16)
		around(n.Shift, 0)
	}
	norm(&m.AfterSum)
	for i := range m.LayerList {
		l := &m.LayerList[i]
		for _, p := range []*model.Linear{&l.Attend, &l.Joined, &l.Widen, &l.Narrow} {
			around(p.Bias, 0)
		}
		norm(&l.AfterA)
		norm(&l.AfterWN)
	}
}
