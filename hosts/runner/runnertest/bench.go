package runnertest

import (
	"context"
	"fmt"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// Bench measures a runner: starting an instance, the least that a call costs on
// both planes, a small request, and opening documents.
func Bench(b *testing.B, open Open) {
	engine, _, ok := artifact.Built()
	if !ok {
		b.Skip("no engine is built in: run make build")
	}
	r := open(b, engine, runner.Options{})
	b.Run("Instance", func(b *testing.B) {
		for b.Loop() {
			i, err := r.Instance(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			if err := i.Close(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	i := Instance(b, r)
	call(b, i, abi.Open, corpus)
	bench := func(name string, run func() ([]byte, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	bench("Call", func() ([]byte, error) { return i.Call(context.Background(), abi.Abi) })
	bench("CallExtism", func() ([]byte, error) {
		return i.(runner.ExtismPlane).CallExtism(context.Background(), abi.Abi, nil)
	})
	bench("Retrieve", func() ([]byte, error) { return i.Call(context.Background(), abi.Retrieve, []byte(retrieve)) })
	documents := manyDocuments(20_000)
	b.Run("Open", func(b *testing.B) {
		b.SetBytes(int64(len(documents)))
		for b.Loop() {
			var handle int64
			out := call(b, i, abi.Open, `{"engine":"e","documents":`, string(documents), "}")
			reply, err := abi.ReadOpenReply([]byte(out))
			if err != nil {
				b.Fatal(err)
			}
			handle = reply.Handle
			call(b, i, abi.Close, fmt.Sprintf(`{"handle":%d}`, handle))
		}
	})
}
