package discover

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var namedTests = []struct {
	name          string
	given         string
	folder        string
	unix, windows []string // beside the name itself
}{
	{"an id", "ops/cranes.md", "", nil, nil},
	{"backslashes", `ops\cranes.md`, "", nil, []string{"ops/cranes.md"}},
	{"both", `ops\old/cranes.md`, "", nil, []string{"ops/old/cranes.md"}},
	{"from here", "./ops/cranes.md", "", []string{"ops/cranes.md"}, []string{"ops/cranes.md"}},
	{"from here, with backslashes", `.\ops\cranes.md`, "", nil, []string{"ops/cranes.md"}},
	{"up and down", `ops\..\tides.md`, "", nil, []string{"tides.md"}},
	{"a name alone", "tides.md", `C:\docs`, nil, nil},
	{"below the folder", "/docs/ops/cranes.md", "/docs", []string{"ops/cranes.md"}, []string{"ops/cranes.md"}},
	{"below the folder, which ends with /", "/docs/a.md", "/docs/", []string{"a.md"}, []string{"a.md"}},
	{"below the root", "/a.md", "/", []string{"a.md"}, []string{"a.md"}},
	{"beside the folder", "/docs2/a.md", "/docs", nil, nil},
	{"the folder itself", "/docs", "/docs", nil, nil},
	{"an unknown folder", "/docs/a.md", "", nil, nil},
	{"another case", "/DOCS/A.md", "/docs", nil, []string{"A.md"}},
	{"a drive", `C:\docs\ops\cranes.md`, `C:\docs`, nil, []string{"C:/docs/ops/cranes.md", "ops/cranes.md"}},
	{"a drive, with /", "c:/docs/ops/cranes.md", `C:\Docs\`, nil, []string{"ops/cranes.md"}},
	{"another drive", `D:\docs\a.md`, `C:\docs`, nil, []string{"D:/docs/a.md"}},
	{"the root of a drive", `C:\a.md`, `C:\`, nil, []string{"C:/a.md", "a.md"}},
	{"a drive without a root", `C:a.md`, `C:\docs`, nil, nil},
	{"a share", `\\host\share\docs\a.md`, `\\host\share\docs`, nil, []string{"/host/share/docs/a.md", "a.md"}},
	{"letters that grow by folding", "/dooooocs/a.md", "/\u212a", nil, nil},
	{"nothing", "", "/docs", nil, nil},
	{"here", ".", "/docs", nil, nil},
}

// X43: however a document is named on Windows, its id is among what is looked for, and
// so is the name as it is spelt.
func TestX43NamedDocuments(t *testing.T) {
	for _, tt := range namedTests {
		for separator, more := range map[byte][]string{'/': tt.unix, '\\': tt.windows} {
			want := append([]string{tt.given}, more...)
			if got := IDs(tt.given, tt.folder, separator); !slices.Equal(got, want) {
				t.Errorf("%s, separator %c: IDs(%q, %q) = %q, want %q", tt.name, separator, tt.given, tt.folder, got, want)
			}
		}
	}
}

// A file that is found is found again by its path, as this system spells it.
func TestX43PathsNameTheirDocuments(t *testing.T) {
	root := filepath.Join(t.TempDir(), "docs")
	for _, at := range []string{"a.md", "ops/cranes.md", "ops/Ä ö/x.y.txt"} {
		whole := filepath.Join(root, filepath.FromSlash(at))
		id := idBelow(root, "", whole)
		if id != at || strings.Contains(id, `\`) || !slices.Contains(IDs(whole, root, filepath.Separator), id) {
			t.Errorf("%s has the id %q, and is looked for as %q", whole, id, IDs(whole, root, filepath.Separator))
		}
		if spelt := filepath.FromSlash(path.Join(".", at)); !slices.Contains(IDs(spelt, "", filepath.Separator), id) {
			t.Errorf("%s is looked for as %q", spelt, IDs(spelt, "", filepath.Separator))
		}
	}
}
