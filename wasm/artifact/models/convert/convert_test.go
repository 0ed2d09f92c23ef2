package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
)

// The encoder of these tests: its sizes, and the epsilon, whose number of 32 bits is
// another than that of 64.
const (
	hidden, inner, heads, layers, positions, types = 64, 96, 2, 2, 40, 2
	epsilon                                        = 1e-5
)

var vocabulary = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "crane", "tide", "##s"}

// A given tensor is one of the authors', whose numbers 16 bits can hold.
type given struct {
	name   string
	shape  []int
	values []float32
}

func authors() []given {
	var list []given
	seed := uint64(1)
	add := func(name string, shape ...int) {
		g := given{name: name, shape: shape}
		count := 1
		for _, n := range shape {
			count *= n
		}
		for range count {
			seed = seed*6364136223846793005 + 1442695040888963407
			g.values = append(g.values, float32(int64(seed>>33)%255-127)/64)
		}
		list = append(list, g)
	}
	norm := func(name string) {
		add(name+".weight", hidden)
		add(name+".bias", hidden)
	}
	linear := func(name string, rows, columns int) {
		add(name+".weight", rows, columns)
		add(name+".bias", rows)
	}
	add(words, len(vocabulary), hidden)
	add("embeddings.position_embeddings.weight", positions, hidden)
	add("embeddings.token_type_embeddings.weight", types, hidden)
	norm("embeddings.LayerNorm")
	for i := range layers {
		for _, of := range []string{"query", "key", "value"} {
			linear(layerName(i)+"attention.self."+of, hidden, hidden)
		}
		linear(layerName(i)+"attention.output.dense", hidden, hidden)
		norm(layerName(i) + "attention.output.LayerNorm")
		linear(layerName(i)+"intermediate.dense", inner, hidden)
		linear(layerName(i)+"output.dense", hidden, inner)
		norm(layerName(i) + "output.LayerNorm")
	}
	return list
}

func config() map[string]any {
	return map[string]any{
		"model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": epsilon, "hidden_size": hidden, "intermediate_size": inner,
		"num_attention_heads": heads, "num_hidden_layers": layers, "max_position_embeddings": positions, "type_vocab_size": types, "vocab_size": len(vocabulary),
	}
}

func tokenizer() map[string]any {
	ids := map[string]any{}
	for id, piece := range vocabulary {
		ids[piece] = id
	}
	return map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": ids},
	}
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tensorsFile returns the authors' tensors in the form safetensors.
func tensorsFile(t testing.TB) []byte {
	header, data := map[string]any{}, []byte(nil)
	for _, g := range authors() {
		from := len(data)
		for _, v := range g.values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[g.name] = map[string]any{"dtype": "F32", "shape": g.shape, "data_offsets": []int{from, len(data)}}
	}
	b := encoded(t, header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b...), data...)
}

// An exporter writes the authors' encoder as a graph, as the exporters that there are do.
type exporter struct {
	prefix    string
	operators bool // norms and GELU are operators, else they are spelt out
	dense     string
	shape     string // of queries: by heads and channels in a concatenation, or constant
	aliases   bool   // biases are other names of tensors
	store     func(name string, g given) []byte
	edit      func(n *written) // of each node, before it is written

	graph  []byte
	number int
}

// A written node is one as it is encoded.
type written struct {
	op, name   string
	in, out    []string
	attributes [][]byte
}

func bytesField(to []byte, number protowire.Number, b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), b)
}

func varintField(to []byte, number protowire.Number, n int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(to, number, protowire.VarintType), uint64(n))
}

func (n *written) encode() []byte {
	var b []byte
	for _, name := range n.in {
		b = bytesField(b, 1, []byte(name))
	}
	for _, name := range n.out {
		b = bytesField(b, 2, []byte(name))
	}
	b = bytesField(bytesField(b, 3, []byte(n.name)), 4, []byte(n.op))
	for _, a := range n.attributes {
		b = bytesField(b, 5, a)
	}
	return b
}

func realAttribute(name string, v float32) []byte {
	b := protowire.AppendTag(bytesField(nil, 1, []byte(name)), 2, protowire.Fixed32Type)
	return protowire.AppendFixed32(b, math.Float32bits(v))
}

