package retrieve

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/embed"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An openModel turns texts into vectors. An Engine has one at most.
type openModel struct {
	encoder *embed.Encoder
	digest  string // of its file
	bytes   int64  // accounted for
	kept    []keptQuery
	next    int // of kept, to be replaced
}

// openModel opens a model. One that was open before is closed when this one is open.
func (e *Engine) openModel(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("open")
	q, err := abi.ReadOpenModelRequest(in)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(q.Model, e.config.Held)
	if err != nil {
		return nil, err
	}
	taken := int64(0)
	take := func(n int64) error {
		err := e.account.Take(n)
		if err == nil {
			taken += n
		}
		return err
	}
	opened, reply, err := openBytes(b, take, m)
	if err != nil {
		e.account.Give(taken)
		return nil, err
	}
	if e.model != nil {
		e.account.Give(e.model.bytes)
	}
	e.model = opened
	opened.bytes, reply.Bytes = taken, taken
	return reply.Append(nil), nil
}

func openBytes(b []byte, take func(n int64) error, m *meter.Meter) (*openModel, abi.OpenModelReply, error) {
	var reply abi.OpenModelReply
	if err := take(int64(len(b))); err != nil {
		return nil, reply, err
	}
	opened, err := model.Open(b)
	if err != nil {
		return nil, reply, err
	}
	if err := take(embed.Bytes(&opened.Config)); err != nil {
		return nil, reply, err
	}
	if err := m.Add(len(b)); err != nil {
		return nil, reply, err
	}
	encoder, err := embed.New(opened)
	if err != nil {
		return nil, reply, err
	}
	digest := audit.Name(sha256.Sum256(b))
	return &openModel{encoder: encoder, digest: digest}, abi.OpenModelReply{Name: opened.Name, Digest: digest, Dimensions: int64(opened.Hidden), Window: int64(opened.Window), Background: int64(opened.Background)}, nil
}

// queryVector returns the vector of a query where the open model is the one that made
// those of an index; nil else.
func (e *Engine) queryVector(set abi.VectorSet, query string, m *meter.Meter) ([]int8, error) {
	if set.Model == "" || e.model == nil || e.model.digest != set.Model {
		return nil, nil
	}
	e.stage("embed")
	return e.model.query(query, m)
}

// queries is how many queries a model keeps the vectors of.
const queries = 64

// query returns the vector of a query, and keeps it.
func (o *openModel) query(text string, m *meter.Meter) ([]int8, error) {
	for _, k := range o.kept {
		if k.text == text {
			return k.vector, nil
		}
	}
	v, _, err := o.encoder.Vector(text, true, m)
	if err != nil {
		return nil, err
	}
	if len(o.kept) < queries {
		o.kept = append(o.kept, keptQuery{})
	}
	o.kept[o.next] = keptQuery{strings.Clone(text), v}
	o.next = (o.next + 1) % queries
	return v, nil
}

// A keptQuery is a query with its vector.
type keptQuery struct {
	text   string
	vector []int8
}

// closeModel closes the model, if one is open.
func (e *Engine) closeModel(in []byte) ([]byte, error) {
	reply, err := constant(in, "{}")
	if err == nil && e.model != nil {
		e.account.Give(e.model.bytes)
		e.model = nil
	}
	return reply, err
}

// embed turns texts into vectors.
func (e *Engine) embed(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("embed")
	q, err := abi.ReadEmbedRequest(in)
	if err != nil {
		return nil, err
	}
	if e.model == nil {
		return nil, abi.Errorf(abi.ModelAbsent, "no model is open")
	}
	var reply abi.EmbedReply
	for _, text := range q.Texts {
		v, tokens, err := e.model.encoder.Vector(text, q.Query, m)
		if err != nil {
			return nil, err
		}
		reply.Vectors, reply.Tokens = append(reply.Vectors, v), append(reply.Tokens, int64(tokens))
	}
	return reply.Append(nil), nil
}
