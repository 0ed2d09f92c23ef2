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

// writeReply writes a reply as the engine does: ten hits with excerpts of 300
// characters, two subqueries, about 6 KB.
func writeReply(w *Writer) {
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	integers := func(n int64, names ...string) {
		w.BeginObject()
		for _, name := range names {
			w.Name(name)
			w.Int(n)
		}
		w.EndObject()
	}
	w.BeginObject()
	w.Name("audit")
	w.BeginArray()
	for i := range int64(2) {
		w.BeginObject()
		w.Name("budget")
		w.Int(5)
		w.Name("contributed")
		w.BeginArray()
		for range 5 {
			w.String("doc-1042")
		}
		w.EndArray()
		w.Name("index")
		w.Int(i)
		w.Name("text")
		w.String("crane inspection after a storm")
		w.EndObject()
	}
	w.EndArray()
	w.Name("corpus")
	w.String(digest)
	w.Name("hits")
	w.BeginArray()
	for i := range int64(10) {
		w.BeginObject()
		w.Name("chunk")
		w.Int(0)
		w.Name("doc")
		w.String(digest)
		w.Name("id")
		w.String("doc-1042")
		w.Name("needs")
		w.BeginArray()
		w.BeginObject()
		w.Name("index")
		w.Int(i & 1)
		w.Name("score")
		w.Nano(353_553_391 - i)
		w.EndObject()
		w.EndArray()
		w.Name("range")
		integers(1300, "from", "of", "to")
		w.Name("score")
		w.Nano(353_553_391 - i)
		w.Name("text")
		w.String(replyText)
		w.Name("title")
		w.String("Inspection of the cranes")
		w.EndObject()
	}
	w.EndArray()
	w.Name("verdict")
	w.String("answered")
	w.Name("work")
	integers(10_000, "chunks", "needs", "units")
	w.EndObject()
}

var replyText = strings.Repeat("The crane at berth 7 was inspected.\nNothing \"loose\" was found. ", 6)[:300]

func BenchmarkWriteReply(b *testing.B) {
	w := NewWriter(nil)
	writeReply(w)
	b.SetBytes(int64(w.Len()))
	b.ReportAllocs()
	for b.Loop() {
		writeReply(NewWriter(nil))
	}
}

func BenchmarkReadReply(b *testing.B) {
	w := NewWriter(nil)
	writeReply(w)
	b.SetBytes(int64(w.Len()))
	b.ReportAllocs()
	for b.Loop() {
		NewReader(w.Bytes()).Skip()
	}
}

// Eight documents of 1.3 KB each, as a corpus is opened: to read them, and to
// write what their digests are taken of.
func BenchmarkDocuments(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"prose", strings.Repeat("The crane at berth 7 was inspected after the storm. ", 25)},
		{"lines", strings.Repeat("The crane at berth 7 was inspected after the storm.\n", 25)},
		{"cyrillic", strings.Repeat("Кран у причала 7 осмотрен после шторма. ", 19)},
	} {
		write := func(w *Writer) {
			w.BeginArray()
			for range 8 {
				w.BeginObject()
				w.Name("id")
				w.String("doc-1042")
				w.Name("text")
				w.String(c.text)
				w.Name("title")
				w.String("Inspection of the cranes")
				w.EndObject()
			}
			w.EndArray()
		}
		w := NewWriter(nil)
		write(w)
		b.Run("write/"+c.name, func(b *testing.B) {
			buf := make([]byte, 0, 2*w.Len())
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
			for b.Loop() {
				write(NewWriter(buf))
			}
		})
		b.Run("read/"+c.name, func(b *testing.B) {
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r, size := NewReader(w.Bytes()), 0
				for range r.Array() {
					for range r.Object() {
						size += len(r.String())
					}
				}
				if r.End() != nil || size == 0 {
					b.Fatal(r.Err())
				}
			}
		})
	}
}

func BenchmarkReadRequest(b *testing.B) {
	in := []byte(`{"handle":1,"request":{"query":"crane inspection after a storm and tide windows","recallBudget":10,"seed":"demo","text":true}}`)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		r, n := NewReader(in), int64(0)
		for name := range r.Object() {
			if name == "handle" {
				n += r.Int()
				continue
			}
			for name := range r.Object() {
				switch name {
				case "query", "seed":
					n += int64(len(r.String()))
				case "recallBudget":
					n += r.Int()
				case "text":
					r.Bool()
				}
			}
		}
		if r.End() != nil || n == 0 {
			b.Fatal(r.Err())
		}
	}
}
