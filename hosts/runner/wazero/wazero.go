// Package wazero runs the engine under wazero: pure Go, on every platform, by its
// compiler or its interpreter. It is the runner that ships.
//
// Compiling takes a second or two; the result is kept in a folder of the caller's
// (see [Config]). Instances get their memory reserved once, in full, outside Go's
// heap where the system allows it: it does not move when it grows, costs what is
// touched, and is given back when the instance is closed.
//
// An engine that is neither the built-in one nor a released one is compiled so
// that it can be ended from outside, which makes loops several times slower.
package wazero

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/internal/plane"
	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// A Config says how an engine runs. Its zero value is the sealed host, the
// compiler and no cache.
type Config struct {
	runner.Options
	// Cache is a folder for compiled code, one below it for each engine. It is
	// made when missing, and must belong to this user and be closed to others:
	// what lies there is executed. "" compiles anew each time.
	Cache string
	// Unused is told why the engine was compiled without the cache, where the
	// folder takes nothing: its disk is full, say. May be nil.
	Unused func(error)
	// Interpreter runs the engine without compiling it: no machine code, much slower.
	Interpreter bool
}

// Open checks and compiles an engine.
func Open(ctx context.Context, engine []byte, c Config) (runner.Runner, error) {
	digest := artifact.Digest(engine)
	if err := artifact.Check(engine, ""); err != nil {
		return nil, err
	}
	o := &open{digest: digest, options: c.Options, guarded: c.Guard.Guards(artifact.Known(digest))}
	if err := o.compile(ctx, engine, c); err != nil {
		return nil, errors.Join(err, o.Close(ctx))
	}
	return o, nil
}

// making is held while a runtime is made: wazero 1.12.0 notes its own version in a
// variable of its package then, unguarded.
var making sync.Mutex

// An open is the Runner.
type open struct {
	digest  string
	options runner.Options
	guarded bool
	running atomic.Int64 // instances

	cache    wazero.CompilationCache // nil without one
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// compile fills the open. A cache whose content cannot be used is emptied once:
// it holds nothing that cannot be made again.
func (o *open) compile(ctx context.Context, engine []byte, c Config) error {
	if c.Cache == "" || c.Interpreter {
		return o.load(ctx, engine, c, "")
	}
	folder, err := cacheFolder(c.Cache, o.digest)
	if err != nil {
		return err
	}
	if !sealIntact(folder) {
		if err := emptyCache(folder); err != nil {
			return o.uncached(ctx, engine, c, err)
		}
	}
	err = o.load(ctx, engine, c, folder)
	if err != nil {
		_ = o.Close(ctx) // what a panic left behind may not close
		if err = emptyCache(folder); err == nil {
			err = o.load(ctx, engine, c, folder)
		}
	}
	if err == nil {
		err = seal(folder)
		if err != nil && c.Unused != nil {
			c.Unused(err) // the next start compiles anew
		}
		return nil
	}
	return o.uncached(ctx, engine, c, err)
}

// uncached compiles without the cache, which failed. Where the engine is what
// fails, it fails here, too, and the cache is not blamed.
func (o *open) uncached(ctx context.Context, engine []byte, c Config, cause error) error {
	_ = o.Close(ctx)
	if err := o.load(ctx, engine, c, ""); err != nil {
		return err
	}
	if c.Unused != nil {
		c.Unused(abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", sentence(cause)))
	}
	return nil
}

// sentence is what an error says, without its code and what only concerns an
// engine.
func sentence(err error) string {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Sentence
	}
	return err.Error()
}

func (o *open) load(ctx context.Context, engine []byte, c Config, folder string) (err error) {
	config := wazero.NewRuntimeConfigCompiler()
	if c.Interpreter {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	config = config.WithCoreFeatures(api.CoreFeaturesV2).WithMemoryLimitPages(artifact.MemoryMax).
		WithMemoryCapacityFromMax(true).WithCloseOnContextDone(o.guarded).WithDebugInfoEnabled(false)
	o.cache = nil
	if folder != "" {
		if o.cache, err = wazero.NewCompilationCacheWithDir(folder); err != nil {
			return abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
		}
		config = config.WithCompilationCache(o.cache)
	}
	making.Lock()
	o.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	making.Unlock()
	if err = o.compileModule(ctx, engine); err != nil {
		return abi.Errorf(abi.EngineRefused, "the engine does not compile: %s", err.Error())
	}
	return o.link(ctx)
}

// compileModule turns a panic into an error: wazero has some for a cache that it
// cannot take apart.
func (o *open) compileModule(ctx context.Context, engine []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("wazero: %v", p)
		}
	}()
	o.compiled, err = o.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)), engine)
	return err
}

