package generate

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// inflected are words that meet by their stems, in compounds and in scripts without
// spaces. They are drawn the more often the earlier they stand, so that counts
// differ and many are equal.
var inflected = strings.Fields(`crane tide cranes fog the of ferry tides pilot maintenance berth and ferries foggy maintained brake not craned
	tidal maintain lamp INV-0042 parseHTTPHeader snake_case 新幹線 使用kubectl部署 café café Straße v1.2.3 to be or ﬁn 港`)

// term draws one of them, or now and then one of the case's vocabulary.
func (b *builder) term() string {
	if b.r.is(6) {
		return b.v.word()
	}
	return inflected[min(b.r.n(len(inflected)), b.r.n(len(inflected)))]
}

func (b *builder) prose(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = b.term()
	}
	return strings.Join(list, " ")
}

// search makes a case about an index: how it is opened, what it is asked, and what
// comes of the reply.
func (b *builder) search() {
	b.q.Documents = b.passages()
	settings := b.settings()
	segments := b.index(settings)
	if b.r.is(35) {
		b.dimensions = pick(b.r, []int{1, 2, 5, 8, 16, 63, 64, 65, 100})
		b.attach(1)
	}
	for range b.r.between(1, 3) {
		request := b.searchRequest()
		reply := b.ask(request)
		switch {
		case b.r.is(15):
			b.wrongSearch(request)
		case reply != nil && b.r.is(25):
			b.page(request, reply)
		case reply != nil && b.r.is(20):
			b.replay(reply)
		case b.r.is(15):
			b.spread(settings, b.searchRounds(request))
		case b.r.is(60):
			b.byNeeds(settings)
		}
	}
	if segments > 0 && b.r.is(40) {
		b.add(abi.Remove, 1, `"ids":`+b.s.array(b.someIDs())+"}")
		b.add(abi.Compact, 1, `"inline":true}`)
	}
	if b.r.is(25) {
		b.documents()
	}
}

// passages draws documents of several passages, with what filters ask about.
func (b *builder) passages() []abi.Document {
	list := make([]abi.Document, pick(b.r, []int{0, 1, 2, 3, 5, 5, 8, 8, 12, 12, 20, b.r.between(2, 30)}))
	ids := newIDs(b.r, b.v)
	for i := range list {
		d := &list[i]
		d.ID = ids.next(i)
		ids.describe(d)
		switch {
		case i > 0 && b.r.is(15):
			d.Text = list[b.r.n(i)].Text
		case b.r.is(35):
			d.Path, d.Text = fmt.Sprintf("p/%d.md", b.r.n(20)), b.markdown()
		case b.r.is(10):
			d.Blocks = b.blocks()
		case b.r.is(5):
			d.Text = pick(b.r, []string{"", " ", "the of", "…", "#", "# \n"})
		default:
			d.Text = b.prose(b.r.between(1, 40))
			if b.r.is(30) {
				d.Text += pick(b.r, []string{"\n\n", "\r\n\r\n", ". ", "\n", "\u2029"}) + b.prose(b.r.between(1, 60))
			}
		}
		if b.r.is(50) {
			d.Collection = pick(b.r, []string{"north", "south", "é", "é"})
		}
		if b.r.is(50) {
			d.Metadata = b.metadata()
		}
	}
	return list
}

func (b *builder) markdown() string {
	var s strings.Builder
	if b.r.is(20) {
		fmt.Fprintf(&s, "---\ntitle: %s\nn: %d\n---\n", b.prose(2), b.r.n(4))
	}
	for range b.r.between(1, 5) {
		switch b.r.n(6) {
		case 0, 1, 2:
			fmt.Fprintf(&s, "%s %s\n\n", strings.Repeat("#", b.r.between(1, 4)), b.prose(b.r.between(1, 3)))
		case 3:
			fmt.Fprintf(&s, "%s\n%s\n\n", b.prose(2), pick(b.r, []string{"===", "---"}))
		case 4:
			fmt.Fprintf(&s, "```\n# %s\n```\n\n", b.prose(3))
		case 5:
			fmt.Fprintf(&s, "| a | b |\n| - | - |\n| %s | %s |\n\n", b.prose(1), b.prose(2))
		}
		fmt.Fprintf(&s, "%s\n\n", b.prose(b.r.between(1, 50)))
	}
	return s.String()
}