func tensorHead(name string, kind int64, shape ...int) []byte {
	var b []byte
	for _, n := range shape {
		b = varintField(b, 1, int64(n))
	}
	return bytesField(varintField(b, 2, kind), 8, []byte(name))
}

// The ways in which a tensor lies in a file.

func raw32(name string, g given) []byte {
	var data []byte
	for _, v := range g.values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return bytesField(tensorHead(name, 1, g.shape...), 9, data)
}

func packed32(name string, g given) []byte {
	var data []byte
	for _, v := range g.values {
		data = protowire.AppendFixed32(data, math.Float32bits(v))
	}
	return bytesField(tensorHead(name, 1, g.shape...), 4, data)
}

func single32(name string, g given) []byte {
	b := tensorHead(name, 1, g.shape...)
	for _, v := range g.values {
		b = protowire.AppendFixed32(protowire.AppendTag(b, 4, protowire.Fixed32Type), math.Float32bits(v))
	}
	return b
}

func raw16(name string, g given) []byte {
	var data []byte
	for _, v := range g.values {
		data = binary.LittleEndian.AppendUint16(data, halfBits(v))
	}
	return bytesField(tensorHead(name, 10, g.shape...), 9, data)
}

func packed16(name string, g given) []byte {
	var data []byte
	for _, v := range g.values {
		data = protowire.AppendVarint(data, uint64(halfBits(v)))
	}
	return bytesField(tensorHead(name, 10, g.shape...), 5, data)
}

// halfBits returns the binary16 of a number that has one, of eight bits at most.
func halfBits(v float32) uint16 {
	if v == 0 {
		return 0
	}
	bits := math.Float32bits(v)
	return uint16(bits>>31<<15 | (bits>>23&255-112)<<10 | bits>>13&1023)
}

func (x *exporter) node(op string, in ...string) string {
	return x.into(fmt.Sprintf("made_%d", x.number), op, in)
}

func (x *exporter) into(out, op string, in []string, attributes ...[]byte) string {
	x.number++
	n := &written{op: op, name: fmt.Sprintf("%s_%d", op, x.number), in: in, out: []string{out}, attributes: attributes}
	if x.edit != nil {
		x.edit(n)
	}
	x.graph = bytesField(x.graph, 1, n.encode())
	return out
}

func (x *exporter) initial(name string, g given) string {
	x.graph = bytesField(x.graph, 5, x.store(name, g))
	return name
}

// constant returns a value that a node gives.
func (x *exporter) constant(t []byte) string {
	return x.into(fmt.Sprintf("constant_%d", x.number), "Constant", nil, bytesField(bytesField(nil, 1, []byte("value")), 5, t))
}

func (x *exporter) real(v float32) string {
	return x.constant(raw32("", given{values: []float32{v}}))
}

func (x *exporter) integers(list ...int64) string {
	t := tensorHead("", 7, len(list))
	for _, n := range list {
		t = varintField(t, 7, n)
	}
	return x.constant(t)
}

func (x *exporter) norm(from, name string) string {
	gain, shift := x.prefix+name+".weight", x.prefix+name+".bias"
	if x.operators {
		return x.into(fmt.Sprintf("made_%d", x.number), "LayerNormalization", []string{from, gain, shift}, realAttribute("epsilon", epsilon))
	}
	centred := x.node("Sub", from, x.node("ReduceMean", from))
	variance := x.node("ReduceMean", x.node("Pow", centred, x.real(2)))
	ratio := x.node("Div", centred, x.node("Sqrt", x.node("Add", variance, x.real(epsilon))))
	return x.node("Add", x.node("Mul", ratio, gain), shift)
}

