// Package model is the form in which an encoder of texts lies in a file, .rkm: the
// weights of a transformer as integers, the pieces of its words, and what it takes
// to run it.
//
// [Open] refuses what is damaged or of another version; nothing is parsed in
// proportion to the weights, which stay where they are in the file's bytes. The
// SHA-256 of the file is the model's name everywhere.
//
// # The format, version 1
//
// Numbers are little-endian.
//
//	header    "rh.rkm" 0x00, version (1 byte), u64 size of the file, SHA-256 (32
//	          bytes) of all that follows, u32 size of the configuration
//	config    canonical JSON: the members of [Config]
//	pieces    each with a line feed behind
//	tensors   in the order of [Model], layer by layer, each at a multiple of 64
//	          from the start of the file, filled up with zeros
//
// A matrix is rows × columns weights of one byte, row by row, then, at a multiple
// of 4, a u32 scale for each row: a weight w stands for w·scale/2³². A vector is i32
// in units of 2⁻¹⁶.
package model

import (
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// Version is the one of the format that is written, and the only one read.
const Version = 1

// The bounds of a configuration. They hold for the encoders there are, and the
// proofs of package embed rest on them.
const (
	MaxLayers = 48
	MaxHidden = 1024
	MaxInner  = 4096
	MaxWindow = 512
	MaxPieces = 1 << 20
)

// How the vectors of tokens become one of a text.
const (
	PoolMean  = "mean"  // of all tokens
	PoolFirst = "first" // that of [CLS]
)

// A Config says how an encoder computes.
type Config struct {
	Name      string // for people
	Layers    int
	Heads     int
	Hidden    int // channels of a token
	Inner     int // channels between the two products of a layer's second half
	Positions int
	Types     int
	Window    int    // tokens that are read together at most, [CLS] and [SEP] among them
	Pieces    int    // the size of the vocabulary
	Pooling   string // PoolMean or PoolFirst
	Epsilon   uint32 // of the norms, in units of 2⁻³²
	Query     string // what a query is told by: it stands before the text of one
	// Background is the cosine of texts that have nothing to do with each other, on
	// average, in thousandths: with it, cosines of different models mean the same. 0 is
	// left out of the file.
	Background int
	Source     string // where the weights come from
	Licence    string
}

// A Matrix has a weight for each row and column; it stands for weight·scale/2³².
type Matrix struct {
	Rows, Columns int
	Weights       []int8 // row by row, −127 to 127
	Scales        []uint32
}

// Row returns the weights of a row and their scale.
func (m *Matrix) Row(i int) ([]int8, uint32) {
	return m.Weights[i*m.Columns : (i+1)*m.Columns], m.Scales[i]
}

// A Linear is a product with a matrix and a vector that is added, in units of 2⁻¹⁶.
type Linear struct {
	Matrix
	Bias []int32
}

// A Norm is what a layer norm multiplies by and adds, in units of 2⁻¹⁶.
type Norm struct{ Gain, Shift []int32 }

// A Layer is one of the encoder.
type Layer struct {
	Attend  Linear // to queries, keys and values: 3·Hidden rows
	Joined  Linear // of the heads
	AfterA  Norm
	Widen   Linear // Hidden → Inner
	Narrow  Linear // Inner → Hidden
	AfterWN Norm
}

// A Model is an encoder with its weights.
type Model struct {
	Config
	Vocabulary []string // piece i has the id i

	Words     Matrix // a row for each piece
	Places    Matrix // a row for each position
	Kinds     Matrix // a row for each type of token
	AfterSum  Norm
	LayerList []Layer
}

var configMembers = []string{
	"background", "epsilon", "heads", "hidden", "inner", "layers", "licence", "name", "pieces", "pooling", "positions", "query", "source", "types", "window",
}

// optionalMember is the one that a file may lack.
const optionalMember = "background"

func (c *Config) append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	for _, name := range configMembers {
		if name == optionalMember && c.Background == 0 {
			continue
		}
		w.Name(name)
		if s := c.text(name); s != nil {
			w.String(*s)
		} else {
			w.Int(c.number(name))
		}
	}
	w.EndObject()
	return w.Bytes()
}

