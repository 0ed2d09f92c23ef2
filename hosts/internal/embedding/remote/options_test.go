package remote

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

func TestOptions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("EMBEDDER_KEY", secretKey)
	t.Setenv("EMBEDDER_LINES", secretKey+"\r\nX-Other: 1")
	t.Setenv("EMBEDDER_EMPTY", " ")
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		want   string // what is wrong; "" for nothing
		key    string
	}{
		{"as they are", func(*Options) {}, "", ""},
		{"no address of Ollama", func(o *Options) { o.Kind, o.Address = Ollama, "" }, "", ""},
		{"no address of another", func(o *Options) { o.Address = "" }, "address must be", ""},
		{"no kind", func(o *Options) { o.Kind = "" }, `kind is "", it must be ollama or openai`, ""},
		{"another kind", func(o *Options) { o.Kind = "Ollama" }, `kind is "Ollama"`, ""},
		{"no model", func(o *Options) { o.Model = "" }, "model is missing", ""},
		{"a model in no UTF-8", func(o *Options) { o.Model = "\xff" }, "UTF-8", ""},
		{"a prefix in no UTF-8", func(o *Options) { o.QueryPrefix = "\xff" }, "UTF-8", ""},
		{"dimensions below", func(o *Options) { o.Dimensions = -1 }, "dimensions is -1", ""},
		{"dimensions above", func(o *Options) { o.Dimensions = 8193 }, "dimensions is 8193", ""},
		{"a file as address", func(o *Options) { o.Address = "file:///etc/passwd" }, "address must be", ""},
		{"no scheme", func(o *Options) { o.Address = "embedder.example:8080/v1" }, "address must be", ""},
		{"no host", func(o *Options) { o.Address = "https:///v1" }, "address must be", ""},
		{"a port without host", func(o *Options) { o.Address = "http://:8080" }, "address must be", ""},
		{"no address at all", func(o *Options) { o.Address = "http://[" + secretKey }, "address must be", ""},
		{"a user in the address", func(o *Options) { o.Address = "https://me:" + secretKey + "@embedder.example" }, "address must be", ""},
		{"a key in the address", func(o *Options) { o.Address = "https://embedder.example/v1?key=" + secretKey }, "address must be", ""},
		{"a fragment in the address", func(o *Options) { o.Address = "https://embedder.example/v1#" + secretKey }, "address must be", ""},
		{"time below", func(o *Options) { o.ConnectTimeout = time.Microsecond }, "connectTimeout is 1µs, it must be between 1ms and 10m0s", ""},
		{"time above", func(o *Options) { o.RequestTimeout = 2 * time.Hour }, "requestTimeout is 2h0m0s", ""},
		{"patience below 0", func(o *Options) { o.Patience = -1 }, "patience is -1ns", ""},
		{"attempts above", func(o *Options) { o.Attempts = 21 }, "attempts is 21, it must be between 1 and 20", ""},
		{"concurrent above", func(o *Options) { o.Concurrent = 65 }, "concurrent is 65", ""},
		{"texts above", func(o *Options) { o.BatchTexts = 2049 }, "batchTexts is 2049", ""},
		{"bytes below", func(o *Options) { o.BatchBytes = -5 }, "batchBytes is -5", ""},

		{"a key of a variable", func(o *Options) { o.KeyVariable = "EMBEDDER_KEY" }, "", secretKey},
		{"a key of a file", func(o *Options) { o.KeyFile = file("key", "\n"+secretKey+"\n") }, "", secretKey},
		{"both", func(o *Options) { o.KeyVariable, o.KeyFile = "EMBEDDER_KEY", file("key", secretKey) }, "both given", ""},
		{"a variable that is not set", func(o *Options) { o.KeyVariable = "EMBEDDER_NONE" }, "the variable EMBEDDER_NONE holds no key", ""},
		{"a variable that is empty", func(o *Options) { o.KeyVariable = "EMBEDDER_EMPTY" }, "the variable EMBEDDER_EMPTY holds no key", ""},
		{"a variable of two lines", func(o *Options) { o.KeyVariable = "EMBEDDER_LINES" }, "the variable EMBEDDER_LINES holds no key", ""},
		{"no such file", func(o *Options) { o.KeyFile = filepath.Join(dir, "none") }, "is no file", ""},
		{"a folder", func(o *Options) { o.KeyFile = dir }, "is no file", ""},
		{"an empty file", func(o *Options) { o.KeyFile = file("empty", "\n") }, "holds no key", ""},
		{"a long file", func(o *Options) { o.KeyFile = file("long", strings.Repeat(secretKey, 1000)) }, "is no file of at most 16384 bytes", ""},
		{"letters that no header takes", func(o *Options) { o.KeyFile = file("letters", "ключ") }, "holds no key", ""},
		{"over http", func(o *Options) { o.Address, o.KeyVariable = "http://embedder.example", "EMBEDDER_KEY" }, "a key goes over https", ""},
		{"over http, as was said", func(o *Options) {
			o.Address, o.KeyVariable, o.PlainKey = "http://embedder.example", "EMBEDDER_KEY", true
		}, "", secretKey},
		{"over http to a name that begins like this machine's", func(o *Options) { o.Address, o.KeyVariable = "http://localhost.example", "EMBEDDER_KEY" }, "a key goes over https", ""},
		{"over http to this machine", func(o *Options) { o.Address, o.KeyVariable = "http://localhost:8080", "EMBEDDER_KEY" }, "", secretKey},
		{"over http to this machine by number", func(o *Options) { o.Address, o.KeyVariable = "http://[::1]:8080", "EMBEDDER_KEY" }, "", secretKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Kind: OpenAI, Model: "tide", Address: "https://embedder.example/v1"}
			tt.change(&o)
			_, target, err := o.settled()
			if tt.want == "" {
				if err != nil || target.key != tt.key {
					t.Errorf("key %q, %v", target.key, err)
				}
				return
			}
			if codeOf(err) != abi.ConfigInvalid || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
			leaks(t, err)
		})
	}
}

func TestDefaults(t *testing.T) {
	o, target, err := Options{Kind: Ollama, Model: "tide"}.settled()
	if err != nil {
		t.Fatal(err)
	}
	want := Options{
		Kind: Ollama, Model: "tide",
		ConnectTimeout: 10 * time.Second, RequestTimeout: 2 * time.Minute, Patience: 5 * time.Minute,
		Attempts: 5, Concurrent: 2, BatchTexts: 32, BatchBytes: 131072,
	}
	if o != want || target.url.String() != "http://127.0.0.1:11434/api/embed" {
		t.Errorf("%+v at %s", o, target.url)
	}
}

func TestEndpoint(t *testing.T) {
	for _, tt := range []struct {
		kind          Kind
		address, want string
	}{
		{OpenAI, "https://api.example/v1", "https://api.example/v1/embeddings"},
		{OpenAI, "https://api.example/v1/", "https://api.example/v1/embeddings"},
		{OpenAI, "https://api.example", "https://api.example/embeddings"},
		{Ollama, "http://gpu:11434/", "http://gpu:11434/api/embed"},
		{Ollama, "http://gpu/ollama", "http://gpu/ollama/api/embed"},
	} {
		o := Options{Kind: tt.kind, Address: tt.address}
		if u, err := o.endpoint(); err != nil || u.String() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.address, u, err, tt.want)
		}
	}
}