func (x *exporter) linear(from, name string, weights given) string {
	bias := x.prefix + name + ".bias"
	across := given{shape: []int{weights.shape[1], weights.shape[0]}, values: make([]float32, len(weights.values))}
	for r := range weights.shape[0] {
		for c := range weights.shape[1] {
			across.values[c*weights.shape[0]+r] = weights.values[r*weights.shape[1]+c]
		}
	}
	folded := fmt.Sprintf("onnx::MatMul_%d", x.number)
	switch x.dense {
	case "gemm":
		return x.into(fmt.Sprintf("made_%d", x.number), "Gemm", []string{from, x.initial(x.prefix+name+".weight", weights), bias}, varintField(bytesField(nil, 1, []byte("transB")), 3, 1))
	case "gemm, folded":
		return x.node("Gemm", from, x.initial(folded, across), bias)
	case "named":
		turned := x.into(fmt.Sprintf("made_%d", x.number), "Transpose", []string{x.initial(x.prefix+name+".weight", weights)}, varintField(varintField(bytesField(nil, 1, []byte("perm")), 8, 1), 8, 0))
		return x.node("Add", x.node("MatMul", from, turned), bias)
	}
	return x.node("Add", bias, x.node("MatMul", from, x.initial(folded, across)))
}

func (x *exporter) split(from string) string {
	shape := ""
	if x.shape == "constant" {
		shape = x.integers(0, -1, heads, hidden/heads)
	} else {
		n := x.node("Unsqueeze", x.node("Gather", x.node("Shape", from), x.integers(0)))
		shape = x.node("Concat", n, n, x.integers(heads), x.integers(hidden/heads))
	}
	return x.node("Transpose", x.node("Reshape", from, shape))
}

func (x *exporter) gelu(from string) string {
	if x.operators {
		return x.node("Gelu", from)
	}
	grown := x.node("Add", x.node("Erf", x.node("Div", from, x.real(math.Sqrt2))), x.real(1))
	return x.node("Mul", x.node("Mul", from, grown), x.real(0.5))
}

func (x *exporter) export() []byte {
	matrices := map[string]given{}
	for _, g := range authors() {
		layer, linear := strings.CutSuffix(g.name, ".weight")
		switch {
		case linear && strings.HasPrefix(layer, "encoder.") && !strings.HasSuffix(layer, "LayerNorm"):
			matrices[layer] = g
		case x.aliases && strings.HasSuffix(g.name, ".bias"):
			x.into(x.prefix+g.name, "Identity", []string{x.initial("shared "+g.name, g)})
		default:
			x.initial(x.prefix+g.name, g)
		}
	}
	at := x.node("Gather", x.prefix+words, "input_ids")
	at = x.node("Add", at, x.node("Gather", x.prefix+"embeddings.token_type_embeddings.weight", "token_type_ids"))
	at = x.node("Add", at, x.node("Gather", x.prefix+"embeddings.position_embeddings.weight", x.integers(0, 1, 2)))
	at = x.norm(at, "embeddings.LayerNorm")
	for i := range layers {
		linear := func(from, name string) string {
			return x.linear(from, layerName(i)+name, matrices[layerName(i)+name])
		}
		q, k := x.split(linear(at, "attention.self.query")), x.split(linear(at, "attention.self.key"))
		v := x.split(linear(at, "attention.self.value"))
		joined := x.node("Reshape", x.node("MatMul", x.node("Softmax", x.node("MatMul", q, k)), v), x.integers(0, 0, hidden))
		at = x.norm(x.node("Add", linear(joined, "attention.output.dense"), at), layerName(i)+"attention.output.LayerNorm")
		wide := x.gelu(linear(at, "intermediate.dense"))
		at = x.norm(x.node("Add", linear(wide, "output.dense"), at), layerName(i)+"output.LayerNorm")
	}
	return bytesField(varintField(nil, 1, 8), 7, x.graph)
}

func exported(with func(x *exporter)) []byte {
	x := &exporter{store: raw32}
	if with != nil {
		with(x)
	}
	return x.export()
}

var said = options{name: "tiny", source: "here", licence: "MIT", query: "asked: ", pooling: model.PoolFirst, window: 32}

func converted(files fstest.MapFS, weights string, o options) ([]byte, error) {
	m, err := convert(&published{files, weights}, o)
	if err != nil {
		return nil, err
	}
	b := model.Encode(m)
	_, err = model.Open(slices.Clone(b))
	return b, err
}

