package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An encoder finds the tensors of an encoder of the BERT family in a graph. Exporters keep
// the names of embeddings, norms and biases; those of weights they fold away and store what
// a product takes, which is often the transposed matrix. Weights are therefore what the
// product multiplies by whose sum with a named bias is taken.
type encoder struct {
	*graph
	prefix string // of all names
}

const words = "embeddings.word_embeddings.weight"

func encoderIn(g *graph) (*encoder, error) {
	var found []string
	for name := range g.values {
		if strings.HasSuffix(name, words) {
			found = append(found, strings.TrimSuffix(name, words))
		}
	}
	for name, n := range g.made {
		switch {
		case strings.HasSuffix(name, words):
			found = append(found, strings.TrimSuffix(name, words))
		case n.op == "CumSum":
			return nil, fmt.Errorf("positions are counted as in RoBERTa (node %s), expected a BERT", n)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d tensors are called %s, expected one: a BERT is read whose tensors have the names of Hugging Face's transformers, which an optimised file may lack", len(found), words)
	}
	return &encoder{g, found[0]}, nil
}

// mostSteps is how far a value is followed through nodes that only pass it on, which in a
// damaged graph may be a circle.
const mostSteps = 8

// known returns a value that is given in the file, be it under another name, transposed
// or cast to 32 bits.
func (g *graph) known(name string) (t tensor, ok bool) {
	turned := false
	for range mostSteps {
		if t, ok = g.values[name]; ok {
			t.turned = turned
			return t, true
		}
		n := g.made[name]
		if n == nil || len(n.in) == 0 {
			break
		}
		switch n.op {
		case "Identity":
		case "Cast":
			if kinds[uint64(n.attributes["to"].number)] != "F32" {
				return t, false
			}
		case "Transpose":
			if order := n.attributes["perm"].numbers; len(order) > 0 && !slices.Equal(order, []int64{1, 0}) {
				return t, false
			}
			turned = !turned
		default:
			return t, false
		}
		name = n.in[0]
	}
	return t, false
}

func (e *encoder) tensor(name string) (tensor, error) {
	t, ok := e.known(e.prefix + name)
	if !ok {
		return t, fmt.Errorf("there is no %s", e.prefix+name)
	}
	return t, nil
}

// only returns the one node that uses a value.
func (g *graph) only(name string) (*node, error) {
	if n := g.used[name]; len(n) == 1 {
		return n[0], nil
	}
	return nil, fmt.Errorf("%d nodes use %s, expected one", len(g.used[name]), name)
}

// other returns what a node of two inputs takes beside a value.
func (n *node) other(than string) (string, bool) {
	if len(n.in) != 2 {
		return "", false
	}
	if n.in[0] == than {
		return n.in[1], true
	}
	return n.in[0], true
}

// result returns the value that a node makes, "" for many.
func (n *node) result() string {
	if len(n.out) != 1 {
		return ""
	}
	return n.out[0]
}

// linear returns the node that ends a linear layer, which adds the bias, and what its
// product multiplies by.
func (e *encoder) linear(layer string) (end *node, weights string, turned bool, err error) {
	bias := e.prefix + layer + ".bias"
	if end, err = e.only(bias); err != nil {
		return nil, "", false, err
	}
	if end.op == "Gemm" && len(end.in) == 3 && end.in[2] == bias {
		a := end.attributes
		for _, scale := range []string{"alpha", "beta"} {
			if s, ok := a[scale]; ok && s.real != 1 {
				return nil, "", false, fmt.Errorf("node %s multiplies by %s %g", end, scale, s.real)
			}
		}
		if a["transA"].number != 0 {
			return nil, "", false, fmt.Errorf("node %s transposes its first input", end)
		}
		return end, end.in[1], a["transB"].number == 0, nil
	}
	if product, ok := end.other(bias); ok && end.op == "Add" {
		if n := e.made[product]; n != nil && n.op == "MatMul" && len(n.in) == 2 {
			return end, n.in[1], true, nil
		}
	}
	return nil, "", false, fmt.Errorf("node %s takes %s, expected the sum with a product: the file was optimised, the one before that is needed", end, bias)
}

func (e *encoder) weights(layer string) (tensor, error) {
	_, name, turned, err := e.linear(layer)
	if err != nil {
		return tensor{}, err
	}
	t, ok := e.known(name)
	if !ok || len(t.shape) != 2 {
		return t, fmt.Errorf("%s is multiplied by %s, which is no matrix that the file has", layer, name)
	}
	t.turned = t.turned != turned
	return t, nil
}

// sizes returns what the shapes and constants of the graph say.
func (e *encoder) sizes() (sizes, error) {
	var s sizes
	for _, known := range []struct {
		name   string
		across int
		size   *int
	}{
		{words, 0, &s.pieces},
		{words, 1, &s.hidden},
		{"embeddings.position_embeddings.weight", 0, &s.positions},
		{"embeddings.token_type_embeddings.weight", 0, &s.types},
		{layerName(0) + "intermediate.dense.bias", 0, &s.inner},
	} {
		t, err := e.tensor(known.name)
		if err != nil {
			return s, err
		}
		if len(t.shape) <= known.across || t.turned {
			return s, fmt.Errorf("%s has the shape %v", known.name, t.shape)
		}
		*known.size = t.shape[known.across]
	}
	norms := []string{"embeddings.LayerNorm"}
	for ; ; s.layers++ {
		layer := layerName(s.layers)
		if _, ok := e.known(e.prefix + layer + "attention.self.query.bias"); !ok {
			break
		}
		norms = append(norms, layer+"attention.output.LayerNorm", layer+"output.LayerNorm")
		if err := e.layer(layer, &s); err != nil {
			return s, err
		}
	}
	for _, norm := range norms {
		if err := s.agree(sizes{epsilon: e.epsilon(norm)}, norm); err != nil {
			return s, err
		}
	}
	return s, nil
}

// layer looks at a layer: that it computes what the engine does, with as many heads as those before it.
func (e *encoder) layer(layer string, s *sizes) error {
	query, _, _, err := e.linear(layer + "attention.self.query")
	if err != nil {
		return err
	}
	if err := s.agree(sizes{heads: e.heads(query.result(), s.hidden)}, layer+"attention"); err != nil {
		return err
	}
	widen, _, _, err := e.linear(layer + "intermediate.dense")
	if err != nil {
		return err
	}
	if !e.gelu(widen.result()) {
		return fmt.Errorf("%sintermediate: what follows the product is no GELU by the error function, which is the one that is computed", layer)
	}
	return nil
}

// heads returns in how many heads the channels are split, 0 where that is not said. The
// last two dimensions of a Reshape are heads and channels of one.
func (e *encoder) heads(queries string, hidden int) int {
	for _, n := range e.used[queries] {
		if n.op != "Reshape" || len(n.in) < 2 {
			continue
		}
		shape := e.list(n.in[1])
		if len(shape) < 3 {
			continue
		}
		heads, channels := shape[len(shape)-2], shape[len(shape)-1]
		switch size := int64(hidden); {
		case heads > 0 && heads <= size && size%heads == 0 && (channels == size/heads || channels < 1):
			return int(heads)
		case heads < 1 && channels > 0 && size%channels == 0:
			return int(size / channels)
		}
	}
	return 0
}

// list returns the integers of a value, those that depend on the text as 0.
func (e *encoder) list(name string) []int64 {
	if t, ok := e.known(name); ok {
		return t.integers()
	}
	var list []int64
	if n := e.made[name]; n != nil && n.op == "Concat" && len(n.in) <= 4 {
		for _, in := range n.in {
			part := []int64{0}
			if t, ok := e.known(in); ok {
				part = t.integers()
			}
			list = append(list, part...)
		}
	}
	return list
}

// gelu reports whether a value goes into a GELU: the operator, or the error function of a
// multiple of it.
func (e *encoder) gelu(name string) bool {
	for _, n := range e.used[name] {
		if n.op == "Gelu" {
			return n.attributes["approximate"].text != "tanh"
		}
		if n.op != "Div" && n.op != "Mul" {
			continue
		}
		if slices.ContainsFunc(e.used[n.result()], func(n *node) bool { return n.op == "Erf" }) {
			return true
		}
	}
	return false
}

// epsilon returns that of a norm, 0 where it is not said. A norm is an operator, or is spelt
// out as (x − mean)/√(variance + ε)·gain + shift.
func (e *encoder) epsilon(norm string) float64 {
	gain := e.prefix + norm + ".weight"
	n, err := e.only(gain)
	if err != nil {
		return 0
	}
	if n.op == "LayerNormalization" {
		if a, ok := n.attributes["epsilon"]; ok {
			return decimal(a.real)
		}
		return 1e-5 // what the operator takes of itself
	}
	for _, op := range []string{"Mul", "Div", "Sqrt", "Add"} {
		if n == nil || n.op != op || len(n.in) == 0 {
			return 0
		}
		switch op {
		case "Mul":
			ratio, _ := n.other(gain)
			n = e.made[ratio]
		case "Div":
			n = e.made[n.in[len(n.in)-1]]
		case "Sqrt":
			n = e.made[n.in[0]]
		case "Add":
			return e.constant(n)
		}
	}
	return 0
}

// constant returns the number of 32 bits among the inputs of a node, else 0.
func (e *encoder) constant(n *node) float64 {
	for _, name := range n.in {
		if t, ok := e.known(name); ok && t.kind == "F32" && len(t.data) == 4 {
			return decimal(math.Float32frombits(binary.LittleEndian.Uint32(t.data)))
		}
	}
	return 0
}

// decimal returns the shortest decimal number that a number of 32 bits stands for: the
// authors' 1e-12.
func decimal(f float32) float64 {
	d, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil || math.IsNaN(d) || math.IsInf(d, 0) || d < 0 {
		return 0
	}
	return d
}
