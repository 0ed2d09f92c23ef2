package index

import (
	"maps"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/store/disk/disktest"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var foreignTests = []struct {
	name  string
	files map[string]string // below the folder; a name ending in / is an empty folder
	names string            // what is refused; "" where an index is made
}{
	{"an empty folder", nil, ""},
	{"a data folder", map[string]string{"engines/a.wasm": "x", "corpora/a.rkt": "x"}, ""},
	{"hidden files", map[string]string{".gitignore": "*", ".DS_Store": "x"}, ""},
	{"a first publication that was interrupted", map[string]string{"lock": "", "segments/": "", "blobs/": "", "generations/": "", "CURRENT.new": "{"}, ""},
	{"a lock that a crash cut", map[string]string{"lock": `{"command":"rook`}, ""},
	{"a lock that a crash left as zeros", map[string]string{"lock": "\x00\x00"}, ""},
	{"a segment that was never whole", map[string]string{"lock": "", "segments/" + strings.Repeat("a", 64) + ".new": "x"}, ""},
	{"an index without CURRENT and generations", map[string]string{"lock": "", "segments/" + strings.Repeat("a", 64): "x", "CURRENT": "x", "generations/": ""}, ""},

	{"the CURRENT of another", map[string]string{"CURRENT": "MANIFEST-000004\n", "LOG": "x"}, "CURRENT"},
	{"an empty CURRENT", map[string]string{"CURRENT": ""}, "CURRENT"},
	{"the CURRENT of another, and a lock", map[string]string{"CURRENT": "MANIFEST-000004\n", "lock": ""}, "CURRENT"},
	{"segments of another", map[string]string{"segments/_0.cfs": "x"}, "segments"},
	{"blobs of another, with such names", map[string]string{"blobs/" + strings.Repeat("a", 64): "x"}, "blobs"},
	{"generations of another", map[string]string{"generations/1.json": "{}"}, "generations"},
	{"generations that are a file", map[string]string{"generations": "x"}, "generations"},
	{"a lock of another", map[string]string{"lock": "4711"}, "lock"},
	{"documents", map[string]string{"a.md": "x"}, "a.md"},
	{"a name that acts on a terminal", map[string]string{"a\x1b[2J": "x"}, `a\u001b[2J`},
}

// A folder of somebody else's is refused before anything in it is touched.
func TestForeign(t *testing.T) {
	for _, tt := range foreignTests {
		m := disktest.NewMemory()
		for _, folder := range []string{"/data", "/data/engines", "/data/corpora", "/data/segments", "/data/blobs", "/data/generations"} {
			below := strings.TrimPrefix(folder, "/data/") + "/"
			for name := range tt.files {
				if folder == "/data" || strings.HasPrefix(name, below) {
					_ = m.Mkdir(folder)
				}
			}
		}
		for name, content := range tt.files {
			if !strings.HasSuffix(name, "/") {
				m.Put("/data/"+name, content)
			}
		}
		before := m.Files()
		w, err := Open("/data", m).TryLock("a test")
		if tt.names == "" {
			if want(t, tt.name, err, ""); err == nil {
				published(t, w, "d", part{"a", ""})
				want(t, "Close", w.Close(), "")
				want(t, "again", locked(t, Open("/data", m)).Close(), "")
			}
			continue
		}
		want(t, tt.name, err, abi.ArgumentInvalid)
		if !strings.Contains(err.Error(), `there is "`+tt.names+`" in it`) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if !maps.Equal(before, m.Files()) {
			t.Errorf("%s: there was %v, is %v", tt.name, before, m.Files())
		}
	}
}
