package models

import (
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// The file is the one that the constant names, and an encoder.
func TestMiniLM(t *testing.T) {
	if got := artifact.Digest(MiniLM); got != MiniLMDigest {
		t.Errorf("the digest is %s", got)
	}
	m, err := model.Open(MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "minilm-l6-v2" || m.Hidden != 384 || m.Window != 256 || m.Pooling != model.PoolMean {
		t.Errorf("%+v", m.Config)
	}
	if _, err := embed.New(m); err != nil {
		t.Error(err)
	}
}
