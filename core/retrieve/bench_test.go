package retrieve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// zipfCorpus returns n documents of 100 words whose frequencies fall as in prose.
func zipfCorpus(n int) string {
	r := rand.New(rand.NewPCG(1, 1))
	z := rand.NewZipf(r, 1.1, 4, 50000)
	var b strings.Builder
	for i := range n {
		b.WriteString([]string{"[", ","}[min(i, 1)])
		fmt.Fprintf(&b, `{"id":"d%d","text":"`, i)
		for range 100 {
			fmt.Fprintf(&b, "w%d ", z.Uint64())
		}
		b.WriteString(`"}`)
	}
	return b.String() + "]"
}

func BenchmarkOpen(b *testing.B) {
	in := `{"engine":"e","documents":` + zipfCorpus(20000) + `}`
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		e := New(Config{})
		call(b, e, abi.Open, in)
	}
}

func BenchmarkRetrieve(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		e := New(Config{})
		openCorpus(b, e, zipfCorpus(n))
		for _, query := range []string{"w3 w40 and w500 w7", "w900 w2000 w5000"} {
			b.Run(fmt.Sprintf("%d/%s", n, strings.ReplaceAll(query, " ", "_")), func(b *testing.B) {
				for b.Loop() {
					call(b, e, abi.Retrieve, `{"handle":1,"request":{"query":"`+query+`"}}`)
				}
			})
		}
	}
}
