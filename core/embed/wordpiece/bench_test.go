package wordpiece

import (
	"strings"
	"testing"
)

var benchTexts = []struct {
	name, text string
}{
	{"English", strings.Repeat("Crane maintenance for berth 7 isn't due before Monday, says the harbourmaster's timetable. ", 1000)},
	{"German", strings.Repeat("Die Gezeitentafeln für die Schleuse hängen im Büro, größer als früher. ", 1000)},
	{"Japanese", strings.Repeat("新幹線の時刻表はホームにあります。", 1000)},
	{"Korean", strings.Repeat("한국어 문장은 띄어쓰기를 합니다. ", 1000)},
	{"Marks", strings.Repeat("\u08d4\u1b44", 20000)},
	{"Unknown", strings.Repeat(strings.Repeat("q", 100)+" ", 1000)},
}

func BenchmarkAppend(b *testing.B) {
	v := vocabulary(b, pieces(b))
	for _, bt := range benchTexts {
		b.Run(bt.name, func(b *testing.B) {
			var dst []Token
			b.SetBytes(int64(len(bt.text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = v.Append(dst[:0], bt.text)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	pieces := pieces(b)
	for b.Loop() {
		vocabulary(b, pieces)
	}
}