func fromTensors(t testing.TB) []byte {
	t.Helper()
	b, err := converted(fstest.MapFS{
		safetensorsName: {Data: tensorsFile(t)}, "config.json": {Data: encoded(t, config())}, "vocab.txt": {Data: []byte(strings.Join(vocabulary, "\n") + "\n")},
	}, safetensorsName, said)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var exporters = []struct {
	name string
	with func(x *exporter)
}{
	{"spelt out, weights folded", nil},
	{"names have a prefix", func(x *exporter) { x.prefix = "0.auto_model." }},
	{"operators for norms and GELU", func(x *exporter) { x.operators = true }},
	{"a constant shape", func(x *exporter) { x.shape = "constant" }},
	{"Gemm", func(x *exporter) { x.dense = "gemm" }},
	{"Gemm of what was folded", func(x *exporter) { x.dense = "gemm, folded" }},
	{"weights with their names, transposed by a node", func(x *exporter) { x.dense = "named" }},
	{"biases that other names have", func(x *exporter) { x.aliases = true }},
	{"numbers in a packed list", func(x *exporter) { x.store = packed32 }},
	{"numbers one by one", func(x *exporter) { x.store = single32 }},
	{"16 bits", func(x *exporter) { x.store = raw16 }},
	{"16 bits in a packed list", func(x *exporter) { x.store = packed16 }},
}

// A graph gives the bytes that the authors' tensors give, whoever exported it.
func TestGraphIsTensors(t *testing.T) {
	want := fromTensors(t)
	for _, tt := range exporters {
		got, err := converted(fstest.MapFS{"m.onnx": {Data: exported(tt.with)}, "tokenizer.json": {Data: encoded(t, tokenizer())}}, "m.onnx", said)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want the %d of the tensors (%v)", tt.name, len(got), len(want), err)
		}
	}
}

// What a graph does not tell, config.json and flags do.
func TestTold(t *testing.T) {
	want := fromTensors(t)
	silent := exported(func(x *exporter) {
		x.edit = func(n *written) {
			if n.op == "Reshape" || n.op == "Sqrt" {
				n.op = "Custom"
			}
		}
	})
	files := fstest.MapFS{"onnx/model.onnx": {Data: silent}, "vocab.txt": {Data: []byte(strings.Join(vocabulary, "\r\n"))}}
	flags := said
	flags.heads, flags.epsilon = heads, epsilon
	if got, err := converted(files, "onnx/model.onnx", flags); err != nil || !bytes.Equal(got, want) {
		t.Errorf("by flags: %d bytes, %v", len(got), err)
	}
	files["config.json"] = &fstest.MapFile{Data: encoded(t, config())}
	if got, err := converted(files, "onnx/model.onnx", said); err != nil || !bytes.Equal(got, want) {
		t.Errorf("by config.json: %d bytes, %v", len(got), err)
	}
}

// on returns an edit of the nodes of an operator.
func on(op string, edit func(n *written)) func(x *exporter) {
	return func(x *exporter) {
		x.edit = func(n *written) {
			if n.op == op {
				edit(n)
			}
		}
	}
}

func called(op string) func(n *written) { return func(n *written) { n.op = op } }