// link gives the runtime the sealed imports. They find the sandbox of the
// instance that calls in the context of the call.
func (o *open) link(ctx context.Context) error {
	builders := map[string]wazero.HostModuleBuilder{}
	for _, f := range sealed.Functions() {
		b := builders[f.Module]
		if b == nil {
			b = o.runtime.NewHostModuleBuilder(f.Module)
			builders[f.Module] = b
		}
		call := f.Call
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, m api.Module, stack []uint64) {
			if err := call(ctx.Value(sandboxKey{}).(*sealed.Sandbox), memory{m.Memory()}, stack); err != nil {
				panic(err)
			}
		}), valueTypes(f.Signature.Params), valueTypes(f.Signature.Results)).Export(f.Name)
	}
	for name, b := range builders {
		if _, err := b.Instantiate(ctx); err != nil {
			return fmt.Errorf("wazero: the imports of %s: %w", name, err)
		}
	}
	return nil
}

type sandboxKey struct{}

// A memory is that of the module that calls an import.
type memory struct{ api.Memory }

func (m memory) Bytes() []byte { b, _ := m.Read(0, m.Size()); return b }

func valueTypes[T ~byte](types []T) []api.ValueType {
	out := make([]api.ValueType, len(types))
	for i, t := range types {
		out[i] = api.ValueType(t)
	}
	return out
}

func (o *open) Engine() string { return o.digest }

func (o *open) Instance(ctx context.Context) (runner.Instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sandbox := &sealed.Sandbox{Host: o.options.Host}
	// What an instance needs of a context outlives the call that starts it.
	life, end := context.WithCancel(context.WithValue(context.Background(), sandboxKey{}, sandbox))
	start, free, err := withMemory(life)
	if err != nil {
		end()
		return nil, abi.Errorf(abi.EngineFailed, "the engine does not start: %s", err.Error())
	}
	m, err := o.runtime.InstantiateModule(start, o.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		free()
		end()
		return nil, abi.Errorf(abi.EngineFailed, "the engine does not start: %s %s", err.Error(), sandbox.Printed())
	}
	o.running.Add(1)
	return plane.New(&machine{open: o, module: m, life: life, end: end, functions: map[string]api.Function{}}, sandbox, o.options.Grace)
}

// Close closes nothing while an instance runs, which one that is stuck does for
// ever: its code and its memory must stay.
func (o *open) Close(ctx context.Context) error {
	if n := o.running.Load(); n > 0 {
		return fmt.Errorf("wazero: %d instances are still running", n)
	}
	var err error
	if o.runtime != nil {
		err = o.runtime.Close(ctx)
	}
	if o.cache != nil {
		err = errors.Join(err, o.cache.Close(ctx))
	}
	return err
}

// A machine is one instance under wazero.
type machine struct {
	open      *open
	module    api.Module
	life      context.Context
	end       context.CancelFunc
	functions map[string]api.Function
	stack     [4]uint64
}

func (m *machine) Call(name string, args ...uint64) (uint64, error) {
	f, ok := m.functions[name]
	if !ok {
		if f = m.module.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("the engine has no export %s", name)
		}
		m.functions[name] = f
	}
	stack := m.stack[:]
	clear(stack)
	copy(stack, args)
	err := f.CallWithStack(m.life, stack)
	return stack[0], err
}

func (m *machine) Bytes() []byte { return memory{m.module.Memory()}.Bytes() }

func (m *machine) End() bool {
	if m.open.guarded {
		m.end()
	}
	return m.open.guarded
}

func (m *machine) Close() {
	_ = m.module.Close(context.Background()) // it has no files to lose
	m.end()
	m.open.running.Add(-1)
}