// blocks draws the pieces of a document in another format, as JSON.
func (b *builder) blocks() string {
	var list []abi.Block
	for range b.r.between(1, 6) {
		k := abi.Block{Type: pick(b.r, []string{abi.BlockHeading, abi.BlockParagraph, abi.BlockTable, abi.BlockCode, abi.BlockList, abi.BlockQuote, abi.BlockPageBreak, abi.BlockNote})}
		switch k.Type {
		case abi.BlockHeading:
			k.Level, k.Text = int64(b.r.between(1, 6)), b.prose(2)
		case abi.BlockTable:
			k.Rows = [][]string{{b.prose(1), b.prose(2)}, {b.prose(1), b.prose(1)}}
		case abi.BlockList:
			k.Ordered, k.Items = b.r.is(50), []string{b.prose(2), b.prose(3)}
		case abi.BlockPageBreak:
		default:
			k.Text = b.prose(b.r.between(1, 30))
		}
		list = append(list, k)
	}
	return string(abi.AppendBlocks(nil, list))
}

// scalars are values that are equal, nearly equal, or equal but for their type; numbers
// and strings come first.
var scalars = []string{"1", `"x"`, "1.0", "2", `"1"`, "0.1", "1e0", `"é"`, `"é"`, "0.10000000000000000000000000000000001", "-3", `""`, "true", "null", "false"}

// scalar draws one of the first n, the more often the earlier it stands.
func (b *builder) scalar(n int) string { return scalars[min(b.r.n(n), b.r.n(n), b.r.n(n))] }

func (b *builder) metadata() string {
	var m []member
	for _, name := range []string{"n", "tag", "by"} {
		switch b.r.n(5) {
		case 0:
		case 1:
			m = append(m, member{name, b.s.array([]string{b.scalar(len(scalars)), b.scalar(len(scalars))})})
		case 2:
			m = append(m, member{name, b.s.object([]member{{"n", b.scalar(len(scalars))}})})
		default:
			m = append(m, member{name, b.scalar(len(scalars))})
		}
	}
	return b.s.object(m)
}

// settings draws the settings of an index; "": none are given.
func (b *builder) settings() string {
	if b.r.is(40) {
		return ""
	}
	var m []member
	if b.r.is(50) {
		target := b.r.between(1, 30)
		m = append(m, member{"target", strconv.Itoa(target)}, member{"min", strconv.Itoa(b.r.n(target + 1))},
			member{"max", strconv.Itoa(target + b.r.n(20))}, member{"overlap", strconv.Itoa(b.r.n(target/2 + 1))})
	}
	if b.r.is(20) {
		m = append(m, member{"chunks", `"whole"`})
	}
	if b.r.is(40) {
		m = append(m, member{"language", strconv.Quote(pick(b.r, []string{"none", "en", "de", "fr", "ru", "fi", "hu", "ga"}))})
	}
	if b.r.is(6) {
		m = append(m, pick(b.r, []member{{"overlapp", "3"}, {"target", "0"}, {"max", "1e3"}, {"language", `"tlh"`}, {"chunks", `"pages"`}, {"min", "null"}}))
	}
	return b.s.object(m)
}

// index opens the documents with settings, or from segments that are built from
// them; it returns how many.
func (b *builder) index(settings string) (segments int) {
	if len(b.q.Documents) == 0 || b.r.is(60) {
		b.openWith(b.q.Documents, settings)
		return 0
	}
	given := settings
	if given == "" {
		given = "{}"
	}
	var refs, removed []string
	rest := b.q.Documents
	for len(rest) > 0 {
		n := b.r.between(1, len(rest))
		ref := b.segment(rest[:n], given)
		if ref == "" {
			b.openWith(b.q.Documents, settings)
			return 0
		}
		var gone []string
		for i := range n {
			if b.r.is(15) {
				gone = append(gone, strconv.Itoa(i))
			}
		}
		refs, removed, rest = append(refs, ref), append(removed, b.s.array(gone)), rest[n:]
	}
	m := []member{{"engine", `"engine:case"`}, {"model", `"model:case"`}, {"segments", b.s.array(refs)}, {"settings", given}, {"removed", b.s.array(removed)}}
	b.add(abi.Open, 0, b.s.object(m))
	return len(refs)
}

// segment builds a segment and returns the reference to it, or "".
func (b *builder) segment(docs []abi.Document, settings string) string {
	list := make([]string, len(docs))
	for i := range docs {
		list[i] = b.document(&docs[i])
	}
	out := b.add(abi.Build, 0, b.s.object([]member{{"documents", b.s.array(list)}, {"settings", settings}, {"inline", "true"}}))
	var reply struct{ Segment stdjson.RawMessage }
	if out == nil || stdjson.Unmarshal(out, &reply) != nil {
		return ""
	}
	if b.r.is(3) {
		return b.damage(string(reply.Segment))
	}
	return string(reply.Segment)
}

