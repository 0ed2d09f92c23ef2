//go:build !nonative

// Package native embeds texts in this process, many times faster than the module does:
// with the processor's own instructions, the same integers (core/embed). It answers no
// query. Who uses it compares a part of what it gives with the module's.
//
// The build tag nonative leaves it out.
package native

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/core/retrieve"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Available reports whether this build has the package.
const Available = true

// Open returns the Runner. Its instances have the exports open_model, close_model and
// embed; any other is EXPORT_UNKNOWN.
func Open() runner.Runner { return native{} }

type native struct{}

// Engine returns no digest: it is no file.
func (native) Engine() string { return "native" }

func (native) Close(context.Context) error { return nil }

func (native) Instance(context.Context) (runner.Instance, error) {
	i := &instance{held: map[uint32][]byte{}}
	i.engine = retrieve.New(retrieve.Config{Stop: &i.stop, Held: i.holds})
	return i, nil
}

type instance struct {
	turn   sync.Mutex
	engine *retrieve.Engine // nil: closed
	stop   atomic.Uint32
	held   map[uint32][]byte
	last   uint32
}

// Call is that of the interface. A context that has ended ends the call soon.
func (i *instance) Call(ctx context.Context, export abi.Export, in ...[]byte) ([]byte, error) {
	i.turn.Lock()
	defer i.turn.Unlock()
	switch {
	case i.engine == nil:
		return nil, abi.Errorf(abi.EngineFailed, "the instance is closed")
	case export != abi.OpenModel && export != abi.CloseModel && export != abi.Embed:
		return nil, abi.Errorf(abi.ExportUnknown, "there is no %s natively", export)
	case ctx.Err() != nil:
		return nil, runner.Cancelled(ctx)
	}
	i.stop.Store(0)
	unset := context.AfterFunc(ctx, func() { i.stop.Store(1) })
	defer unset()
	out, err := i.engine.Call(export, bytes.Join(in, nil))
	if ctx.Err() != nil && err != nil {
		return nil, runner.Cancelled(ctx)
	}
	return out, err
}

// Hold keeps what is given: instances of one model share its bytes, which nobody changes.
func (i *instance) Hold(_ context.Context, in ...[]byte) (uint32, error) {
	i.turn.Lock()
	defer i.turn.Unlock()
	b := in[0]
	if len(in) > 1 {
		b = bytes.Join(in, nil)
	}
	i.last++
	i.held[i.last] = b
	return i.last, nil
}

func (i *instance) holds(address, size int64) ([]byte, bool) {
	b, ok := i.held[uint32(address)]
	return b, ok && int64(len(b)) == size
}

// View is of replies that name what the engine keeps: there are none here.
func (i *instance) View(context.Context, uint32, uint32, func([]byte) error) error {
	return abi.Errorf(abi.ExportUnknown, "nothing is kept natively")
}

func (i *instance) Release(_ context.Context, addresses ...uint32) error {
	i.turn.Lock()
	defer i.turn.Unlock()
	for _, a := range addresses {
		delete(i.held, a)
	}
	return nil
}

// Memory is not known: it is this process's.
func (i *instance) Memory() int64 { return 0 }

func (i *instance) Close(context.Context) error {
	i.turn.Lock()
	defer i.turn.Unlock()
	i.engine = nil
	return nil
}
