// Package plane calls a module that runs in some engine for WebAssembly: over the
// bulk plane of wasm/ABI.md, with the stop word, and over the Extism plane for
// comparison. What is the same for every engine is here; an engine adds a
// [Machine].
package plane

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Machine is one instance of a module as an engine presents it. It is used by
// one goroutine at a time, except End.
type Machine interface {
	// Call calls an exported function. Parameters and result are raw: an i32
	// fills the lower half. An error means that the module trapped.
	Call(name string, args ...uint64) (uint64, error)
	// Bytes returns the memory. Its address stays the same when it grows.
	Bytes() []byte
	// End makes a running call return soon, and reports whether it can do that.
	End() bool
	// Close gives the machine back. No call is running.
	Close()
}

// New returns the instance that a started machine is. The machine belongs to
// the instance from then on; s is its sandbox.
func New(m Machine, s *sealed.Sandbox, grace time.Duration) (runner.Instance, error) {
	if grace == 0 {
		grace = runner.Grace
	}
	i := &instance{machine: m, sandbox: s, grace: grace, turn: make(chan struct{}, 1), jobs: make(chan job), over: make(chan struct{})}
	at, err := m.Call("stop_word")
	if err != nil {
		m.Close()
		return nil, i.trap(err)
	}
	word, ok := i.view(uint32(at), 4)
	if !ok || at%4 != 0 {
		m.Close()
		return nil, abi.Errorf(abi.EngineRefused, "the engine has its stop word at %d, outside its memory", uint32(at))
	}
	i.stop = (*atomic.Uint32)(unsafe.Pointer(&word[0]))
	i.size.Store(int64(len(m.Bytes())))
	go i.work()
	return i, nil
}

// An instance runs its machine in a goroutine of its own, so that a call that
// does not end can be left behind.
type instance struct {
	machine Machine
	sandbox *sealed.Sandbox
	grace   time.Duration
	stop    *atomic.Uint32 // in the module's memory; little-endian engines only need it to be not 0
	size    atomic.Int64
	turn    chan struct{} // holds one token while a call is running
	jobs    chan job
	over    chan struct{} // closed with the machine
	dead    error         // set under turn
	closed  bool          // set under turn
}

type job struct {
	run  func() ([]byte, error)
	done chan answer // has room for one, so that the worker never waits for who is gone
}

type answer struct {
	out []byte
	err error
}

func (i *instance) work() {
	for j := range i.jobs {
		out, err := j.run()
		i.size.Store(int64(len(i.machine.Bytes())))
		j.done <- answer{out, err}
	}
	i.machine.Close()
	close(i.over)
}

func (i *instance) Memory() int64 { return i.size.Load() }

func (i *instance) Call(ctx context.Context, export abi.Export, in ...[]byte) ([]byte, error) {
	return i.serve(ctx, func() ([]byte, error) { return i.bulk(export, in) })
}

func (i *instance) CallExtism(ctx context.Context, export abi.Export, in []byte) ([]byte, error) {
	return i.serve(ctx, func() ([]byte, error) { return i.extism(export, in) })
}

func (i *instance) Hold(ctx context.Context, in ...[]byte) (uint32, error) {
	var at uint64
	_, err := i.serve(ctx, func() (_ []byte, err error) {
		i.sandbox.Begin(nil)
		at, _, err = i.hand(in)
		return nil, err
	})
	if err != nil {
		return 0, err // and at may still be written by a call that was left behind
	}
	return uint32(at), nil
}

// View runs use in the caller's goroutine: it may take its time, which a call may not.
func (i *instance) View(ctx context.Context, address, size uint32, use func(b []byte) error) error {
	if err := i.take(ctx); err != nil {
		return err
	}
	defer i.give()
	b, ok := i.view(address, size)
	if !ok {
		i.sandbox.Begin(nil)
		err := i.trap(outside(address, size))
		i.bury(err)
		return err
	}
	return use(b)
}

func (i *instance) Release(ctx context.Context, addresses ...uint32) error {
	_, err := i.serve(ctx, func() ([]byte, error) {
		i.sandbox.Begin(nil)
		return nil, i.release(addresses...)
	})
	return err
}

// serve runs a call when its turn comes, and watches the context meanwhile.
func (i *instance) serve(ctx context.Context, run func() ([]byte, error)) ([]byte, error) {
	if err := i.take(ctx); err != nil {
		return nil, err
	}
	defer i.give()
	i.stop.Store(0)
	i.sandbox.Stage = runner.Stages(ctx)
	j := job{run, make(chan answer, 1)}
	i.jobs <- j
	select {
	case a := <-j.done:
		return i.settle(ctx, a)
	case <-ctx.Done():
	}
	i.stop.Store(1)
	timer := time.NewTimer(i.grace)
	defer timer.Stop()
	select {
	case a := <-j.done:
		return i.settle(ctx, a)
	case <-timer.C:
	}
	return nil, i.abandon(ctx, j)
}

