// Package config holds the settings of a host: for each its name, its bound, its
// default and the reason for it, in one table.
//
// A setting's value comes from the first of these that has one:
//
//	flag > environment > user file > default
//
// The user file is $XDG_CONFIG_HOME/rookhaven/config.json, one JSON object whose
// members are the settings' names. An environment variable that is set but empty
// counts as unset. A value out of bounds is an error that names the setting and
// where the value came from, whether or not the setting is used: see
// TestR23Environment. [Config.Values] says which source won.
//
// The engine has limits of its own (ABI.md §3.2), and those are the only ones in
// replay; the limits here may be lower, never higher.
package config

import (
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Config holds every setting's value.
type Config struct {
	CorpusPath    string // "" is the empty corpus
	DefaultRecall int64
	MaxRecall     int64
	MaxQueryLen   int64 // UTF-16 units
	MaxCorpusDocs int64
	DefaultSeed   string
	LogLevel      slog.Level
	DataDir       string // "" where this machine has no home
	CacheDir      string // likewise
	Shards        int64  // 0: as many as the machine has use for
	Model         string // a name, NoModel, a file, or a model of a server: ollama:NAME, openai:NAME
	Embedder      Embedder

	Values []Value // in the order of the table
}

// An Embedder says how a server makes vectors, where Model names one of a server.
type Embedder struct {
	Address                     string // "" is the default of its kind
	Dimensions                  int64  // 0: the model's own
	Background                  int64  // the cosine of texts that have nothing to do with each other, in thousandths
	KeyVariable, KeyFile        string
	DocumentPrefix, QueryPrefix string
}

// A Value says what a setting is and why.
type Value struct {
	Setting *Setting
	Text    string
	Origin  Origin
	Where   string // the flag, the variable or the file; "" for a default
}

// An Origin is the kind of source that a value came from.
type Origin string

// The origins, the strongest first.
const (
	Flag        Origin = "flag"
	Environment Origin = "environment"
	UserFile    Origin = "user file"
	Default     Origin = "default"
)

// Value returns the value of the setting with a name.
func (c *Config) Value(name string) Value {
	for _, v := range c.Values {
		if v.Setting.Name == name {
			return v
		}
	}
	panic("config: BUG: no setting " + name)
}

// Sources is where values come from.
type Sources struct {
	Flags  map[string]string // by the setting's name
	Env    func(name string) string
	Home   string // of the user; "" where there is none
	GOOS   string
	Read   func(path string) ([]byte, error) // of the user file
	Absent func(error) bool                  // whether Read's error says that there is no file
}

// Load resolves every setting.
func Load(s Sources) (*Config, error) {
	file, path, err := userFile(s)
	if err != nil {
		return nil, err
	}
	c := &Config{}
	for i := range table {
		v := resolve(&table[i], s, file, path)
		if err := v.Setting.set(c, v.Text); err != "" {
			return nil, abi.Errorf(abi.ConfigInvalid, "%s is %q, it must be %s", v.subject(), v.Text, err)
		}
		c.Values = append(c.Values, v)
	}
	return c, c.agree()
}

func resolve(set *Setting, s Sources, file map[string]string, path string) Value {
	if text, ok := s.Flags[set.Name]; ok {
		return Value{set, text, Flag, "--" + set.Flag}
	}
	if text := s.Env(set.Env); text != "" {
		return Value{set, text, Environment, set.Env}
	}
	if text, ok := file[set.Name]; ok {
		return Value{set, text, UserFile, path}
	}
	return Value{set, set.standard(s), Default, ""}
}

// subject names a value in a sentence.
func (v *Value) subject() string {
	switch v.Origin {
	case UserFile:
		return v.Setting.Name + " in " + v.Where
	case Default:
		return "the default of " + v.Setting.Name
	}
	return v.Where
}

// agree checks the settings that bound each other.
func (c *Config) agree() error {
	if c.DefaultRecall <= c.MaxRecall {
		return nil
	}
	recall, most := c.Value("defaultRecall"), c.Value("maxRecall")
	if recall.Origin == Default {
		// Who only lowers the maximum means all requests.
		c.DefaultRecall = c.MaxRecall
		for i := range c.Values {
			if c.Values[i].Setting.Name == "defaultRecall" {
				c.Values[i].Text = most.Text
			}
		}
		return nil
	}
	return abi.Errorf(abi.ConfigInvalid, "%s is %s, it must be at most %s, which is %s", recall.subject(), recall.Text, most.subject(), most.Text)
}

// userFile reads the user file, if there is one: the text of each value by name.
func userFile(s Sources) (values map[string]string, path string, err error) {
	dir := baseDir(s, "XDG_CONFIG_HOME", "APPDATA", ".config")
	if dir == "" {
		return nil, "", nil
	}
	path = filepath.Join(dir, "config.json")
	in, err := s.Read(path)
	if err != nil {
		if s.Absent(err) {
			return nil, path, nil
		}
		return nil, path, abi.Errorf(abi.ConfigInvalid, "the user file: %s", err.Error())
	}
	if values, err = readFile(in); err != nil {
		return nil, path, abi.Errorf(abi.ConfigInvalid, "%s: %s", path, err.Error())
	}
	return values, path, nil
}

func readFile(in []byte) (map[string]string, error) {
	values := map[string]string{}
	r := json.NewReader(in)
	for name := range r.Object() {
		i := slices.IndexFunc(table, func(s Setting) bool { return s.Name == name })
		if i < 0 {
			r.Unknown(Names())
			break
		}
		if table[i].number {
			values[name] = string(json.AppendInt(nil, r.Int()))
		} else {
			values[name] = r.String()
		}
	}
	return values, r.End()
}

// baseDir returns rookhaven's folder below one of the user's base folders.
// A relative base folder is ignored, as the XDG specification demands, and so is a
// relative home: both would move with the folder that the command runs in.
func baseDir(s Sources, xdg, windows, home string) string {
	if s.GOOS == "windows" {
		if dir := s.Env(windows); filepath.IsAbs(dir) {
			return filepath.Join(dir, "rookhaven")
		}
	} else if dir := s.Env(xdg); filepath.IsAbs(dir) {
		return filepath.Join(dir, "rookhaven")
	}
	if !filepath.IsAbs(s.Home) {
		return ""
	}
	return filepath.Join(s.Home, filepath.FromSlash(home), "rookhaven")
}

// Variables returns the settings' environment variables in the order of the table.
func Variables() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Env
	}
	return names
}

// Misspelt returns, in order, the names in an environment (NAME=value) that look
// like variables of ours and are none: they begin as ours do, in any case.
func Misspelt(environ []string) []string {
	var list []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if value != "" && strings.HasPrefix(strings.ToUpper(name), "ROOKHAVEN_") && !slices.Contains(Variables(), name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Names returns the settings' names in the order of the table.
func Names() []string {
	names := make([]string, len(table))
	for i := range table {
		names[i] = table[i].Name
	}
	return names
}

// Settings returns the table.
func Settings() []Setting { return slices.Clone(table) }

// Level returns the level with a name.
func Level(name string) (level slog.Level, ok bool) {
	i := slices.Index(levels, strings.ToLower(name))
	if i < 0 {
		return 0, false
	}
	return slog.Level(4*i - 4), true
}

var levels = []string{"debug", "info", "warn", "error"}
