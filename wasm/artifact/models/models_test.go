package models

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/retrieve"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// open returns an engine with the model, and what it says of it.
func open(t *testing.T) (*retrieve.Engine, abi.OpenModelReply) {
	t.Helper()
	e := retrieve.New(retrieve.Config{Held: func(_, _ int64) ([]byte, bool) { return MiniLM, true }})
	out, err := e.Call(abi.OpenModel, []byte(`{"model":{"address":1,"size":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := abi.ReadOpenModelReply(out)
	if err != nil {
		t.Fatal(err)
	}
	return e, reply
}

func embed(t *testing.T, e *retrieve.Engine, text string) []int8 {
	t.Helper()
	q := abi.EmbedRequest{Texts: []string{text}}
	out, err := e.Call(abi.Embed, q.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := abi.ReadEmbedReply(out)
	if err != nil || len(reply.Vectors) != 1 {
		t.Fatal(len(reply.Vectors), err)
	}
	return reply.Vectors[0]
}

// The file is the one that the constant names, and an encoder.
func TestMiniLM(t *testing.T) {
	if got := artifact.Digest(MiniLM); got != MiniLMDigest {
		t.Errorf("the digest is %s", got)
	}
	if _, m := open(t); m.Name != "minilm-l6-v2" || m.Dimensions != 384 || m.Window != 256 {
		t.Errorf("%+v", m)
	}
}

var reference = flag.String("reference", "testdata/reference.jsonl", "texts with the vectors that reference.py gives")

// The vectors are near those in floating point: by the cosine at least 0.98 on average
// and 0.95 at the worst.
func TestReference(t *testing.T) {
	in, err := os.ReadFile(*reference)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := open(t)
	sum, worst, n := 0.0, 1.0, 0.0
	for line := range strings.Lines(string(in)) {
		var r struct {
			Text   string
			Vector []float64
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		c := cosine(embed(t, e, r.Text), r.Vector)
		if c < 0.95 {
			t.Errorf("%.60q: the cosine is %.4f", r.Text, c)
		}
		sum, worst, n = sum+c, min(worst, c), n+1
	}
	if sum/n < 0.98 {
		t.Errorf("the mean cosine is %.4f", sum/n)
	}
	t.Logf("%.0f texts: the mean cosine is %.4f, the least %.4f", n, sum/n, worst)
}

func cosine(v []int8, w []float64) float64 {
	dot, vv, ww := 0.0, 0.0, 0.0
	for i := range v {
		dot += float64(v[i]) * w[i]
		vv += float64(v[i]) * float64(v[i])
		ww += w[i] * w[i]
	}
	return dot / math.Sqrt(vv*ww)
}