// damage changes one character of the base64 of a segment.
func (b *builder) damage(ref string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
	i := len(`{"base64":"`) + b.r.n(len(ref)-len(`{"base64":""}`))
	return ref[:i] + string(digits[b.r.n(len(digits))]) + ref[i+1:]
}

func (b *builder) openWith(docs []abi.Document, settings string) []byte {
	list := make([]string, len(docs))
	for i := range docs {
		list[i] = b.document(&docs[i])
	}
	m := []member{{"engine", `"engine:case"`}, {"model", `"model:case"`}, {"documents", b.s.array(list)}}
	if settings != "" {
		m = append(m, member{"settings", settings})
	}
	return b.add(abi.Open, 0, b.s.object(m))
}

// question draws a query with the syntax of queries, right and wrong.
func (b *builder) question() string {
	q := b.prose(b.r.between(1, 5))
	switch b.r.n(14) {
	case 0:
		return `"` + b.prose(b.r.between(1, 3)) + `" ` + q
	case 1:
		return pick(b.r, []string{"fo*", "cr*", "f*", "新*", "INV*", "*"}) + " " + q
	case 2:
		return q + " -" + b.term()
	case 3:
		return q + ` -"` + b.prose(2) + `"`
	case 4:
		return pick(b.r, []string{"title:", "heading:", "body:", "Title:", "title: ", `title:"`}) + q
	case 5:
		return typo(b.r, b.term()) + " " + typo(b.r, b.term())
	case 6:
		return b.term() // often one identifier
	case 7:
		return "-" + b.term()
	case 8:
		return pick(b.r, []string{"the of", "zzzz", " ", "\"", "-", "to be or not to be", "新", "AND (", "\u0000"})
	case 9:
		return b.v.query()
	}
	return q
}

// typo misspells a word.
func typo(r *random, word string) string {
	letters := []rune(word)
	if len(letters) < 3 {
		return word
	}
	i := 1 + r.n(len(letters)-2)
	switch r.n(3) {
	case 0:
		letters[i], letters[i+1] = letters[i+1], letters[i]
	case 1:
		return string(letters[:i]) + string(letters[i+1:])
	case 2:
		return string(letters[:i]) + "e" + string(letters[i:])
	}
	return string(letters)
}

// searchRequest draws the members of a SearchRequest.
func (b *builder) searchRequest() []member {
	r, s := b.r, b.s
	m := []member{{"query", s.text(b.question())}}
	some := func(percent int, name, value string) {
		if r.is(percent) {
			m = append(m, member{name, value})
		}
	}
	some(50, "limit", strconv.Itoa(pick(r, []int{1, 2, 3, 5, 30, 1000})))
	some(15, "offset", strconv.Itoa(pick(r, []int{0, 1, 3, 20, 10_000})))
	some(15, "profile", pick(r, []string{`"journal"`, `"standard"`}))
	if b.dimensions > 0 || r.is(3) {
		some(70, "mode", pick(r, []string{`"hybrid"`, `"hybrid"`, `"vector"`, `"semantic"`, `"lexical"`}))
		some(20, "fusion", pick(r, []string{`"rrf"`, `"sum"`}))
	}
	some(10, "match", pick(r, []string{`"any"`, `"exactThenFallback"`, `"exactThenFallback"`}))
	some(20, "seed", s.text(pick(r, []string{"", "demo", "😀"})))
	some(25, "filters", b.filters())
	some(12, "collections", s.array([]string{pick(r, []string{`"north"`, `"é"`, `"nowhere"`})}))
	some(10, "documents", s.array(b.someIDs()))
	some(20, "collapse", pick(r, []string{`"document"`, `"document"`, `"none"`}))
	some(25, "expand", b.expand())
	some(50, "explain", "true")
	some(60, "text", strconv.Quote(pick(r, []string{abi.TextNone, abi.TextSnippet, abi.TextFull})))
	some(10, "typos", "false")
	some(20, "abstain", "true")
	some(40, "count", "true")
	some(20, "minEvidence", strconv.Itoa(pick(r, []int{0, 1, 100_000_000, 200_000_000, 200_000_000 + r.n(400_000_000), abi.MaxEvidence})))
	some(20, "budget", strconv.Itoa(pick(r, []int{1, 400, 400 + r.n(400), 1000, 2000})))
	some(6, "workLimit", strconv.Itoa(r.between(1, 80)))
	return m
}

