package remote

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Kind is a protocol that servers of embeddings speak.
type Kind string

// The kinds.
const (
	Ollama Kind = "ollama" // POST {address}/api/embed
	OpenAI Kind = "openai" // POST {address}/embeddings, of OpenAI and of all who speak it, too
)

// Options say which server makes the vectors and how it is asked. Each field is one
// setting, and its name in a sentence is the field's with a small first letter. Where a
// number, a time or the address is 0 or "", the default holds.
type Options struct {
	// What identifies the vectors: see [Open].

	Kind  Kind
	Model string // its name at the server
	// Dimensions, 1 to 8192, is how many components the server is asked for, where its model
	// can be cut; 0 asks for none and takes the model's own.
	Dimensions int
	// The cosine of texts that have nothing to do with each other, on average, in
	// thousandths: of some models it is far above 0.
	Background int
	// What the model wants before a text that is found, and before one that asks,
	// "search_query: " for instance, the space at its end included.
	DocumentPrefix, QueryPrefix string

	// Where the server is.

	// Address is http or https, host and path, and nothing else; of a server that speaks as
	// OpenAI does up to /v1. Default of Ollama: http://127.0.0.1:11434.
	Address string
	// The name of an environment variable, or a file, that holds the key and nothing else:
	// at most one of the two. A key is no setting, since settings are shown.
	KeyVariable, KeyFile string
	// PlainKey lets the key go over http to another machine, where all on the way can read it.
	PlainKey bool
	// EnvironmentProxy lets HTTP_PROXY, HTTPS_PROXY and NO_PROXY say which way texts go. By
	// default they go straight: an environment that was set for other programs does not decide it.
	EnvironmentProxy bool

	// How it is asked.

	ConnectTimeout time.Duration // to a connection; 10 s, 1 ms to 10 min
	RequestTimeout time.Duration // of one request, connection included; 2 min, in which Ollama also loads a model
	Patience       time.Duration // for the answer to a batch, all repeats included; 5 min, 1 ms to 24 h
	Attempts       int           // how often a batch is sent; 5, 1 to 20
	Concurrent     int           // requests at a time; 2, 1 to 64
	BatchTexts     int           // texts of a request; 32, 1 to 2048: many servers take no more than 32
	BatchBytes     int           // bytes of its texts; 128 KiB, 1 to 16 MiB; a longer text goes alone
}

// A target is where requests go, and the key they carry, "" for none.
type target struct {
	url *url.URL
	key string
}

// settled returns the options with their defaults, and the target.
func (o Options) settled() (Options, target, error) {
	var t target
	var err error
	if t.url, err = o.endpoint(); err == nil {
		err = o.identity()
	}
	bound(&err, "connectTimeout", &o.ConnectTimeout, 10*time.Second, time.Millisecond, 10*time.Minute)
	bound(&err, "requestTimeout", &o.RequestTimeout, 2*time.Minute, time.Millisecond, time.Hour)
	bound(&err, "patience", &o.Patience, 5*time.Minute, time.Millisecond, 24*time.Hour)
	bound(&err, "attempts", &o.Attempts, 5, 1, 20)
	bound(&err, "concurrent", &o.Concurrent, 2, 1, 64)
	bound(&err, "batchTexts", &o.BatchTexts, 32, 1, 2048)
	bound(&err, "batchBytes", &o.BatchBytes, 128<<10, 1, 16<<20)
	if err != nil {
		return o, t, err
	}
	if t.key, err = o.readKey(); err == nil && t.key != "" && !o.PlainKey && !private(t.url) {
		err = invalid("a key goes over https or to this machine only; plainKey lets it go over http, where all on the way can read it")
	}
	return o, t, err
}

// private reports whether nobody on the way can read what is sent.
func private(u *url.URL) bool {
	return u.Scheme == "https" || u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
}

func bound[T int | time.Duration](err *error, name string, value *T, standard, least, most T) {
	if *value == 0 {
		*value = standard
	}
	if *err == nil && (*value < least || *value > most) {
		*err = invalid("%s is %s, it must be between %s and %s", name, fmt.Sprint(*value), fmt.Sprint(least), fmt.Sprint(most))
	}
}

// invalid is a setting that cannot be.
func invalid(format string, args ...any) error {
	return abi.Errorf(abi.ConfigInvalid, "external embedder: "+format, args...)
}

func (o *Options) identity() error {
	switch {
	case o.Model == "":
		return invalid("model is missing: give the name that the server has for it")
	case o.Background < 0 || o.Background > abi.MaxBackground:
		return invalid("background is %d, it must be between 0 and %d thousandths", o.Background, abi.MaxBackground)
	case o.Dimensions < 0 || o.Dimensions > abi.MaxDimensions:
		return invalid("dimensions is %d, it must be between 1 and %d, or 0 for the model's own", o.Dimensions, abi.MaxDimensions)
	}
	for _, text := range []string{o.Model, o.DocumentPrefix, o.QueryPrefix} {
		if !utf8.ValidString(text) {
			return invalid("model, documentPrefix and queryPrefix must be well-formed UTF-8")
		}
	}
	return nil
}

// endpoint returns what requests go to. A user, a query or a fragment is refused
// without being repeated: people keep keys there.
func (o *Options) endpoint() (*url.URL, error) {
	base := o.Address
	var path string
	switch o.Kind {
	case Ollama:
		path = "api/embed"
		if base == "" {
			base = "http://127.0.0.1:11434"
		}
	case OpenAI:
		path = "embeddings"
	default:
		return nil, invalid("kind is %q, it must be %s or %s", string(o.Kind), string(Ollama), string(OpenAI))
	}
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" ||
		u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return nil, invalid("address must be http:// or https://, a host and a path, without user, query and fragment")
	}
	return u.JoinPath(path), nil
}

// mostKey bounds a key, so that a file that is none is not read for one.
const mostKey = 16 << 10

// readKey returns the key, "" where none is configured.
func (o *Options) readKey() (string, error) {
	var key, from string
	switch {
	case o.KeyVariable != "" && o.KeyFile != "":
		return "", invalid("keyVariable and keyFile are both given: give one")
	case o.KeyVariable != "":
		from = "the variable " + o.KeyVariable
		key = os.Getenv(o.KeyVariable)
	case o.KeyFile != "":
		from = o.KeyFile
		content, err := readSmall(o.KeyFile)
		if err != nil {
			return "", invalid("keyFile %q is no file of at most %d bytes that may be read", o.KeyFile, mostKey)
		}
		key = string(content)
	default:
		return "", nil
	}
	key = strings.TrimSpace(key)
	if key == "" || len(key) > mostKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", invalid("%s holds no key: one word of visible ASCII characters", from)
	}
	return key, nil
}

// readSmall reads a file; a pipe, a folder or a long file is an error.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostKey {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}