// take waits for the instance's turn. Where it cannot be used, nothing is taken.
func (i *instance) take(ctx context.Context) error {
	select {
	case i.turn <- struct{}{}:
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
	var err error
	switch {
	case i.dead != nil:
		err = i.dead
	case i.closed:
		err = abi.Errorf(abi.EngineFailed, "the instance is closed")
	case ctx.Err() != nil:
		err = runner.Cancelled(ctx)
	}
	if err != nil {
		i.give()
	}
	return err
}

func (i *instance) give() { <-i.turn }

// settle turns the answer of the module into that of the call.
func (i *instance) settle(ctx context.Context, a answer) ([]byte, error) {
	var e *abi.Error
	if errors.As(a.err, &e) && e.Code == abi.Cancelled {
		return nil, &runner.Failure{Of: e, Cause: ctx.Err()}
	}
	if runner.Dead(a.err) {
		i.bury(a.err)
	}
	return a.out, a.err
}

// abandon leaves a call behind that did not answer the stop word.
func (i *instance) abandon(ctx context.Context, j job) error {
	e := abi.Errorf(abi.EngineStuck, "the engine did not stop within %s; its instance takes no more calls", i.grace.String())
	if i.machine.End() {
		<-j.done
	}
	i.bury(e)
	return &runner.Failure{Of: e, Cause: ctx.Err()}
}

// bury marks the instance as dead. The worker closes the machine once no call
// is running; where one never ends, it stays.
func (i *instance) bury(err error) {
	i.dead = err
	close(i.jobs)
}

func (i *instance) Close(ctx context.Context) error {
	select {
	case i.turn <- struct{}{}:
	case <-ctx.Done():
		return runner.Cancelled(ctx)
	}
	defer func() { <-i.turn }()
	if i.dead == nil && !i.closed {
		close(i.jobs)
		<-i.over
	}
	i.closed = true
	return nil
}

// bulk makes a call on the bulk plane.
func (i *instance) bulk(export abi.Export, in [][]byte) ([]byte, error) {
	i.sandbox.Begin(nil)
	at, size, err := i.hand(in)
	if err != nil {
		return nil, err
	}
	packed, err := i.machine.Call("bulk_call", uint64(uint32(export)), at, size)
	if err != nil {
		return nil, i.trap(err)
	}
	out, ok := i.view(uint32(packed>>32), uint32(packed)&(1<<31-1))
	if !ok {
		return nil, i.trap(outside(uint32(packed>>32), uint32(packed)&(1<<31-1)))
	}
	reply := append(make([]byte, 0, len(out)), out...)
	if err := i.release(uint32(at), uint32(packed>>32)); err != nil {
		return nil, err
	}
	if packed>>31&1 == 1 {
		return nil, abi.ParseError(string(reply))
	}
	return reply, nil
}

// hand writes the parts of an input into a reservation of the module's memory and
// returns where, and how long they are together.
func (i *instance) hand(in [][]byte) (at, size uint64, err error) {
	for _, part := range in {
		size += uint64(len(part))
	}
	if size > 1<<31-1 {
		return 0, 0, tooLarge(size)
	}
	at, err = i.machine.Call("bulk_alloc", size)
	if err != nil {
		return 0, 0, i.trap(err)
	}
	if uint32(at) == 0 {
		return 0, 0, tooLarge(size)
	}
	to, ok := i.view(uint32(at), uint32(size))
	if !ok {
		return 0, 0, i.trap(outside(uint32(at), uint32(size)))
	}
	for _, part := range in {
		to = to[copy(to, part):]
	}
	return uint64(uint32(at)), size, nil
}

func tooLarge(size uint64) error {
	return abi.Errorf(abi.OverBudget, "an input of %d bytes does not fit the memory of the module", int64(size))
}

func outside(at, size uint32) error {
	return fmt.Errorf("%d bytes at %#x lie outside the memory", size, at)
}

func (i *instance) release(addresses ...uint32) error {
	for _, at := range addresses {
		if _, err := i.machine.Call("bulk_release", uint64(at)); err != nil {
			return i.trap(err)
		}
	}
	return nil
}

func (i *instance) view(at, n uint32) ([]byte, bool) {
	memory := i.machine.Bytes()
	if uint64(at)+uint64(n) > uint64(len(memory)) {
		return nil, false
	}
	return memory[at : uint64(at)+uint64(n)], true
}

// extism makes a call on the Extism plane.
func (i *instance) extism(export abi.Export, in []byte) ([]byte, error) {
	if !export.Valid() {
		return nil, abi.Errorf(abi.ExportUnknown, "there is no %s", export.String())
	}
	i.sandbox.Begin(in)
	failed, err := i.machine.Call(export.String())
	if err != nil {
		return nil, i.trap(err)
	}
	out, text := i.sandbox.Output()
	if uint32(failed) != 0 {
		return nil, abi.ParseError(text)
	}
	return append(make([]byte, 0, len(out)), out...), nil
}

// trap describes the end of an instance by what the module said last, or by
// what the engine for WebAssembly says of it.
func (i *instance) trap(cause error) error {
	line, _, _ := strings.Cut(strings.TrimSpace(i.sandbox.Printed()), "\n")
	if line == "" {
		line, _, _ = strings.Cut(cause.Error(), "\n")
	}
	return &runner.Failure{
		Of:    abi.Errorf(abi.EngineFailed, "the engine trapped: %s", line),
		Cause: fmt.Errorf("%w\n%s", cause, i.sandbox.Printed()),
	}
}
