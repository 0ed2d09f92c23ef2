package adapters

import "context"

// emulated is native Go for another processor under qemu's user emulation. Its
// scheduler does not preempt: qemu 7.2 is known to lose floating-point registers
// in signal handlers, which would be qemu's fault and not ours.
func emulated(goarch, qemu string) func(context.Context, *Env) (Session, error) {
	return func(ctx context.Context, e *Env) (Session, error) {
		program, err := look("qemu-"+qemu, "qemu-"+qemu+"-static", "qemu-"+qemu)
		if err != nil {
			return nil, err
		}
		binary, err := build(ctx, e, "native-"+goarch, []string{"CGO_ENABLED=0", "GOOS=linux", "GOARCH=" + goarch}, e.Native)
		if err != nil {
			return nil, err
		}
		return launch(ctx, e.Root, []string{"GODEBUG=asyncpreemptoff=1"}, program, binary)
	}
}
