package ucd

import (
	"strings"
	"testing"
)

var benchTexts = []struct {
	name, text string
}{
	{"English", strings.Repeat("Crane maintenance for berth 7 isn't due before Monday. ", 1000)},
	{"German", strings.Repeat("Die Gezeitentafeln für die Schleuse hängen im Büro, größer als früher. ", 1000)},
	{"Japanese", strings.Repeat("新幹線の時刻表はホームにあります。", 1000)},
	{"NFD", strings.Repeat("ge\u0301ne\u0301ral Vie\u0323\u0302t ", 1000)},
	{"Marks", strings.Repeat("\u0301\u0323", 20000)},
}

func benchmark(b *testing.B, run func(text string)) {
	for _, bt := range benchTexts {
		b.Run(bt.name, func(b *testing.B) {
			b.SetBytes(int64(len(bt.text)))
			b.ReportAllocs()
			for b.Loop() {
				run(bt.text)
			}
		})
	}
}

func BenchmarkNFC(b *testing.B) {
	var buf []byte
	benchmark(b, func(text string) { buf = AppendNFC(buf[:0], text) })
}

func BenchmarkFold(b *testing.B) {
	var buf []byte
	benchmark(b, func(text string) { buf = AppendFold(buf[:0], text) })
}

func BenchmarkWords(b *testing.B) {
	benchmark(b, func(text string) {
		for range Words(text) {
		}
	})
}

func BenchmarkGraphemes(b *testing.B) {
	benchmark(b, func(text string) {
		for range Graphemes(text) {
		}
	})
}
