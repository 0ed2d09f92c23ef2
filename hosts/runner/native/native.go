//go:build !nonative

// Package native embeds texts in this process, many times faster than the module does:
// with the processor's own instructions, the same integers (core/embed). It answers no
// query. Who uses it compares a part of what it gives with the module's.
//
// Vector instructions are in a build with GOEXPERIMENT=simd on amd64, and are used where the
// processor has AVX2; else the portable code gives the same vectors. The build tag nonative
// leaves the package out.
package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/rookhaven-project/rookhaven/core/retrieve"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// Available reports whether this build has the package.
const Available = true

// Open returns the Runner. Its instances have the exports open_model, close_model and
// embed; any other is EXPORT_UNKNOWN. They announce no stages.
func Open() runner.Runner { return native{} }

type native struct{}

// Engine returns no digest: it is no file.
func (native) Engine() string { return "native" }

func (native) Close(context.Context) error { return nil }

func (native) Instance(context.Context) (runner.Instance, error) {
	i := &instance{turn: make(chan struct{}, 1), held: map[uint32][]byte{}}
	i.engine = retrieve.New(retrieve.Config{Stop: &i.stop, Yield: i.look, Held: i.holds})
	return i, nil
}

// An instance is an engine. What stands below turn is used by who has it.
type instance struct {
	turn   chan struct{} // holds one token while a call is running
	engine *retrieve.Engine
	ctx    context.Context // of the call
	stop   atomic.Uint32
	held   map[uint32][]byte
	last   uint32
	dead   error // why it takes no more calls
}

// take waits for the instance's turn. Where it cannot be used, nothing is taken.
func (i *instance) take(ctx context.Context) error {
	select {
	case i.turn <- struct{}{}:
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
	err := i.dead
	if err == nil && ctx.Err() != nil {
		err = runner.Cancelled(ctx)
	}
	if err != nil {
		i.give()
	}
	return err
}

func (i *instance) give() { <-i.turn }

// Call is that of the interface. The engine looks every few thousand steps whether the
// context has ended. A fault of the engine ends the instance, as a trap does.
func (i *instance) Call(ctx context.Context, export abi.Export, in ...[]byte) (out []byte, err error) {
	if export != abi.OpenModel && export != abi.CloseModel && export != abi.Embed {
		return nil, abi.Errorf(abi.ExportUnknown, "there is no %s natively", export.String())
	}
	if err := i.take(ctx); err != nil {
		return nil, err
	}
	defer i.give()
	defer func() {
		if fault := recover(); fault != nil {
			i.end(failed(fault))
			out, err = nil, i.dead
		}
	}()
	i.ctx = ctx
	i.stop.Store(0)
	out, err = i.engine.Call(export, bytes.Join(in, nil))
	var e *abi.Error
	if errors.As(err, &e) && e.Code == abi.Cancelled {
		return nil, runner.Cancelled(ctx)
	}
	return out, err
}

// look sets the stop word where the context of the call has ended. It is called by the
// engine, so that no end of a context comes after its call.
func (i *instance) look() {
	if i.ctx.Err() != nil {
		i.stop.Store(1)
	}
}

func failed(fault any) error {
	line, _, _ := strings.Cut(fmt.Sprint(fault), "\n")
	return &runner.Failure{
		Of:    abi.Errorf(abi.EngineFailed, "the engine failed natively: %s", line),
		Cause: fmt.Errorf("%v\n%s", fault, debug.Stack()),
	}
}

// end ends the instance, and lets go of its model.
func (i *instance) end(why error) {
	i.dead, i.engine, i.held = why, nil, nil
}

// Hold keeps what is given: instances of one model share its bytes, which nobody changes.
func (i *instance) Hold(ctx context.Context, in ...[]byte) (uint32, error) {
	if err := i.take(ctx); err != nil {
		return 0, err
	}
	defer i.give()
	i.last++
	if len(in) == 1 {
		i.held[i.last] = in[0]
	} else {
		i.held[i.last] = bytes.Join(in, nil)
	}
	return i.last, nil
}

func (i *instance) holds(address, size int64) ([]byte, bool) {
	b, ok := i.held[uint32(address)]
	return b, ok && address == int64(uint32(address)) && int64(len(b)) == size
}

// View is of replies that name what the engine keeps: there are none here.
func (i *instance) View(context.Context, uint32, uint32, func([]byte) error) error {
	return abi.Errorf(abi.ExportUnknown, "nothing is kept natively")
}

func (i *instance) Release(ctx context.Context, addresses ...uint32) error {
	if err := i.take(ctx); err != nil {
		return err
	}
	defer i.give()
	for _, a := range addresses {
		delete(i.held, a)
	}
	return nil
}

// Memory is not known: it is this process's.
func (i *instance) Memory() int64 { return 0 }

func (i *instance) Close(ctx context.Context) error {
	select {
	case i.turn <- struct{}{}:
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
	defer i.give()
	if i.dead == nil {
		i.end(abi.Errorf(abi.EngineFailed, "the instance is closed"))
	}
	return nil
}
