// Package runner says what a host asks of the engine: a [Runner] holds one
// compiled engine, an [Instance] is one running copy of it with its own memory.
//
// Both hide which engine for WebAssembly is below; the suite in
// hosts/runner/runnertest is what each has to pass. Replies are bytes of the
// engine and are handed on untouched.
//
// Failures are of the type [abi.Error] in a chain that errors.As finds: those of
// the engine, and of the runner itself
//
//   - CANCELLED when the context of a call ended; errors.Is finds its cause;
//   - ENGINE_FAILED when the engine trapped: the instance is dead, and says so
//     to every later call;
//   - ENGINE_STUCK when the engine did not answer the stop word within the
//     grace time: the instance is dead, too.
package runner

import (
	"context"
	"errors"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner/sealed"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Runner holds one compiled engine and starts instances of it. It may be used
// by several goroutines at once.
type Runner interface {
	// Instance starts a fresh instance.
	Instance(ctx context.Context) (Instance, error)
	// Engine returns the digest of the engine's file, "sha256:" and 64 digits.
	Engine() string
	// Close gives back what the runner holds. Its instances are closed before.
	Close(ctx context.Context) error
}

// An Instance serves one call at a time; a second one waits for its turn.
type Instance interface {
	// Call runs an export on the concatenation of in, which is written straight
	// into the module's memory. The reply belongs to the caller.
	Call(ctx context.Context, export abi.Export, in ...[]byte) ([]byte, error)
	// Hold writes the concatenation of in into a reservation of the module's
	// memory, and returns where: an input may name it there (wasm/ABI.md §4.11).
	Hold(ctx context.Context, in ...[]byte) (address uint32, err error)
	// View gives use what a reply named, size bytes at an address, where they are in
	// the module's memory: use neither changes nor keeps them. No call runs meanwhile.
	View(ctx context.Context, address, size uint32, use func(b []byte) error) error
	// Release gives back what Hold reserved and what a reply named. What the
	// module was given in a call it goes on to use.
	Release(ctx context.Context, addresses ...uint32) error
	// Memory returns the size of the module's memory in bytes, as of the last call.
	Memory() int64
	// Close ends the instance once a running call is over.
	Close(ctx context.Context) error
}

// An ExtismPlane is an Instance that can also be called through the Extism
// kernel, as strangers do. Tests compare the two; nothing else uses it, since it
// moves eight bytes a call.
type ExtismPlane interface {
	CallExtism(ctx context.Context, export abi.Export, in []byte) ([]byte, error)
}

// Options are what every runner lets its caller choose. The zero value is right
// for serving.
type Options struct {
	Host  sealed.Host   // what instances see of the world; the zero value is sealed
	Guard Guard         // which engines can be ended from outside
	Grace time.Duration // how long an engine may take to answer the stop word; 0 is [Grace]
}

// Grace is the default of Options. An engine reads the stop word every few
// thousand steps, some microseconds: not to answer within a second is a fault,
// not load.
const Grace = time.Second

// A Guard says which engines are run so that they can be ended from outside, at
// the price of slower loops.
type Guard int

const (
	GuardUnknown Guard = iota // those that are neither built in nor released
	GuardAll
	GuardNone
)

// Guards reports whether an engine, known or not, is to be guarded.
func (g Guard) Guards(known bool) bool { return g == GuardAll || g == GuardUnknown && !known }

// Dead reports whether an error means that its instance takes no more calls.
func Dead(err error) bool {
	var e *abi.Error
	return errors.As(err, &e) && (e.Code == abi.EngineFailed || e.Code == abi.EngineStuck)
}

// A Failure is an [abi.Error] with what lies behind it. It reads as the former;
// errors.As finds the former, and errors.Is the latter.
type Failure struct {
	Of    *abi.Error
	Cause error
}

func (f *Failure) Error() string   { return f.Of.Error() }
func (f *Failure) Unwrap() []error { return []error{f.Of, f.Cause} }

// Cancelled is the failure of a call whose context has ended.
func Cancelled(ctx context.Context) error {
	return &Failure{abi.Errorf(abi.Cancelled, "%s", context.Cause(ctx).Error()), ctx.Err()}
}

// WithStages returns a context whose calls announce the stages they enter, on
// another goroutine than the caller's, which waits meanwhile. A host notes its
// own clock there: time is beside the reply, never in it.
func WithStages(ctx context.Context, stage func(name string)) context.Context {
	return context.WithValue(ctx, stageKey{}, stage)
}

// Stages returns the function that [WithStages] put into a context, or nil.
func Stages(ctx context.Context) func(name string) {
	stage, _ := ctx.Value(stageKey{}).(func(name string))
	return stage
}

type stageKey struct{}