func (b *builder) expand() string {
	m := []member{{"type", strconv.Quote(pick(b.r, []string{abi.ExpandNeighbors, abi.ExpandSection, abi.ExpandDocument, abi.ExpandNone}))}}
	if b.r.is(40) {
		m = append(m, member{"before", strconv.Itoa(b.r.n(6))})
	}
	if b.r.is(40) {
		m = append(m, member{"after", strconv.Itoa(b.r.n(6))})
	}
	return b.s.object(m)
}

func (b *builder) filters() string {
	var m []member
	names := []string{"n", "tag", "by", "by.n", "title"}
	shuffle(b.r, names)
	for _, name := range names[:1+b.r.n(10)/8] {
		m = append(m, member{name, b.condition()})
	}
	return b.s.object(m)
}

func (b *builder) condition() string {
	if b.r.is(40) {
		return b.scalar(len(scalars))
	}
	var m []member
	operators := []string{"eq", "neq", "in", "exists", "gt", "gte", "lt", "lte"}
	shuffle(b.r, operators)
	for _, operator := range operators[:b.r.between(1, 2)] {
		value := b.scalar(len(scalars))
		switch operator {
		case "in":
			value = b.s.array([]string{value, b.scalar(len(scalars))})
		case "exists":
			value = pick(b.r, []string{"true", "false"})
		case "gt", "gte", "lt", "lte":
			value = b.scalar(len(scalars) - 3)
		}
		m = append(m, member{operator, value})
	}
	return b.s.object(m)
}

// someIDs returns ids of the corpus and others, as JSON.
func (b *builder) someIDs() []string {
	list := []string{}
	for i := range b.q.Documents {
		if b.r.is(30) {
			list = append(list, b.s.text(b.q.Documents[i].ID))
		}
	}
	if b.r.is(30) {
		list = append(list, `"stranger"`)
	}
	return list
}

func (b *builder) ask(request []member) []byte {
	return b.add(abi.Search, 1, `"search":`+b.s.object(request)+b.queryVector()+"}")
}

// page asks for the next page, or with the cursor of another list.
func (b *builder) page(request []member, reply []byte) {
	var at struct{ Cursor string }
	if stdjson.Unmarshal(reply, &at) != nil || at.Cursor == "" {
		return
	}
	next := []member{{"cursor", b.s.text(at.Cursor)}}
	for _, m := range request {
		if m.name != "offset" {
			next = append(next, m)
		}
	}
	switch b.r.n(6) {
	case 0:
		next[0].value = b.s.text(at.Cursor[:len(at.Cursor)-1] + "0")
	case 1:
		next[0].value = pick(b.r, []string{`""`, `"1"`, `"01` + at.Cursor[1:] + `"`, "3", `"` + at.Cursor + at.Cursor + `"`})
	case 2:
		next = append(next, member{"seed", `"another"`})
	case 3: // shown otherwise
		next = slices.DeleteFunc(next, func(m member) bool { return m.name == "text" || m.name == "budget" })
		next = append(next, member{"text", `"full"`}, member{"budget", "600"})
	}
	b.ask(next)
}

// byIndex is the request of the case for a profile that ranks by the index.
func (b *builder) byIndex() abi.Request {
	q := b.q.Request
	q.Scores, q.Query = nil, b.prose(b.r.between(1, 4))+pick(b.r, connectors)+b.prose(2)
	q.Profile = pick(b.r, []string{abi.ProfileStandard, abi.ProfileStandard, abi.ProfileJournal, abi.ProfileCosine})
	if b.r.is(70) {
		q.Needs = []string{`"` + b.inOrder() + `" "` + b.inOrder() + `"`, b.prose(2), b.prose(1) + " -" + b.term()}
	}
	if q.Profile != abi.ProfileCosine || b.r.is(10) {
		q.Mode = pick(b.r, []string{"", "", abi.ModeLexical, abi.ModeVector, abi.ModeSemantic, abi.ModeHybrid})
		q.Fusion = pick(b.r, []string{"", "", "", abi.FusionSum, abi.FusionRRF})
	}
	return q
}

// inOrder returns two words that stand after one another in some document.
func (b *builder) inOrder() string {
	if len(b.q.Documents) > 0 {
		if words := strings.Fields(pick(b.r, b.q.Documents).Text); len(words) > 1 {
			i := b.r.n(len(words) - 1)
			return strings.ReplaceAll(words[i]+" "+words[i+1], `"`, "")
		}
	}
	return b.prose(2)
}