var refusedGraphs = []struct {
	name string
	with func(x *exporter)
	want string
}{
	{"quantised products", on("MatMul", called("MatMulInteger")), "it is quantised"},
	{"quantised weights", on("Gather", called("DequantizeLinear")), "it is quantised"},
	{"tensors of integers", func(x *exporter) {
		x.store = func(name string, g given) []byte {
			return bytesField(tensorHead(name, 3, g.shape...), 9, make([]byte, len(g.values)))
		}
	}, "bytes of type 3"},
	{"weights in another file", func(x *exporter) {
		x.store = func(name string, g given) []byte {
			return varintField(bytesField(tensorHead(name, 1, g.shape...), 13, nil), 14, 1)
		}
	}, "external data"},
	{"numbers that are missing", func(x *exporter) {
		x.store = func(name string, g given) []byte { return tensorHead(name, 1, g.shape...) }
	}, "0 bytes of F32"},
	{"no names", func(x *exporter) {
		x.store = func(name string, g given) []byte { return raw32("c_"+fmt.Sprint(len(x.graph)), g) }
	}, "0 tensors are called embeddings.word_embeddings.weight"},
	{"fused norms", func(x *exporter) {
		x.operators = true
		x.edit = func(n *written) {
			if n.op == "LayerNormalization" {
				n.op = "SkipLayerNormalization"
			}
		}
	}, "-epsilon"},
	{"a fused bias", on("Add", func(n *written) {
		if strings.HasSuffix(n.in[0], "dense.bias") {
			n.op = "BiasGelu"
		}
	}), "was optimised"},
	{"heads that nothing tells", on("Reshape", called("Custom")), "-heads"},
	{"an epsilon that nothing tells", on("Sqrt", called("Custom")), "-epsilon"},
	{"another activation", on("Erf", called("Tanh")), "no GELU"},
	{"positions of RoBERTa", on("Softmax", called("CumSum")), "RoBERTa"},
	{"a bias of two products", on("Add", func(n *written) {
		if strings.HasSuffix(n.in[0], "key.bias") {
			n.in[0] = strings.Replace(n.in[0], "key", "query", 1)
		}
	}), "2 nodes use encoder.layer.0.attention.self.query.bias"},
	{"a product of two texts", on("MatMul", func(n *written) { n.in[1] = "input_ids" }), "no matrix that the file has"},
	{"a circle", func(x *exporter) {
		x.aliases = true
		x.edit = func(n *written) {
			if n.op == "Identity" {
				n.in = n.out
			}
		}
	}, "there is no encoder.layer.0.intermediate.dense.bias"},
	{"a value that is made twice", on("Add", func(n *written) { n.out[0] = "same" }), "is there twice"},
	{"a sparse tensor", func(x *exporter) { x.graph = bytesField(x.graph, 15, nil) }, "sparse"},
}

func TestGraphIsRefused(t *testing.T) {
	files := fstest.MapFS{"tokenizer.json": {Data: encoded(t, tokenizer())}}
	for _, tt := range refusedGraphs {
		files["m.onnx"] = &fstest.MapFile{Data: exported(tt.with)}
		if _, err := converted(files, "m.onnx", said); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// What surrounds a graph has to fit it.
func TestSurroundingsAreRefused(t *testing.T) {
	changed := func(v map[string]any, value any, path ...string) []byte {
		for at := v; ; path = path[1:] {
			if len(path) == 1 {
				at[path[0]] = value
				return encoded(t, v)
			}
			at = at[path[0]].(map[string]any)
		}
	}
	for _, tt := range []struct {
		name, file string
		content    []byte
		want       string
	}{
		{"other heads", "config.json", changed(config(), 1, "num_attention_heads"), "config.json: heads is 1, elsewhere 2"},
		{"another epsilon", "config.json", changed(config(), 1e-12, "layer_norm_eps"), "config.json: epsilon is 1e-12, elsewhere 1e-05"},
		{"fewer layers", "config.json", changed(config(), 1, "num_hidden_layers"), "config.json: layers is 1, elsewhere 2"},
		{"another family", "config.json", changed(config(), "roberta", "model_type"), `model_type "roberta"`},
		{"capitals", "tokenizer.json", changed(tokenizer(), false, "normalizer", "lowercase"), "capitals or accents"},
		{"accents", "tokenizer.json", changed(tokenizer(), false, "normalizer", "strip_accents"), "capitals or accents"},
		{"pieces of bytes", "tokenizer.json", changed(tokenizer(), "BPE", "model", "type"), "words are cut by BPE"},
		{"no pieces", "tokenizer.json", changed(tokenizer(), nil, "model", "vocab"), "the vocabulary has 0 pieces, expected 7"},
		{"two pieces of one id", "tokenizer.json", changed(tokenizer(), 1, "model", "vocab", "crane"), "has the id 1"},
		{"no JSON", "config.json", []byte("{"), "config.json: unexpected end"},
	} {
		files := fstest.MapFS{"m.onnx": {Data: exported(nil)}, "tokenizer.json": {Data: encoded(t, tokenizer())}}
		files[tt.file] = &fstest.MapFile{Data: tt.content}
		if _, err := converted(files, "m.onnx", said); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Without a window or a pooling that the authors tell, a flag has to.
func TestUntold(t *testing.T) {
	files := fstest.MapFS{"m.onnx": {Data: exported(nil)}, "m-tokenizer.json": {Data: encoded(t, tokenizer())}}
	o := said
	o.window = 0
	if _, err := converted(files, "m.onnx", o); err == nil || !strings.Contains(err.Error(), "-window") {
		t.Errorf("no window: %v", err)
	}
	o = said
	o.pooling = ""
	if _, err := converted(files, "m.onnx", o); err == nil || !strings.Contains(err.Error(), "-pooling") {
		t.Errorf("no pooling: %v", err)
	}
	files["m-tokenizer.json"] = &fstest.MapFile{Data: []byte("{}")}
	files["vocab.txt"] = &fstest.MapFile{Data: []byte("[UNK]\n")}
	if _, err := converted(files, "m.onnx", said); err == nil || !strings.Contains(err.Error(), "words are cut by") {
		t.Errorf("a tokenizer that is not one, beside a list: %v", err)
	}
	delete(files, "m-tokenizer.json")
	if _, err := converted(files, "m.onnx", said); err == nil || !strings.Contains(err.Error(), "the vocabulary has 1 pieces, expected 7") {
		t.Errorf("a short list: %v", err)
	}
	delete(files, "vocab.txt")
	if _, err := converted(files, "m.onnx", said); err == nil || !strings.Contains(err.Error(), "neither tokenizer.json nor vocab.txt") {
		t.Errorf("no vocabulary: %v", err)
	}
}

func TestFind(t *testing.T) {
	for _, tt := range []struct {
		names, want, err string
	}{
		{"a/model.safetensors a/onnx/model.onnx", "a/model.safetensors", ""},
		{"onnx/a.onnx onnx/model.onnx onnx/model_quantized.onnx", "onnx/model.onnx", ""},
		{"bge-small.onnx META-INF/MANIFEST.MF", "bge-small.onnx", ""},
		{"a.onnx b.onnx", "", "it has a.onnx, b.onnx: name the file itself"},
		{"config.json", "", "neither model.safetensors nor a file *.onnx"},
	} {
		root := fstest.MapFS{}
		for _, name := range strings.Fields(tt.names) {
			root[name] = &fstest.MapFile{}
		}
		p, err := find(root)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %q", tt.names, err, tt.err)
			}
		} else if err != nil || p.weights != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.names, p, err, tt.want)
		}
	}
}

