package remote

import (
	"bytes"
	"compress/gzip"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// zeros is two megabytes of spaces, packed.
var zeros = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(bytes.Repeat([]byte(" "), 2<<20))
	_ = w.Close()
	return b.Bytes()
}()

func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kind   Kind
		answer string
		want   string // what it is instead; "" for two vectors of two components
	}{
		{"two vectors", Ollama, `{"embeddings":[[1,2],[2,1]]}`, ""},
		{"more members", Ollama, `{"model":"m","embeddings":[[1.5e-3,3e-3],[0.2,1E-1]],"load_duration":7}`, ""},
		{"too few", Ollama, `{"embeddings":[[1,2]]}`, "1 vectors for 2 texts"},
		{"too many", Ollama, `{"embeddings":[[1,2],[2,1],[1,1]]}`, "3 vectors for 2 texts"},
		{"none", Ollama, `{"embeddings":[]}`, "0 vectors for 2 texts"},
		{"null", Ollama, `{"embeddings":null}`, "0 vectors for 2 texts"},
		{"another form", Ollama, `{"embedding":[1,2]}`, "0 vectors for 2 texts"},
		{"a vector that is null", Ollama, `{"embeddings":[[1,2],null]}`, "text 2 of 2 a vector of 0 components, where 2 are right"},
		{"a vector of none", Ollama, `{"embeddings":[[1,2],[]]}`, "text 2 of 2 a vector of 0 components, where 2 are right"},
		{"another dimension", Ollama, `{"embeddings":[[1,2],[2,1,0]]}`, "text 2 of 2 a vector of 3 components, where 2 are right"},
		{"zeros", Ollama, `{"embeddings":[[1,2],[0,-0.0]]}`, "text 2 of 2 a vector of zeros"},
		{"what no double tells from zero", Ollama, `{"embeddings":[[1,2],[1e-400,0]]}`, "text 2 of 2 a vector of zeros"},
		{"null in a vector", Ollama, `{"embeddings":[[1,2],[null,1]]}`, "no number"},
		{"a text in a vector", Ollama, `{"embeddings":[[1,2],["NaN",1]]}`, "no number"},
		{"a list in a vector", Ollama, `{"embeddings":[[1,2],[[2],1]]}`, "no number"},
		{"true in a vector", Ollama, `{"embeddings":[[1,2],[true,1]]}`, "no number"},
		{"NaN", Ollama, `{"embeddings":[[1,2],[NaN,1]]}`, "no JSON at byte 22 of"},
		{"infinite", Ollama, `{"embeddings":[[1,2],[-Infinity,1]]}`, "no JSON at byte"},
		{"beyond a double", Ollama, `{"embeddings":[[1,2],[1e999,1]]}`, "none of its kind"},
		{"a member twice", Ollama, `{"embeddings":[[1,2],[2,1]],"embeddings":[[1,2],[2,1]]}`, "no JSON"},
		{"two answers", Ollama, `{"embeddings":[[1,2],[2,1]]}{}`, "no JSON"},
		{"half an answer", Ollama, `{"embeddings":[[1,2],[2,`, "no JSON"},
		{"nothing", Ollama, ``, "no JSON"},
		{"a list", Ollama, `[[1,2],[2,1]]`, "none of its kind"},
		{"a page", Ollama, `<html>`, "no JSON at byte 0"},

		{"in order", OpenAI, `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[2,1]}]}`, ""},
		{"in another order", OpenAI, `{"object":"list","data":[{"embedding":[2,1],"index":1},{"embedding":[1,2],"index":0,"object":"embedding"}],"model":"m"}`, ""},
		{"too few", OpenAI, `{"data":[{"index":0,"embedding":[1,2]}]}`, "1 vectors for 2 texts"},
		{"no index", OpenAI, `{"data":[{"index":0,"embedding":[1,2]},{"embedding":[2,1]}]}`, "vector 2 of 2 no index"},
		{"an index that is null", OpenAI, `{"data":[{"index":0,"embedding":[1,2]},{"index":null,"embedding":[2,1]}]}`, "vector 2 of 2 no index"},
		{"an index twice", OpenAI, `{"data":[{"index":1,"embedding":[1,2]},{"index":1,"embedding":[2,1]}]}`, "two vectors the index 1"},
		{"an index too high", OpenAI, `{"data":[{"index":1,"embedding":[1,2]},{"index":2,"embedding":[2,1]}]}`, "vector 2 of 2 the index 2"},
		{"an index below 0", OpenAI, `{"data":[{"index":-1,"embedding":[1,2]},{"index":0,"embedding":[2,1]}]}`, "vector 1 of 2 the index -1"},
		{"an index with a fraction", OpenAI, `{"data":[{"index":0.5,"embedding":[1,2]},{"index":1,"embedding":[2,1]}]}`, "none of its kind"},
		{"an index as a text", OpenAI, `{"data":[{"index":"0","embedding":[1,2]},{"index":1,"embedding":[2,1]}]}`, "none of its kind"},
		{"base64", OpenAI, `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":[2,1]}]}`, "none of its kind"},
		{"no vector", OpenAI, `{"data":[{"index":0},{"index":1,"embedding":[2,1]}]}`, "a vector of 0 components"},
		{"an error in a 200", OpenAI, `{"error":{"message":"no"}}`, "0 vectors for 2 texts"},
	} {
		t.Run(string(tt.kind)+"/"+tt.name, func(t *testing.T) {
			for _, dimensions := range []int{0, 2} {
				vectors, what := readAnswer(tt.kind, []byte(tt.answer), 2, dimensions)
				if tt.want == "" {
					if what != "" || len(vectors) != 2 || !slices.Equal(vectors[0], []int8{64, 127}) || !slices.Equal(vectors[1], []int8{127, 64}) {
						t.Errorf("vectors %v, %q", vectors, what)
					}
				} else if vectors != nil || !strings.Contains(what, tt.want) {
					t.Errorf("vectors %v, %q, want %q", vectors, what, tt.want)
				}
			}
		})
	}
}

