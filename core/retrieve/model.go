package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/embed"
	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// An openModel turns texts into vectors. An Engine has one at most.
type openModel struct {
	encoder *embed.Encoder
	bytes   int64 // accounted for
}

// openModel opens a model. One that was open before is closed when this one is open.
func (e *Engine) openModel(in []byte, m *meter.Meter) ([]byte, error) {
	e.stage("open")
	ref, err := abi.ReadOpenModelRequest(in)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(ref, e.config.Held)
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
	if err := m.Add(len(b) / 2); err != nil {
		return nil, reply, err
	}
	encoder, err := embed.New(opened)
	if err != nil {
		return nil, reply, err
	}
	return &openModel{encoder: encoder}, abi.OpenModelReply{Name: opened.Name, Dimensions: int64(opened.Hidden), Window: int64(opened.Window)}, nil
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
