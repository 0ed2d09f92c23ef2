package remote

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"math"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// requestBody returns what is sent for some texts.
func requestBody(o *Options, texts []string) []byte {
	var q any
	switch o.Kind {
	case Ollama:
		q = struct {
			Model      string   `json:"model"`
			Input      []string `json:"input"`
			Truncate   bool     `json:"truncate"`
			Dimensions int      `json:"dimensions,omitzero"`
		}{o.Model, texts, false, o.Dimensions}
	case OpenAI:
		q = struct {
			Model          string   `json:"model"`
			Input          []string `json:"input"`
			Dimensions     int      `json:"dimensions,omitzero"`
			EncodingFormat string   `json:"encoding_format"`
		}{o.Model, texts, o.Dimensions, "float"}
	}
	body, err := json.Marshal(q, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("remote: BUG: " + err.Error())
	}
	return body
}

// A component is a number of an answer. Anything else, null above all, is an error and not 0.
type component float64

var errNoNumber = errors.New("no number")

func (c *component) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	t, err := d.ReadToken()
	if err != nil {
		return err
	}
	if t.Kind() != '0' {
		return errNoNumber
	}
	x, err := t.Float() // beyond what a double holds is an error
	*c = component(x)
	return err
}

// readAnswer returns the vectors of n texts, of as many dimensions; 0 takes those of the
// first. Where the answer is none, what says what it is instead.
func readAnswer(kind Kind, answer []byte, n, dimensions int) (vectors [][]int8, what string) {
	raw, what := readVectors(kind, answer, n)
	if what != "" {
		return nil, what
	}
	if dimensions == 0 {
		dimensions = len(raw[0])
		if dimensions == 0 || dimensions > abi.MaxDimensions {
			return nil, fmt.Sprintf("a vector of %d components, where 1 to %d are possible", dimensions, abi.MaxDimensions)
		}
	}
	for i, v := range raw {
		if len(v) != dimensions {
			return nil, fmt.Sprintf("text %d of %d a vector of %d components, where %d are right", i+1, n, len(v), dimensions)
		}
		q := quantise(v)
		if q == nil {
			return nil, fmt.Sprintf("text %d of %d a vector of zeros, which is like no other", i+1, n)
		}
		vectors = append(vectors, q)
	}
	return vectors, ""
}

// readVectors returns n vectors as they came, in the order of their texts.
func readVectors(kind Kind, answer []byte, n int) (vectors [][]component, what string) {
	if kind == Ollama {
		var a struct {
			Embeddings [][]component `json:"embeddings"`
		}
		if what := unmarshal(answer, &a); what != "" {
			return nil, what
		}
		return a.Embeddings, count(len(a.Embeddings), n)
	}
	var a struct {
		Data []struct {
			Index     *int        `json:"index"`
			Embedding []component `json:"embedding"`
		} `json:"data"`
	}
	if what := unmarshal(answer, &a); what != "" {
		return nil, what
	}
	if what := count(len(a.Data), n); what != "" {
		return nil, what
	}
	vectors = make([][]component, n)
	seen := make([]bool, n)
	for i, d := range a.Data {
		switch {
		case d.Index == nil:
			return nil, fmt.Sprintf("vector %d of %d no index", i+1, n)
		case *d.Index < 0 || *d.Index >= n:
			return nil, fmt.Sprintf("vector %d of %d the index %d", i+1, n, *d.Index)
		case seen[*d.Index]:
			return nil, fmt.Sprintf("two vectors the index %d", *d.Index)
		}
		vectors[*d.Index], seen[*d.Index] = d.Embedding, true
	}
	return vectors, ""
}

func count(got, want int) string {
	if got != want {
		return fmt.Sprintf("%d vectors for %d texts", got, want)
	}
	return ""
}

// unmarshal says where an answer is wrong by its byte alone: names in it may be anything.
func unmarshal(answer []byte, into any) (what string) {
	err := json.Unmarshal(answer, into)
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &syntax):
		return fmt.Sprintf("an answer that is no JSON at byte %d of %d", syntax.ByteOffset, len(answer))
	case errors.As(err, &meaning):
		return fmt.Sprintf("an answer that is none of its kind at byte %d of %d: no number where one must be, or another form", meaning.ByteOffset, len(answer))
	}
	return "an answer that cannot be read"
}

// quantise returns the components of a vector as the package comment says, nil where all are 0.
func quantise(v []component) []int8 {
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	if most == 0 {
		return nil
	}
	out := make([]int8, len(v))
	for i, x := range v {
		out[i] = int8(math.Round(float64(x) / most * 127))
	}
	return out
}