// What the first answer teaches must be possible.
func TestFirstDimensions(t *testing.T) {
	for _, tt := range []struct {
		n  int
		ok bool
	}{{0, false}, {1, true}, {abi.MaxDimensions, true}, {abi.MaxDimensions + 1, false}} {
		in := `{"embeddings":[[` + strings.TrimSuffix(strings.Repeat("1,", tt.n), ",") + `]]}`
		vectors, what := readAnswer(Ollama, []byte(in), 1, 0)
		if (what == "") != tt.ok || tt.ok && len(vectors[0]) != tt.n {
			t.Errorf("%d components: %q", tt.n, what)
		}
	}
}

func TestQuantise(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   []component
		want []int8
	}{
		{"the greatest is 127", []component{0.25, -0.5, 1}, []int8{32, -64, 127}},
		{"on either side", []component{0.25, -1}, []int8{32, -127}},
		{"halves go away from zero", []component{127, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5}, []int8{127, 1, -1, 2, -2, 3, -3}},
		{"below a half is nothing", []component{127, 0.49, -0.49}, []int8{127, 0, 0}},
		{"just below the greatest", []component{1, 0.9961, -0.9960}, []int8{127, 127, -126}},
		{"the length has no part", []component{2.5e-5, -5e-5, 1e-4}, []int8{32, -64, 127}},
		{"the greatest doubles", []component{math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64 / 2}, []int8{127, -127, 64}},
		{"the least doubles", []component{math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0}, []int8{127, -127, 0}},
		{"one component", []component{-3}, []int8{-127}},
		{"zeros", []component{0, 0}, nil},
		{"nothing", nil, nil},
	} {
		if got := quantise(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s: quantise(%v) = %v, want %v", tt.name, tt.in, got, tt.want)
		}
	}
}

// What is accepted is whole; what is not, is said without a word of the answer's.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"embeddings":[[1,2],[2,1]]}`,
		`{"embeddings":[[1e999,null],["NaN"]]}`,
		`{"data":[{"index":1,"embedding":[2,1]},{"index":0,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[0]},{"index":0}],"data":[]}`,
		`{"\ud800":[[[[[[[[`,
		"\xff\xfe{}",
	} {
		f.Add(false, uint8(2), uint8(2), []byte(seed))
		f.Add(true, uint8(2), uint8(0), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, openAI bool, n, dimensions uint8, in []byte) {
		kind := Ollama
		if openAI {
			kind = OpenAI
		}
		vectors, what := readAnswer(kind, in, int(n)+1, int(dimensions))
		if what != "" {
			if vectors != nil || len(what) > 200 {
				t.Errorf("vectors %v, %q", vectors, what)
			}
			return
		}
		if len(vectors) != int(n)+1 {
			t.Fatalf("%d vectors of %d texts", len(vectors), int(n)+1)
		}
		for _, v := range vectors {
			least, most := slices.Min(v), slices.Max(v)
			if len(v) != len(vectors[0]) || dimensions > 0 && len(v) != int(dimensions) || least < -127 || max(-int(least), int(most)) != 127 {
				t.Errorf("vector %v", v)
			}
		}
	})
}
