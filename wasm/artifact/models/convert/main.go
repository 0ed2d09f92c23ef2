// Command convert makes a model of the form .rkm of the files of an encoder of the
// BERT family, as its authors published them: model.safetensors, config.json,
// vocab.txt and, where they are there, sentence_bert_config.json and
// 1_Pooling/config.json.
//
//	go run ./wasm/artifact/models/convert -name NAME -source TEXT -licence TEXT [-query TEXT] [-pooling mean|first] [-window N] -o FILE.rkm FOLDER|WHEEL
//
// The same files give the same bytes, and it prints the SHA-256 of them. Of a weight
// the nearest of 255 multiples of its row's scale is kept, which is the greatest of the
// row divided by 127.
package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

func main() {
	var o options
	flag.StringVar(&o.name, "name", "", "the `name` of the model, for people")
	flag.StringVar(&o.source, "source", "", "where the weights come from")
	flag.StringVar(&o.licence, "licence", "", "under which licence")
	flag.StringVar(&o.query, "query", "", "what stands before the text of a query")
	flag.StringVar(&o.pooling, "pooling", "", "mean or first; else as 1_Pooling/config.json says")
	flag.IntVar(&o.window, "window", 0, "tokens that are read together; else as sentence_bert_config.json says")
	out := flag.String("o", "", "the `file` to write")
	flag.Parse()
	if flag.NArg() != 1 || *out == "" || o.name == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out, o); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

type options struct {
	name, source, licence, query, pooling string
	window                                int
}

func run(from, to string, o options) (err error) {
	files, done, err := open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	m, err := convert(files, o)
	if err != nil {
		return err
	}
	b := model.Encode(m)
	if _, err := model.Open(b); err != nil {
		return err
	}
	if err := os.WriteFile(to, b, 0o644); err != nil {
		return err
	}
	fmt.Printf("sha256:%x  %s  %d bytes\n", sha256.Sum256(b), to, len(b))
	return nil
}

// open returns the folder with config.json in a folder or an archive.
func open(name string) (files fs.FS, done func() error, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	root, done := os.DirFS(name), func() error { return nil }
	if !info.IsDir() {
		z, err := zip.OpenReader(name)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		root, done = z, z.Close
	}
	found := ""
	err = fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "model.safetensors" {
			found = path.Dir(p)
			return fs.SkipAll
		}
		return err
	})
	if err == nil && found == "" {
		err = fmt.Errorf("%s has no model.safetensors", name)
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	files, err = fs.Sub(root, found)
	return files, done, err
}

// convert makes a model of the files.
func convert(files fs.FS, o options) (*model.Model, error) {
	m := &model.Model{}
	if err := configure(&m.Config, files, o); err != nil {
		return nil, err
	}
	in, err := fs.ReadFile(files, "vocab.txt")
	if err != nil {
		return nil, err
	}
	m.Vocabulary = strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(in), "\r\n", "\n"), "\n"), "\n")
	if len(m.Vocabulary) != m.Pieces {
		return nil, fmt.Errorf("vocab.txt has %d pieces, config.json says %d", len(m.Vocabulary), m.Pieces)
	}
	if in, err = fs.ReadFile(files, "model.safetensors"); err != nil {
		return nil, err
	}
	t, err := readTensors(in)
	if err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	return m, t.fill(m)
}

// configure reads what the authors say of the encoder.
func configure(c *model.Config, files fs.FS, o options) error {
	var config struct {
		Type       string  `json:"model_type"`
		Activation string  `json:"hidden_act"`
		Position   string  `json:"position_embedding_type"`
		Epsilon    float64 `json:"layer_norm_eps"`
		Hidden     int     `json:"hidden_size"`
		Inner      int     `json:"intermediate_size"`
		Heads      int     `json:"num_attention_heads"`
		Layers     int     `json:"num_hidden_layers"`
		Positions  int     `json:"max_position_embeddings"`
		Types      int     `json:"type_vocab_size"`
		Pieces     int     `json:"vocab_size"`
	}
	var sentence struct {
		Window int `json:"max_seq_length"`
	}
	var pooling struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
	}
	for _, f := range []struct {
		name     string
		into     any
		optional bool
	}{{"config.json", &config, false}, {"sentence_bert_config.json", &sentence, true}, {"1_Pooling/config.json", &pooling, true}} {
		in, err := fs.ReadFile(files, f.name)
		if errors.Is(err, fs.ErrNotExist) && f.optional {
			continue
		}
		if err == nil {
			err = json.Unmarshal(in, f.into)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if config.Type != "bert" || config.Activation != "gelu" || config.Position != "" && config.Position != "absolute" {
		return fmt.Errorf("config.json: model_type %q, hidden_act %q, position_embedding_type %q; expected bert, gelu, absolute", config.Type, config.Activation, config.Position)
	}
	*c = model.Config{
		Name: o.name, Source: o.source, Licence: o.licence, Query: o.query, Pooling: o.pooling, Window: o.window,
		Layers: config.Layers, Heads: config.Heads, Hidden: config.Hidden, Inner: config.Inner,
		Positions: config.Positions, Types: config.Types, Pieces: config.Pieces, Epsilon: uint32(config.Epsilon*(1<<32) + 0.5),
	}
	if c.Pooling == "" && pooling.Mean != pooling.First {
		c.Pooling = map[bool]string{true: model.PoolMean, false: model.PoolFirst}[pooling.Mean]
	}
	if c.Window == 0 {
		c.Window = sentence.Window
	}
	return c.Check()
}
