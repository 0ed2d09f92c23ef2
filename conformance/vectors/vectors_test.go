package vectors_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/conformance/vectors"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/embed/model/modeltest"
)

// Vectors that were made are kept, for the model that made them and for no other.
func TestStore(t *testing.T) {
	folder, texts := t.TempDir(), []string{"a crane", "the tide", "a crane"}
	t.Setenv("XDG_CACHE_HOME", folder) // of Linux
	t.Setenv("HOME", folder)           // of macOS
	files := make([]string, 2)
	for i := range files {
		files[i] = filepath.Join(folder, string(rune('a'+i))+".rkm")
		m := modeltest.Random(modeltest.Config(), modeltest.Ordinary(uint64(i)))
		if err := os.WriteFile(files[i], model.Encode(m), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(name string) *vectors.Store {
		t.Helper()
		s, err := vectors.OpenFile(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open(files[0])
	made, err := s.Make(t.Context(), texts)
	if n := s.Dimensions; err != nil || n != modeltest.Config().Hidden || len(made) != 3*n || !bytes.Equal(made[:n], made[2*n:]) {
		t.Fatalf("%d bytes of %d dimensions, %v", len(made), n, err)
	}
	if kept, err := open(files[0]).Kept(texts); err != nil || !bytes.Equal(kept, made) {
		t.Errorf("opened again: %d bytes, %v", len(kept), err)
	}
	for _, other := range []string{files[1], ""} {
		if _, err := open(other).Kept(texts); !errors.Is(err, vectors.ErrMissing) {
			t.Errorf("another model %q: %v", other, err)
		}
	}
	if open("").Model != vectors.Model {
		t.Error("without a name, it is another model than the built-in one")
	}
}

// What is no model is refused by its name.
func TestOpenFileRefuses(t *testing.T) {
	name := filepath.Join(t.TempDir(), "no.rkm")
	if err := os.WriteFile(name, []byte("no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := vectors.OpenFile(t.Context(), name); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
}
