package text

import (
	"strings"
	"testing"
)

// The same texts as BenchmarkCosine's, and code.
func BenchmarkStandard(b *testing.B) {
	for _, bb := range []struct {
		name, text string
	}{
		{"English", strings.Repeat("Crane maintenance for berth 7 isn't due before Monday, unless the Harbour Master asks. ", 2000)},
		{"Lower", strings.Repeat("crane maintenance for berth 7 isn't due before monday, unless the harbour master asks. ", 2000)},
		{"German", strings.Repeat("Die Gezeitentafeln für die Schleuse hängen im Büro, größer als früher. ", 2000)},
		{"Russian", strings.Repeat("Таблицы приливов для шлюза висят в конторе. ", 2000)},
		{"Japanese", strings.Repeat("新幹線の時刻表はホームにあります。", 2000)},
		{"Mixed", strings.Repeat("使用KUBECTL部署を行う。", 2000)},
		{"Korean", strings.Repeat("항만의 크레인 정비 일정은 사무실에 있습니다. ", 2000)},
		{"NFD", strings.Repeat("Le ge\u0301ne\u0301ral a e\u0301te\u0301 vu. ", 2000)},
		{"Code", strings.Repeat("return parseHTTPHeader(req.header_map, \"X-Berth-7\") // see docs/cranes.md\n", 2000)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				for range Standard(bb.text) {
				}
			}
		})
	}
}
