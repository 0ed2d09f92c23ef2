package config

import (
	"strconv"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Setting is one row of the table.
type Setting struct {
	Name   string // in the user file
	Env    string
	Flag   string // without the dashes
	Bound  string // what a value must be
	Reason string // for the default and the bound

	number   bool // written without quotes in the user file
	standard func(Sources) string
	set      func(c *Config, text string) (must string) // "" when the text is in bounds
}

// table is the one table of settings.
var table = []Setting{
	{
		Name: "corpusPath", Env: "ROOKHAVEN_CORPUS_PATH", Flag: "corpus",
		Bound:  "a file: a JSON array of documents, or one document a line",
		Reason: "Without one the corpus is empty, and every answer says so.",
		set:    text(func(c *Config) *string { return &c.CorpusPath }), standard: constant(""),
	},
	{
		Name: "defaultRecall", Env: "ROOKHAVEN_DEFAULT_RECALL", Flag: "default-recall",
		Bound:  "an integer between 1 and maxRecall",
		Reason: "Ten passages fit into an agent's context beside its task.",
		number: true, set: integer(1, abi.MaxBudget, func(c *Config) *int64 { return &c.DefaultRecall }), standard: constant("10"),
	},
	{
		Name: "maxRecall", Env: "ROOKHAVEN_MAX_RECALL", Flag: "max-recall",
		Bound:  "an integer between 1 and 100000",
		Reason: "A thousand passages are more than a client takes; 100000 is the engine's own limit.",
		number: true, set: integer(1, abi.MaxBudget, func(c *Config) *int64 { return &c.MaxRecall }), standard: constant("1000"),
	},
	{
		Name: "maxQueryLen", Env: "ROOKHAVEN_MAX_QUERY_LEN", Flag: "max-query-len",
		Bound:  "an integer between 1 and 65536, in UTF-16 units",
		Reason: "Longer texts are documents, not questions; 65536 is the engine's own limit.",
		number: true, set: integer(1, abi.MaxQuery, func(c *Config) *int64 { return &c.MaxQueryLen }), standard: constant("4096"),
	},
	{
		Name: "maxCorpusDocs", Env: "ROOKHAVEN_MAX_CORPUS_DOCS", Flag: "max-corpus-docs",
		Bound:  "an integer between 1 and 10000000",
		Reason: "The profile cosine scores every document; a hundred thousand still answer in a second.",
		number: true, set: integer(1, 10_000_000, func(c *Config) *int64 { return &c.MaxCorpusDocs }), standard: constant("100000"),
	},
	{
		Name: "defaultSeed", Env: "ROOKHAVEN_DEFAULT_SEED", Flag: "default-seed",
		Bound:  "a text of at most 65536 UTF-16 units",
		Reason: "Ties need a seed; any fixed one makes equal questions give equal answers.",
		set:    seed, standard: constant(abi.Default().Seed),
	},
	{
		Name: "logLevel", Env: "ROOKHAVEN_LOG_LEVEL", Flag: "log-level",
		Bound:  "debug, info, warn or error",
		Reason: "At info there is one line for each start, reload and failure, never a query or a text.",
		set:    level, standard: constant("info"),
	},
	{
		Name: "dataDir", Env: "ROOKHAVEN_DATA_DIR", Flag: "data-dir",
		Bound:  "a folder",
		Reason: "It keeps the engines and corpus leaves that later replays need.",
		set:    text(func(c *Config) *string { return &c.DataDir }),
		standard: func(s Sources) string {
			return baseDir(s, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share")
		},
	},
	{
		Name: "cacheDir", Env: "ROOKHAVEN_CACHE_DIR", Flag: "cache-dir",
		Bound:  "a folder that only this user may enter",
		Reason: "It keeps the compiled engine, which is executed; without it each start compiles anew.",
		set:    text(func(c *Config) *string { return &c.CacheDir }),
		standard: func(s Sources) string {
			if s.GOOS == "windows" && s.Env("LOCALAPPDATA") != "" {
				return baseDir(s, "", "LOCALAPPDATA", "") + `\cache`
			}
			return baseDir(s, "XDG_CACHE_HOME", "", ".cache")
		},
	},
	{
		Name: "model", Env: "ROOKHAVEN_MODEL", Flag: "model",
		Bound:  "minilm-l6-v2, the digest of a model that was added, a file in .rkm, ollama:NAME, openai:NAME, or none",
		Reason: "What an index finds by meaning beside words, a model makes vectors of; the one that is built in needs nothing else.",
		set:    text(func(c *Config) *string { return &c.Model }), standard: constant(BuiltInModel),
	},
	{
		Name: "embedderAddress", Env: "ROOKHAVEN_EMBEDDER_ADDRESS", Flag: "embedder-address",
		Bound:  "http or https, a host and a path; of a server that speaks as OpenAI does up to /v1",
		Reason: "Ollama listens on this machine; any other server has to be named.",
		set:    text(func(c *Config) *string { return &c.Embedder.Address }), standard: constant(""),
	},
	{
		Name: "embedderDimensions", Env: "ROOKHAVEN_EMBEDDER_DIMENSIONS", Flag: "embedder-dimensions",
		Bound:  "an integer between 0 and 8192; 0 asks the server",
		Reason: "A number given saves a request at each start.",
		number: true, set: integer(0, abi.MaxDimensions, func(c *Config) *int64 { return &c.Embedder.Dimensions }), standard: constant("0"),
	},
	{
		Name: "embedderBackground", Env: "ROOKHAVEN_EMBEDDER_BACKGROUND", Flag: "embedder-background",
		Bound:  "an integer between 0 and 900, in thousandths",
		Reason: "Of some models texts that have nothing to do with each other have a cosine of 0.5, or more: without it, every question seems to have an answer.",
		number: true, set: integer(0, abi.MaxBackground, func(c *Config) *int64 { return &c.Embedder.Background }), standard: constant("0"),
	},
	{
		Name: "embedderKeyVariable", Env: "ROOKHAVEN_EMBEDDER_KEY_VARIABLE", Flag: "embedder-key-variable",
		Bound:  "the name of an environment variable",
		Reason: "A key is no setting, since settings are shown.",
		set:    text(func(c *Config) *string { return &c.Embedder.KeyVariable }), standard: constant(""),
	},
	{
		Name: "embedderKeyFile", Env: "ROOKHAVEN_EMBEDDER_KEY_FILE", Flag: "embedder-key-file",
		Bound:  "a file that holds the key and nothing else",
		Reason: "A key is no setting, since settings are shown.",
		set:    text(func(c *Config) *string { return &c.Embedder.KeyFile }), standard: constant(""),
	},
	{
		Name: "embedderDocumentPrefix", Env: "ROOKHAVEN_EMBEDDER_DOCUMENT_PREFIX", Flag: "embedder-document-prefix",
		Bound:  "a text, the space at its end included",
		Reason: "Some models want something said before a text that is found.",
		set:    text(func(c *Config) *string { return &c.Embedder.DocumentPrefix }), standard: constant(""),
	},
	{
		Name: "embedderQueryPrefix", Env: "ROOKHAVEN_EMBEDDER_QUERY_PREFIX", Flag: "embedder-query-prefix",
		Bound:  "a text, the space at its end included",
		Reason: "Some models want something said before a text that asks.",
		set:    text(func(c *Config) *string { return &c.Embedder.QueryPrefix }), standard: constant(""),
	},
	{
		Name: "shards", Env: "ROOKHAVEN_SHARDS", Flag: "shards",
		Bound:  "an integer between 0 and 64; 0 chooses by the size of the corpus and the machine",
		Reason: "More shards answer faster on more cores and change no byte of an answer.",
		number: true, set: integer(0, 64, func(c *Config) *int64 { return &c.Shards }), standard: constant("0"),
	},
}

// The values of model that are no file.
const (
	BuiltInModel = "minilm-l6-v2"
	NoModel      = "none"
)

func constant(text string) func(Sources) string { return func(Sources) string { return text } }

func text(of func(*Config) *string) func(*Config, string) string {
	return func(c *Config, text string) string {
		*of(c) = text
		if !utf8.ValidString(text) {
			return "well-formed UTF-8"
		}
		return ""
	}
}

func integer(least, most int64, of func(*Config) *int64) func(*Config, string) string {
	return func(c *Config, text string) string {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least || n > most || text[0] == '+' {
			return "an integer between " + strconv.FormatInt(least, 10) + " and " + strconv.FormatInt(most, 10)
		}
		*of(c) = n
		return ""
	}
}

func seed(c *Config, text string) string {
	c.DefaultSeed = text
	if !utf8.ValidString(text) || abi.Units(text) > abi.MaxQuery {
		return "a text of at most 65536 UTF-16 units"
	}
	return ""
}

func level(c *Config, text string) string {
	l, ok := Level(text)
	if !ok {
		return "debug, info, warn or error"
	}
	c.LogLevel = l
	return ""
}
