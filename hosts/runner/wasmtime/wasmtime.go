//go:build wasmtime && cgo

package wasmtime

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/bytecodealliance/wasmtime-go/v39"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/internal/plane"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/wasmfile"
)

// Open checks and compiles an engine.
func Open(_ context.Context, engine []byte, o runner.Options) (runner.Runner, error) {
	if err := artifact.Check(engine, ""); err != nil {
		return nil, err
	}
	digest := artifact.Digest(engine)
	r := &open{digest: digest, options: o, guarded: o.Guard.Guards(artifact.Known(digest))}
	r.engine = r.newEngine()
	module, err := wasmtime.NewModule(r.engine, engine)
	if err == nil && r.guarded {
		r.compiled, err = module.Serialize()
	}
	if err != nil {
		r.engine.Close()
		return nil, abi.Errorf(abi.EngineRefused, "the engine does not compile: %s", err.Error())
	}
	r.module = module
	return r, nil
}

// An open is the Runner.
type open struct {
	digest  string
	options runner.Options
	guarded bool
	running atomic.Int64 // instances

	engine   *wasmtime.Engine
	module   *wasmtime.Module
	compiled []byte // when guarded
}

func (o *open) newEngine() *wasmtime.Engine {
	c := wasmtime.NewConfig()
	c.SetEpochInterruption(o.guarded)
	return wasmtime.NewEngineWithConfig(c)
}

func (o *open) Engine() string { return o.digest }

func (o *open) Instance(ctx context.Context) (runner.Instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sandbox := &sealed.Sandbox{Host: o.options.Host}
	m := &machine{open: o, engine: o.engine, functions: map[string]*wasmtime.Func{}}
	o.running.Add(1)
	if err := m.start(sandbox); err != nil {
		m.Close()
		return nil, abi.Errorf(abi.EngineFailed, "the engine does not start: %s %s", err.Error(), sandbox.Printed())
	}
	return plane.New(m, sandbox, o.options.Grace)
}

// Close closes nothing while an instance runs, which one that is stuck does for
// ever: its code and its memory must stay.
func (o *open) Close(context.Context) error {
	if n := o.running.Load(); n > 0 {
		return fmt.Errorf("wasmtime: %d instances are still running", n)
	}
	o.module.Close()
	o.engine.Close()
	return nil
}

// A machine is one instance under wasmtime. Ending a call moves the clock of a
// whole engine, so a guarded machine has an engine of its own.
type machine struct {
	open      *open
	engine    *wasmtime.Engine
	module    *wasmtime.Module // when guarded
	store     *wasmtime.Store
	linker    *wasmtime.Linker
	instance  *wasmtime.Instance
	memory    *wasmtime.Memory
	functions map[string]*wasmtime.Func
}

func (m *machine) start(sandbox *sealed.Sandbox) (err error) {
	module := m.open.module
	if m.open.guarded {
		m.engine = m.open.newEngine()
		if m.module, err = wasmtime.NewModuleDeserialize(m.engine, m.open.compiled); err != nil {
			return err
		}
		module = m.module
	}
	m.store = wasmtime.NewStore(m.engine)
	if m.open.guarded {
		m.store.SetEpochDeadline(1)
	}
	m.linker = wasmtime.NewLinker(m.engine)
	for _, f := range sealed.Functions() {
		if err := m.define(f, sandbox); err != nil {
			return err
		}
	}
	if m.instance, err = m.linker.Instantiate(m.store, module); err != nil {
		return err
	}
	m.memory = m.instance.GetExport(m.store, "memory").Memory()
	_, err = m.Call("_initialize")
	return err
}

// define gives the module one of the sealed imports.
func (m *machine) define(f sealed.Function, sandbox *sealed.Sandbox) error {
	typ := wasmtime.NewFuncType(valueTypes(f.Signature.Params), valueTypes(f.Signature.Results))
	return m.linker.FuncNew(f.Module, f.Name, typ, func(c *wasmtime.Caller, args []wasmtime.Val) ([]wasmtime.Val, *wasmtime.Trap) {
		var stack [8]uint64
		for i, a := range args {
			if f.Signature.Params[i] == wasmfile.I32 {
				stack[i] = uint64(uint32(a.I32()))
			} else {
				stack[i] = uint64(a.I64())
			}
		}
		if err := f.Call(sandbox, memory{c}, stack[:max(len(args), 1)]); err != nil {
			return nil, wasmtime.NewTrap(err.Error())
		}
		switch {
		case len(f.Signature.Results) == 0:
			return nil, nil
		case f.Signature.Results[0] == wasmfile.I32:
			return []wasmtime.Val{wasmtime.ValI32(int32(stack[0]))}, nil
		}
		return []wasmtime.Val{wasmtime.ValI64(int64(stack[0]))}, nil
	})
}

func valueTypes(types []wasmfile.Type) []*wasmtime.ValType {
	out := make([]*wasmtime.ValType, len(types))
	for i, t := range types {
		kind := wasmtime.KindI64
		if t == wasmfile.I32 {
			kind = wasmtime.KindI32
		}
		out[i] = wasmtime.NewValType(kind)
	}
	return out
}

// A memory is that of the module that calls an import.
type memory struct{ caller *wasmtime.Caller }

func (m memory) Bytes() []byte { return m.caller.GetExport("memory").Memory().UnsafeData(m.caller) }

func (m *machine) Call(name string, args ...uint64) (uint64, error) {
	f, ok := m.functions[name]
	if !ok {
		if f = m.instance.GetFunc(m.store, name); f == nil {
			return 0, fmt.Errorf("the engine has no export %s", name)
		}
		m.functions[name] = f
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = int32(uint32(a)) // no export takes anything else
	}
	out, err := f.Call(m.store, values...)
	if err != nil {
		return 0, cause(err)
	}
	switch v := out.(type) {
	case int32:
		return uint64(uint32(v)), nil
	case int64:
		return uint64(v), nil
	}
	return 0, nil
}

// cause puts what happened before the trace that wasmtime gives for a trap.
func cause(err error) error {
	var trap *wasmtime.Trap
	if !errors.As(err, &trap) || trap.Code() == nil {
		return err
	}
	what, ok := traps[*trap.Code()]
	if !ok {
		what = fmt.Sprintf("trap %d", *trap.Code())
	}
	return fmt.Errorf("%s\n%w", what, err)
}

var traps = map[wasmtime.TrapCode]string{
	wasmtime.StackOverflow:          "stack overflow",
	wasmtime.MemoryOutOfBounds:      "out of bounds memory access",
	wasmtime.TableOutOfBounds:       "out of bounds table access",
	wasmtime.IndirectCallToNull:     "call of nothing",
	wasmtime.BadSignature:           "call of a function of another type",
	wasmtime.IntegerOverflow:        "integer overflow",
	wasmtime.IntegerDivisionByZero:  "integer divide by zero",
	wasmtime.UnreachableCodeReached: "unreachable",
	wasmtime.Interrupt:              "interrupted",
}

// Bytes returns the memory, which does not move: wasmtime reserves the room that
// 32 bits can address.
func (m *machine) Bytes() []byte { return m.memory.UnsafeData(m.store) }

func (m *machine) End() bool {
	if m.open.guarded {
		m.engine.IncrementEpoch()
	}
	return m.open.guarded
}

func (m *machine) Close() {
	if m.linker != nil {
		m.linker.Close()
	}
	if m.store != nil {
		m.store.Close()
	}
	if m.module != nil {
		m.module.Close()
	}
	if m.engine != m.open.engine {
		m.engine.Close()
	}
	m.open.running.Add(-1)
}
