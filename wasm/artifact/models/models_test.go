package models

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

func open(t *testing.T) (*model.Model, *embed.Encoder) {
	t.Helper()
	m, err := model.Open(MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	e, err := embed.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, e
}

// The file is the one that the constant names, and an encoder.
func TestMiniLM(t *testing.T) {
	if got := artifact.Digest(MiniLM); got != MiniLMDigest {
		t.Errorf("the digest is %s", got)
	}
	if m, _ := open(t); m.Name != "minilm-l6-v2" || m.Hidden != 384 || m.Window != 256 || m.Pooling != model.PoolMean {
		t.Errorf("%+v", m.Config)
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
	_, e := open(t)
	sum, worst, n := 0.0, 1.0, 0.0
	for line := range strings.Lines(string(in)) {
		var r struct {
			Text   string
			Vector []float64
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		v, _, err := e.Vector(r.Text, false, meter.New(nil, nil))
		if err != nil {
			t.Fatal(err)
		}
		c := cosine(v, r.Vector)
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