// A graph that is cut anywhere is refused: its end is the last layer's.
func TestCutGraph(t *testing.T) {
	whole := exported(nil)
	files := fstest.MapFS{"tokenizer.json": {Data: encoded(t, tokenizer())}}
	for n := 0; n < len(whole); n += 1 + n/50 {
		files["m.onnx"] = &fstest.MapFile{Data: whole[:n]}
		if _, err := converted(files, "m.onnx", said); err == nil {
			t.Errorf("cut to %d of %d bytes, it was read", n, len(whole))
		}
	}
}

// Whatever the bytes are, a graph is refused or gives a model that opens. They are those of
// an exporter, some of them others, and what comes after; of no exporter, that alone.
func FuzzGraph(f *testing.F) {
	graphs := [][]byte{nil}
	for i, tt := range exporters {
		graphs = append(graphs, exported(tt.with))
		f.Add(uint8(i+1), 1000*i, []byte{0x12, 0xff}, []byte{})
	}
	f.Add(uint8(0), 0, []byte{}, bytesField(nil, 7, bytesField(nil, 5, tensorHead(words, 1, 7, hidden))))
	vocabulary := encoded(f, tokenizer())
	f.Fuzz(func(t *testing.T, of uint8, at int, put, rest []byte) {
		in := append(slices.Clone(graphs[int(of)%len(graphs)]), rest...)
		if at >= 0 && at < len(in) {
			copy(in[at:], put)
		}
		m, err := convert(&published{fstest.MapFS{"m.onnx": {Data: in}, "tokenizer.json": {Data: vocabulary}}, "m.onnx"}, said)
		if err != nil {
			return
		}
		if _, err := model.Open(model.Encode(m)); err != nil {
			t.Errorf("it was converted, and does not open: %v", err)
		}
	})
}
