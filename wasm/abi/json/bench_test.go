package json

import (
	"strings"
	"testing"
)

// corpus returns about a megabyte of documents as a corpus file holds them.
func corpus(text string) []byte {
	w := NewWriter(nil)
	w.BeginArray()
	for i := 0; len(w.buf) < 1<<20; i++ {
		w.BeginObject()
		w.Name("id")
		w.String("doc-" + string(appendDigits(nil, uint64(i))))
		w.Name("score")
		w.Nano(int64(i) * 353_553_391 % MaxNano)
		w.Name("text")
		w.String(text)
		w.Name("version")
		w.Int(int64(i))
		w.EndObject()
	}
	w.EndArray()
	return w.Bytes()
}

var corpora = []struct{ name, text string }{
	{"ascii", strings.Repeat("The crane at berth 7 was inspected after the storm. ", 12)},
	{"lines", strings.Repeat("The crane at berth 7 was inspected after the storm.\n", 12)},
	{"cyrillic", strings.Repeat("Кран у причала 7 осмотрен после шторма. ", 10)},
	{"han", strings.Repeat("七号泊位的起重机在风暴后接受了检查。", 10)},
	{"short", "crane"},
}

func BenchmarkRead(b *testing.B) {
	for _, c := range corpora {
		in := corpus(c.text)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(in)
				size := 0
				for range r.Array() {
					for name := range r.Object() {
						switch name {
						case "id", "text":
							size += len(r.String())
						case "score":
							size += int(r.Nano())
						case "version":
							size += int(r.Int())
						}
					}
				}
				if r.End() != nil || size == 0 {
					b.Fatal(r.Err())
				}
			}
		})
	}
}

func benchmark(b *testing.B, f func(in []byte)) {
	for _, c := range corpora {
		in := corpus(c.text)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				f(in)
			}
		})
	}
}

func BenchmarkSkip(b *testing.B) {
	benchmark(b, func(in []byte) { NewReader(in).Skip() })
}

func BenchmarkParse(b *testing.B) {
	benchmark(b, func(in []byte) { _, _ = Parse(in) })
}

func BenchmarkCanonicalize(b *testing.B) {
	benchmark(b, func(in []byte) { _, _ = Canonicalize(in) })
}

func BenchmarkWrite(b *testing.B) {
	for _, c := range corpora {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(corpus(c.text))))
			for b.Loop() {
				corpus(c.text)
			}
		})
	}
}

// The time for each member grows with the names' length only.
func BenchmarkWide(b *testing.B) {
	for _, n := range []int{8, 9, 1000, 200_000} {
		names := make([]string, n)
		for i := range names {
			names[i] = "member" + string(appendDigits(nil, uint64(i)*7919))
		}
		in, _ := wide(names)
		b.Run(string(appendDigits(nil, uint64(n))), func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				NewReader(in).Skip()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/member")
		})
	}
}
