package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// A graph is what an ONNX file computes. The form is protocol buffers, whose fields are
// numbered in onnx.proto; those that say nothing about weights are passed over.
type graph struct {
	values map[string]tensor  // what is known without computing, by name
	made   map[string]*node   // what makes a value
	used   map[string][]*node // what uses one, in the order of the file
}

type node struct {
	name, op   string
	in, out    []string
	attributes map[string]attribute
}

// An attribute has one of these.
type attribute struct {
	real    float32
	number  int64
	text    string
	numbers []int64
	tensor  *tensor
}

func (n *node) String() string { return fmt.Sprintf("%s (%s)", strconv.Quote(n.name), n.op) }

func readONNX(in []byte) (*graph, error) {
	g := &graph{values: map[string]tensor{}, made: map[string]*node{}, used: map[string][]*node{}}
	found := false
	err := fields(in, func(f field) error {
		if f.number != 7 {
			return nil
		}
		found = true
		return f.message(g.field)
	})
	if err == nil && !found {
		err = errors.New("it has no graph")
	}
	return g, err
}

func (g *graph) field(f field) error {
	switch f.number {
	case 1:
		n := &node{attributes: map[string]attribute{}}
		if err := f.message(n.field); err != nil {
			return err
		}
		return g.add(n)
	case 5:
		name, t, err := readTensor(f)
		if err != nil {
			return err
		}
		return g.know(name, t)
	case 15:
		return errors.New("it has a sparse tensor: only dense ones are read")
	}
	return nil
}

// know keeps the value of a name.
func (g *graph) know(name string, t tensor) error {
	if _, twice := g.values[name]; twice || g.made[name] != nil {
		return fmt.Errorf("%q is there twice", name)
	}
	g.values[name] = t
	return nil
}

func (g *graph) add(n *node) error {
	if slices.ContainsFunc([]string{"Quantize", "quantize", "QLinear", "Integer", "NBits"}, func(part string) bool { return strings.Contains(n.op, part) }) {
		return fmt.Errorf("it is quantised (node %s): the weights in floating point are needed", n)
	}
	if n.op == "Constant" && len(n.out) == 1 {
		if t, ok := n.constant(); ok {
			return g.know(n.out[0], t)
		}
	}
	for _, name := range n.out {
		if _, twice := g.values[name]; name != "" && (twice || g.made[name] != nil) {
			return fmt.Errorf("%q is there twice", name)
		}
		g.made[name] = n
	}
	for _, name := range n.in {
		g.used[name] = append(g.used[name], n)
	}
	return nil
}

// constant returns what a node of that kind gives, where it is numbers.
func (n *node) constant() (t tensor, ok bool) {
	for name, a := range n.attributes {
		switch name {
		case "value":
			if a.tensor != nil {
				return *a.tensor, true
			}
		case "value_float":
			return tensor{kind: "F32", data: binary.LittleEndian.AppendUint32(nil, math.Float32bits(a.real))}, true
		case "value_int":
			return integers([]int64{a.number}), true
		case "value_ints":
			return integers(a.numbers), true
		}
	}
	return tensor{}, false
}

func integers(list []int64) tensor {
	t := tensor{kind: "I64", shape: []int{len(list)}}
	for _, n := range list {
		t.data = binary.LittleEndian.AppendUint64(t.data, uint64(n))
	}
	return t
}

func (n *node) field(f field) error {
	switch f.number {
	case 1:
		n.in = append(n.in, string(f.bytes))
	case 2:
		n.out = append(n.out, string(f.bytes))
	case 3:
		n.name = string(f.bytes)
	case 4:
		n.op = string(f.bytes)
	case 5:
		name, a := "", attribute{}
		err := f.message(func(f field) (err error) {
			switch f.number {
			case 1:
				name = string(f.bytes)
			case 2:
				a.real = math.Float32frombits(uint32(f.value))
			case 3:
				a.number = int64(f.value)
			case 4:
				a.text = string(f.bytes)
			case 5:
				var t tensor
				_, t, err = readTensor(f)
				a.tensor = &t
			case 8:
				a.numbers, err = f.numbers(a.numbers)
			}
			return err
		})
		if err != nil {
			return err
		}
		n.attributes[name] = a
	}
	return nil
}