// text returns the member of a name that is a string, else nil.
func (c *Config) text(name string) *string {
	switch name {
	case "name":
		return &c.Name
	case "pooling":
		return &c.Pooling
	case "query":
		return &c.Query
	case "source":
		return &c.Source
	case "licence":
		return &c.Licence
	}
	return nil
}

// size returns the member of a name that is a size, nil for epsilon.
func (c *Config) size(name string) *int {
	switch name {
	case "background":
		return &c.Background
	case "heads":
		return &c.Heads
	case "hidden":
		return &c.Hidden
	case "inner":
		return &c.Inner
	case "layers":
		return &c.Layers
	case "pieces":
		return &c.Pieces
	case "positions":
		return &c.Positions
	case "types":
		return &c.Types
	case "window":
		return &c.Window
	}
	return nil
}

func (c *Config) number(name string) int64 {
	if n := c.size(name); n != nil {
		return int64(*n)
	}
	return int64(c.Epsilon)
}

// readConfig reads a configuration. Every member is there but for the optional one, and no
// other.
func readConfig(in []byte) (c Config, err error) {
	r := json.NewReader(in)
	seen := 0
	for name := range r.Object() {
		if name != optionalMember {
			seen++
		}
		if s := c.text(name); s != nil {
			*s = r.String()
			continue
		}
		n, at := int64(0), c.size(name)
		if at == nil && name != "epsilon" {
			r.Unknown(configMembers)
			break
		}
		switch n = r.Int(); {
		case n < 0 || n > 1<<31:
			r.Fail("out of bounds")
		case at != nil:
			*at = int(n)
		default:
			c.Epsilon = uint32(n)
		}
	}
	if err := r.End(); err != nil {
		return c, abi.Errorf(abi.ModelCorrupt, "configuration: %s", err.Error())
	}
	if seen != len(configMembers)-1 {
		return c, abi.Errorf(abi.ModelCorrupt, "configuration: it has %d members, not %d", int64(seen), int64(len(configMembers)-1))
	}
	return c, c.Check()
}

// Check reports what of a configuration this engine cannot compute with.
func (c *Config) Check() error {
	for _, b := range []struct {
		name        string
		is, of, max int
	}{
		{"layers", c.Layers, 1, MaxLayers},
		{"hidden", c.Hidden, 32, MaxHidden},
		{"inner", c.Inner, 32, MaxInner},
		{"heads", c.Heads, 1, MaxHidden / 32},
		{"types", c.Types, 1, 16},
		{"window", c.Window, 1, MaxWindow},
		{"positions", c.Positions, 1, 1 << 16},
		{"pieces", c.Pieces, 1, MaxPieces},
	} {
		if b.is < 1 || b.is%b.of != 0 || b.is > b.max {
			return abi.Errorf(abi.ModelCorrupt, "configuration: %s is %d, expected 1 to %d, a multiple of %d", b.name, int64(b.is), int64(b.max), int64(b.of))
		}
	}
	switch {
	case c.Heads*32 != c.Hidden && c.Heads*64 != c.Hidden:
		return abi.Errorf(abi.ModelCorrupt, "configuration: %d heads of %d channels together, expected 32 or 64 each", int64(c.Heads), int64(c.Hidden))
	case c.Window < 3 || c.Window > c.Positions:
		return abi.Errorf(abi.ModelCorrupt, "configuration: a window of %d tokens, there are %d positions", int64(c.Window), int64(c.Positions))
	case c.Background < 0 || c.Background > abi.MaxBackground:
		return abi.Errorf(abi.ModelCorrupt, "configuration: a background of %d thousandths, expected 0 to %d", int64(c.Background), int64(abi.MaxBackground))
	case c.Pooling != PoolMean && c.Pooling != PoolFirst:
		return abi.Errorf(abi.ModelCorrupt, "configuration: pooling is %q, expected mean or first", c.Pooling)
	}
	return nil
}