// byNeeds asks an index for the needs of a request: at once, or in rounds.
func (b *builder) byNeeds(settings string) {
	request := b.request(b.byIndex())
	vectors := b.queryVectors(request)
	if b.r.is(40) {
		b.spread(settings, inRounds{`"request":` + request + vectors, []round{{abi.Plan, "plans"}, {abi.Statistics, "statistics"}, {abi.Partial, "partials"}}, abi.Merge})
		return
	}
	if reply := b.add(abi.Retrieve, 1, `"request":`+request+vectors+"}"); reply != nil && b.r.is(40) {
		b.replay(reply)
	}
}

// wrongSearch asks what is likely refused.
func (b *builder) wrongSearch(request []member) {
	wrong := pick(b.r, []member{
		{"recallBudget", "3"}, {"limit", "0"}, {"limit", "1001"}, {"offset", "-1"}, {"mode", `"dense"`}, {"fusion", `"max"`}, {"profile", `"cosine"`}, {"match", `"all"`},
		{"filters", "[]"}, {"filters", `{"a b":1}`}, {"filters", `{"n":{"near":1}}`}, {"filters", `{"n":{"gt":true}}`}, {"filters", `{"n":{}}`}, {"filters", "null"},
		{"collapse", "true"}, {"expand", `{"before":6}`}, {"expand", `{"typ":"none"}`}, {"text", `"html"`}, {"workLimit", "0"}, {"cursor", `"x"`}, {"seed", "7"},
		{"documents", `"a"`}, {"query", `""`}, {"count", "1"}, {"minEvidence", "-1"}, {"minEvidence", "1000000001"}, {"minEvidence", "0.5"},
		{"budget", "0"}, {"budget", "null"},
	})
	var m []member
	for _, given := range request {
		if given.name != wrong.name {
			m = append(m, given)
		}
	}
	m = append(m, wrong)
	if b.r.is(25) {
		b.add(abi.Search, 1, b.flip(`"search":`+b.s.object(m)+"}"))
		return
	}
	b.ask(m)
}

// inRounds is a question to several instances: the members that every round takes, the
// rounds with what each gives, and the last one.
type inRounds struct {
	question string
	rounds   []round
	merge    abi.Export
}

type round struct {
	export abi.Export
	gives  string
}

// searchRounds is a search in rounds.
func (b *builder) searchRounds(request []member) inRounds {
	return inRounds{
		fmt.Sprintf(`"corpus":"sha256:%064d","search":%s%s`, 0, b.s.object(request), b.queryVector()),
		[]round{{abi.SearchPlans, "plans"}, {abi.SearchStats, "statistics"}, {abi.SearchPartials, "partials"}}, abi.SearchMerge,
	}
}

// spread spreads the corpus over several handles and asks in rounds, as a host with
// several instances does.
func (b *builder) spread(settings string, q inRounds) {
	parts := make([][]abi.Document, b.r.between(1, 4))
	for _, d := range b.q.Documents {
		i := b.r.n(len(parts))
		parts[i] = append(parts[i], d)
	}
	given := settings
	if given == "" {
		given = "{}"
	}
	first := b.opened + 1
	for i := range parts {
		if b.openWith(parts[i], given) == nil {
			return
		}
	}
	for i := range parts {
		if b.dimensions > 0 && !b.r.is(5) {
			b.attach(first + i)
		}
	}
	more := q.question
	for _, round := range q.rounds {
		var list []string
		for i := range parts {
			out := b.add(round.export, first+i, more+"}")
			if out == nil {
				return
			}
			list = append(list, string(out))
		}
		more += fmt.Sprintf(`,"%s":[%s]`, round.gives, strings.Join(list, ","))
	}
	if q.merge == abi.Merge {
		more = fmt.Sprintf(`"corpus":"sha256:%064d",%s`, 0, more)
	}
	b.add(q.merge, 0, `{"engine":"engine:case","model":"model:case","settings":`+given+","+more+"}")
}

// asks reports whether case i is about an index: every third is.
func asks(i int) bool { return i%3 == 2 }

// searchCase makes a case about an index. Its draws are its own, so that what the
// question of a case is does not depend on it.
func (g *Generator) searchCase(i int) call.Case {
	r := newRandom(g.Seed^0x5ea7c4, uint64(i))
	q, v := question(r)
	b := builder{r: r, q: q, v: v, s: &speller{r: r, loose: r.is(40)}, engine: g.Reference()}
	b.search()
	return call.Case{Name: g.Name(i), Steps: b.steps}
}

// given spells metadata or blocks anew; both are JSON.
func (b *builder) given(text string) string {
	v, err := json.Parse([]byte(text))
	if err != nil {
		return text
	}
	return b.respell(v)
}
