//go:build !nonative

package native_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rookhaven-project/rookhaven/core/embed/model"
	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/artifact/models"
)

// passage is a text of about 100 words that fits a window of the built-in model.
var passage = strings.Repeat("The harbour master keeps the tide tables of each berth beside the log of the north crane, ", 6)

// Benchmark embeds a passage with the built-in model in each of some instances.
func Benchmark(b *testing.B) {
	m, err := model.Open(models.MiniLM)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			all := make([]runner.Instance, workers)
			tokens := 0
			for n := range all {
				all[n] = open(b, models.MiniLM)
				reply, err := embed(ctx, all[n], passage)
				if err != nil {
					b.Fatal(err)
				}
				tokens = int(reply.Tokens[0]) + 2 // and [CLS] and [SEP]
			}
			for b.Loop() {
				var wg sync.WaitGroup
				for _, i := range all {
					wg.Go(func() {
						if _, err := embed(ctx, i, passage); err != nil {
							b.Error(err)
						}
					})
				}
				wg.Wait()
			}
			perSecond := float64(b.N*workers) / b.Elapsed().Seconds()
			products := m.Layers * tokens * m.Hidden * (4*m.Hidden + 2*m.Inner + 2*tokens)
			b.ReportMetric(perSecond, "texts/s")
			b.ReportMetric(perSecond*float64(products)/1e9, "GMAC/s")
		})
	}
}
