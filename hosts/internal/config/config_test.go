package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// sources returns a machine with a home, an environment and a user file.
func sources(env map[string]string, file string, flags map[string]string) Sources {
	return Sources{
		Flags: flags,
		Env:   func(name string) string { return env[name] },
		Home:  "/home/ada", GOOS: "linux",
		Read: func(path string) ([]byte, error) {
			if file == "" || path != filepath.FromSlash("/home/ada/.config/rookhaven/config.json") {
				return nil, fs.ErrNotExist
			}
			return []byte(file), nil
		},
		Absent: func(err error) bool { return errors.Is(err, fs.ErrNotExist) },
	}
}

// The seven variables of the retrieval product: their defaults, and the values at
// and beyond their bounds.
func TestR23Environment(t *testing.T) {
	for _, tt := range []struct {
		name     string
		variable string
		standard string
		good     []string
		bad      []string
	}{
		{"corpusPath", "ROOKHAVEN_CORPUS_PATH", "", []string{"docs.json", "/a b/c"}, []string{"\xff"}},
		{"defaultRecall", "ROOKHAVEN_DEFAULT_RECALL", "10", []string{"1", "1000"}, []string{"0", "1001", "-1", "1.5", "ten", " 1", "+1", "1e2"}},
		{"maxRecall", "ROOKHAVEN_MAX_RECALL", "1000", []string{"10", "100000"}, []string{"0", "100001", "x", "99999999999999999999"}},
		{"maxQueryLen", "ROOKHAVEN_MAX_QUERY_LEN", "4096", []string{"1", "65536"}, []string{"0", "65537"}},
		{"maxCorpusDocs", "ROOKHAVEN_MAX_CORPUS_DOCS", "100000", []string{"1", "10000000"}, []string{"0", "10000001"}},
		{"defaultSeed", "ROOKHAVEN_DEFAULT_SEED", "rookhaven-default", []string{"run-1", "😀"}, []string{"\xc0", strings.Repeat("x", 65537)}},
		{"logLevel", "ROOKHAVEN_LOG_LEVEL", "info", []string{"debug", "info", "warn", "error", "WARN"}, []string{"trace", "1"}},
	} {
		if c, err := Load(sources(nil, "", nil)); err != nil || c.Value(tt.name).Text != tt.standard || c.Value(tt.name).Origin != Default {
			t.Errorf("default of %s: %v, %v", tt.name, c, err)
		}
		for _, value := range tt.good {
			c, err := Load(sources(map[string]string{tt.variable: value}, "", nil))
			if err != nil {
				t.Errorf("%s=%q: %v", tt.variable, value, err)
			} else if v := c.Value(tt.name); v.Text != value || v.Origin != Environment || v.Where != tt.variable {
				t.Errorf("%s=%q: %+v", tt.variable, value, v)
			}
		}
		for _, value := range tt.bad {
			_, err := Load(sources(map[string]string{tt.variable: value}, "", nil))
			var e *abi.Error
			if !errors.As(err, &e) || e.Code != abi.ConfigInvalid || !strings.Contains(e.Sentence, tt.variable) {
				t.Errorf("%s=%q: %v", tt.variable, value, err)
			}
		}
	}
}

func TestPrecedence(t *testing.T) {
	env := map[string]string{"ROOKHAVEN_MAX_RECALL": "300"}
	file := `{"maxRecall": 200}`
	flags := map[string]string{"maxRecall": "400"}
	for _, tt := range []struct {
		name   string
		from   Sources
		want   int64
		origin Origin
	}{
		{"a flag beats all", sources(env, file, flags), 400, Flag},
		{"the environment beats the file", sources(env, file, nil), 300, Environment},
		{"an empty variable counts as unset", sources(map[string]string{"ROOKHAVEN_MAX_RECALL": ""}, file, nil), 200, UserFile},
		{"the file beats the default", sources(nil, file, nil), 200, UserFile},
		{"the default is the last", sources(nil, "", nil), 1000, Default},
	} {
		c, err := Load(tt.from)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if v := c.Value("maxRecall"); c.MaxRecall != tt.want || v.Origin != tt.origin {
			t.Errorf("%s: %d from %s", tt.name, c.MaxRecall, v.Origin)
		}
	}
}

func TestUserFile(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"an unknown name is suggested", `{"maxRecal": 5}`, `did you mean "maxRecall"?`},
		{"a number in quotes is refused", `{"maxRecall": "5"}`, "expected an integer"},
		{"a bound names the file", `{"maxRecall": 0}`, "maxRecall in "},
		{"no JSON", `maxRecall = 5`, "config.json"},
	} {
		if _, err := Load(sources(nil, tt.file, nil)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestDefaultRecallFollowsTheMaximum(t *testing.T) {
	c, err := Load(sources(map[string]string{"ROOKHAVEN_MAX_RECALL": "5"}, "", nil))
	if err != nil || c.DefaultRecall != 5 || c.Value("defaultRecall").Text != "5" {
		t.Errorf("a lower maximum alone: %v", err)
	}
	_, err = Load(sources(map[string]string{"ROOKHAVEN_MAX_RECALL": "5", "ROOKHAVEN_DEFAULT_RECALL": "6"}, "", nil))
	if err == nil || !strings.Contains(err.Error(), "ROOKHAVEN_DEFAULT_RECALL is 6, it must be at most ROOKHAVEN_MAX_RECALL, which is 5") {
		t.Errorf("a default above the maximum: %v", err)
	}
}

func TestFolders(t *testing.T) {
	for _, tt := range []struct {
		name        string
		env         map[string]string
		home, goos  string
		data, cache string
	}{
		{"home", nil, "/home/ada", "linux", "/home/ada/.local/share/rookhaven", "/home/ada/.cache/rookhaven"},
		{"XDG", map[string]string{"XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"}, "/home/ada", "linux", "/d/rookhaven", "/c/rookhaven"},
		{"a relative base folder is ignored", map[string]string{"XDG_DATA_HOME": "d"}, "/home/ada", "linux", "/home/ada/.local/share/rookhaven", "/home/ada/.cache/rookhaven"},
		{"own variables win", map[string]string{"ROOKHAVEN_DATA_DIR": "/x", "XDG_DATA_HOME": "/d"}, "", "linux", "/x", ""},
		{"no home", nil, "", "linux", "", ""},
	} {
		s := sources(tt.env, "", nil)
		s.Home, s.GOOS = tt.home, tt.goos
		if c, err := Load(s); err != nil || c.DataDir != filepath.FromSlash(tt.data) || c.CacheDir != filepath.FromSlash(tt.cache) {
			t.Errorf("%s: %q %q, %v", tt.name, c.DataDir, c.CacheDir, err)
		}
	}
}

// A setting has one name in each place, and no two share one.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings() {
		for _, name := range []string{s.Name, s.Env, "--" + s.Flag} {
			if name == "" || name == "--" || seen[name] {
				t.Errorf("%s: the name %q is empty or taken", s.Name, name)
			}
			seen[name] = true
		}
		if s.Bound == "" || s.Reason == "" {
			t.Errorf("%s has no bound or no reason", s.Name)
		}
	}
}
