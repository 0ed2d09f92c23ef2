package generate

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// alter changes one thing in a stored reply.
func (b *builder) alter(stored string) string {
	if b.r.is(10) {
		return strings.Replace(stored, pick(b.r, []string{`"corpus":`, `"digest":"`, `"engine":"`, `"request":`, `"settings":`}), `"other":`, 1)
	}
	for range 10 {
		name := pick(b.r, []string{`"score":`, `"rank":`, `"budget":`, `"weight":`, `"recallBudget":`, `"slots":`, `"units":`, `"index":`, `"schema":`, `"matched":`, `"workLimit":`})
		if i := place(b.r, stored, name); i >= 0 {
			return stored[:i] + pick(b.r, []string{"1", "2", "0", "-1", "0.5", "3e-9", "9007199254740992"}) + strings.TrimLeft(stored[i:], "0123456789.e-+")
		}
	}
	return b.flip(stored)
}

// place returns what follows one of the occurrences of a name, or −1.
func place(r *random, s, name string) int {
	n := strings.Count(s, name)
	if n == 0 {
		return -1
	}
	i := 0
	for range r.between(1, n) {
		i += strings.Index(s[i:], name) + len(name)
	}
	return i
}

// flip changes, drops, doubles or adds bytes somewhere.
func (b *builder) flip(s string) string {
	if s == "" {
		return "\x00"
	}
	i := b.r.n(len(s))
	switch b.r.n(7) {
	case 0:
		return s[:i]
	case 1:
		return s[:i] + string([]byte{byte(b.r.n(256))}) + s[i+1:]
	case 2:
		return s[:i] + s[i+1:]
	case 3:
		j := min(len(s), i+b.r.between(1, 20))
		return s[:j] + s[i:]
	case 4:
		return s[:i] + pick(b.r, []string{"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe6\x96", "\x00", `\ud83d`, `\ude00`, "\ufeff", `"`, "{", "]", ",", "0", "e1", ".5", "null"}) + s[i:]
	case 5:
		return s + pick(b.r, []string{" ", "{}", "\x00", ",", "\n", "//", "\xef\xbb\xbf"})
	}
	return "\xef\xbb\xbf" + s
}

// wrong adds a call that is likely refused.
func (b *builder) wrong() {
	q := b.q.Request
	switch b.r.n(12) {
	case 0:
		q.Query = ""
	case 1:
		q.Query = strings.Repeat("x", abi.MaxQuery+b.r.between(-1, 2))
	case 2:
		q.RecallBudget = pick(b.r, []int64{0, -1, abi.MaxBudget, abi.MaxBudget + 1, 1 << 53, -1 << 62})
	case 3:
		q.Needs = []string{"", "x"}[:b.r.n(3)]
		if q.Needs == nil {
			q.Needs = []string{}
		}
	case 4:
		q.Scores = scores(b.r, b.r.n(4), append(b.q.Documents, abi.Document{ID: "stranger"}))
	case 5:
		q.WorkLimit = pick(b.r, []int64{0, -5, 1, 1<<53 - 1, 1 << 53})
	case 6:
		q.Profile = pick(b.r, []string{"neural", "Standard", "", "Cosine"})
	case 7:
		q.Text, q.Representation = pick(b.r, []string{"html", "none"}), pick(b.r, []string{"", "Each", "seed"})
	case 8:
		b.add(abi.Retrieve, 1, `"request":`+b.mistype(b.request(q))+"}")
		return
	case 9:
		b.add(abi.Export(b.r.n(10)), b.r.n(3), b.flip(`"request":`+b.request(q)+"}"))
		return
	default:
		b.add(abi.Retrieve, 1, b.flip(`"request":`+b.request(q)+"}"))
		return
	}
	b.add(pick(b.r, []abi.Export{abi.Retrieve, abi.Plan}), b.r.n(3), `"request":`+b.request(q)+"}")
}

// mistype misspells, repeats or mistypes a member.
func (b *builder) mistype(request string) string {
	member := pick(b.r, []string{
		`"recalBudget":3`, `"Query":"x"`, `"query":"twice"`, `"fil":true`, `"limit":10`, `"explain":1`, `"text":null`, `"needs":{}`, `"scores":[[]]`,
		`"seed":7`, `"recallBudget":1.0`, `"recallBudget":1e2`, `"recallBudget":"5"`, `"fill":"true"`, `"a":` + strings.Repeat("[", b.r.between(55, 70)), `"":0`, `"\u0000":0`,
	})
	if b.r.is(50) {
		return "{" + member + "," + request[1:]
	}
	return request[:len(request)-1] + "," + member + "}"
}

// wrongOpen opens a corpus that breaks a rule, and asks it.
func (b *builder) wrongOpen() {
	docs := append([]abi.Document{{ID: "a", Text: b.v.text(2)}}, b.q.Documents...)
	if len(docs) > 30 {
		docs = docs[:30]
	}
	var list []string
	for i := range docs {
		list = append(list, b.document(&docs[i]))
	}
	bad := pick(b.r, []string{
		`{"id":"","text":"x"}`, `{"id":"z"}`, `{"text":"z"}`, b.document(&docs[0]), `{"id":1,"text":"x"}`, `{"id":"z","text":null}`, `{"id":"z","text":"x","titel":"T"}`,
		`{"id":"z","id":"y","text":"x"}`, `[]`, `"z"`, `{"id":"z","text":"\ud800"}`, "{\"id\":\"z\",\"text\":\"\xff\"}", `{"id":"z","text":"x","key":["k"]}`, `null`,
	})
	i := b.r.n(len(list) + 1)
	list = append(list[:i:i], append([]string{bad}, list[i:]...)...)
	m := []member{{"engine", `"engine:case"`}, {"documents", b.s.array(list)}}
	switch b.r.n(6) {
	case 0:
		m = m[1:]
	case 1:
		m = append(m, member{"leaves", "[]"})
	case 2:
		m[0].value = `""`
	}
	input := b.s.object(m)
	if b.r.is(30) {
		input = b.flip(input)
	}
	b.add(abi.Open, 0, input)
	b.retrieve()
}