// kinds are the types of numbers, as ONNX numbers them.
var kinds = map[uint64]string{1: "F32", 6: "I32", 7: "I64", 10: "F16", 11: "F64", 16: "BF16"}

// readTensor reads a tensor. Its numbers are raw bytes, or a list whose members are of
// the kind's width or, for those of two bytes, integers.
func readTensor(f field) (name string, t tensor, err error) {
	var dims, narrow []int64
	var long []int64
	external := false
	err = f.message(func(f field) (err error) {
		switch f.number {
		case 1:
			dims, err = f.numbers(dims)
		case 2:
			if t.kind = kinds[f.value]; t.kind == "" {
				t.kind = fmt.Sprintf("type %d", f.value)
			}
		case 4:
			t.data, err = f.floats(t.data)
		case 5:
			narrow, err = f.numbers(narrow)
		case 7:
			long, err = f.numbers(long)
		case 8:
			name = string(f.bytes)
		case 9:
			t.data = f.bytes
		case 13:
			external = true
		case 14:
			external = external || f.value == 1
		}
		return err
	})
	switch {
	case err != nil:
		return "", t, err
	case external:
		return "", t, fmt.Errorf("%s lies in another file (external data): save the model as one file", name)
	case len(long) > 0:
		t.data = integers(long).data
	}
	for _, n := range narrow {
		if t.kind == "I32" {
			t.data = binary.LittleEndian.AppendUint32(t.data, uint32(n))
		} else {
			t.data = binary.LittleEndian.AppendUint16(t.data, uint16(n))
		}
	}
	for _, n := range dims {
		if n < 0 || n > math.MaxInt32 {
			return "", t, fmt.Errorf("%s has the dimension %d", name, n)
		}
		t.shape = append(t.shape, int(n))
	}
	return name, t, nil
}

// integers returns the numbers of a tensor of integers, nil for another.
func (t tensor) integers() []int64 {
	var list []int64
	switch {
	case t.kind == "I64" && len(t.data)%8 == 0:
		for in := range slices.Chunk(t.data, 8) {
			list = append(list, int64(binary.LittleEndian.Uint64(in)))
		}
	case t.kind == "I32" && len(t.data)%4 == 0:
		for in := range slices.Chunk(t.data, 4) {
			list = append(list, int64(int32(binary.LittleEndian.Uint32(in))))
		}
	}
	return list
}

// A field is one of a message: bytes, or a number.
type field struct {
	number protowire.Number
	kind   protowire.Type
	bytes  []byte
	value  uint64
}

// fields calls of for each field of a message.
func fields(in []byte, of func(f field) error) error {
	for len(in) > 0 {
		f := field{}
		var n int
		if f.number, f.kind, n = protowire.ConsumeTag(in); n < 0 {
			return damaged(n)
		}
		in = in[n:]
		switch f.kind {
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(in)
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(in)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(in)
			f.value = uint64(v)
		default:
			n = protowire.ConsumeFieldValue(f.number, f.kind, in)
		}
		if n < 0 {
			return damaged(n)
		}
		in = in[n:]
		if err := of(f); err != nil {
			return err
		}
	}
	return nil
}

func damaged(n int) error {
	return fmt.Errorf("it is cut off or damaged: %w", protowire.ParseError(n))
}

func (f field) message(of func(f field) error) error {
	if f.kind != protowire.BytesType {
		return fmt.Errorf("it is damaged: field %d is no message", f.number)
	}
	return fields(f.bytes, of)
}

// numbers appends the integers of a field: one, or many that are packed.
func (f field) numbers(list []int64) ([]int64, error) {
	if f.kind != protowire.BytesType {
		return append(list, int64(f.value)), nil
	}
	for in := f.bytes; len(in) > 0; {
		v, n := protowire.ConsumeVarint(in)
		if n < 0 {
			return nil, damaged(n)
		}
		list, in = append(list, int64(v)), in[n:]
	}
	return list, nil
}

// floats appends the bytes of the floating-point numbers of a field.
func (f field) floats(list []byte) ([]byte, error) {
	if f.kind == protowire.BytesType {
		return append(list, f.bytes...), nil
	}
	return binary.LittleEndian.AppendUint32(list, uint32(f.value)), nil
}
