package generate

import (
	"encoding/base64"
	stdjson "encoding/json"
	"fmt"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// attach gives an index vectors that are drawn; now and then it is asked for what it
// refuses.
func (b *builder) attach(handle int) {
	var files []string
	for parts := 1; len(files) < parts; {
		out := b.add(abi.ChunkTexts, handle, fmt.Sprintf(`"part":%d}`, len(files)))
		if out == nil {
			return
		}
		texts, err := abi.ReadChunkTextsReply(out)
		if err != nil {
			return
		}
		parts = int(texts.Parts)
		components := make([]byte, 0, len(texts.Texts)*b.dimensions)
		for range texts.Texts {
			components = append(components, b.vector()...)
		}
		if b.r.is(3) {
			components = append(components, 1)
		}
		out = b.add(abi.PackVectors, handle, fmt.Sprintf(`"part":%d,"model":"sha256:%064d","dimensions":%d,"external":%t,"inline":true,"components":{"base64":"%s"}}`,
			len(files), b.dimensions, b.dimensions, b.dimensions%2 > 0, base64.StdEncoding.EncodeToString(components)))
		var packed struct{ Vectors stdjson.RawMessage }
		if out == nil || stdjson.Unmarshal(out, &packed) != nil {
			return
		}
		files = append(files, string(packed.Vectors))
	}
	in := `"vectors":[` + strings.Join(files, ",") + "]}"
	switch {
	case b.r.is(5):
		in = b.flip(in)
	case b.r.is(5):
		in = pick(b.r, []string{`"vectors":[]}`, `"vectors":[],"absent":"vectors:building"}`, `"vectors":[],"absent":"vectors:corrupt"}`, `"vectors":[],"absent":"model:absent"}`, `"vectors":[{"base64":""}]}`, `"vectors":[` + strings.Join(append(files, files[0]), ",") + "]}"})
	}
	b.add(abi.AttachVectors, handle, in)
}

// vector draws one, few of them far apart, and some that are nothing.
func (b *builder) vector() []byte {
	v := make([]byte, b.dimensions)
	if b.r.is(4) {
		return v
	}
	width := pick(b.r, []int{1, 2, 20, 127})
	for i := range v {
		v[i] = byte(int8(b.r.between(0, 2*width) - width))
	}
	return v
}

// queryVector is the member queryVector of a call, mostly of the right size; "" where
// there are no vectors.
func (b *builder) queryVector() string {
	if b.dimensions == 0 || b.r.is(10) {
		return ""
	}
	v := b.vector()
	if b.r.is(3) {
		v = v[1:]
	}
	return `,"queryVector":"` + base64.StdEncoding.EncodeToString(v) + `"`
}

// queryVectors is the member queryVectors of a call, mostly one of the right size for each
// need with a slot; "" where there are no vectors.
func (b *builder) queryVectors(request string) string {
	if b.dimensions == 0 || b.r.is(10) {
		return ""
	}
	out, err := b.engine.Call(abi.Decompose, []byte(request))
	if err != nil {
		return ""
	}
	d, err := abi.ReadDecomposition(out)
	if err != nil {
		return ""
	}
	var list []string
	for _, s := range d.Subqueries {
		if s.Budget == 0 && !b.r.is(3) {
			continue
		}
		v := b.vector()
		if b.r.is(2) {
			v = v[1:]
		}
		list = append(list, `"`+base64.StdEncoding.EncodeToString(v)+`"`)
	}
	return `,"queryVectors":[` + strings.Join(list, ",") + "]"
}
