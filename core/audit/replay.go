package audit

import (
	"strings"

	"github.com/rookhaven-project/rookhaven/core/internal/sha256"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Stored is a reply that was kept, read again. It may be of another engine,
// and of a later schema: all that is asked of it are the names of its engine and
// corpus, its request and its digest.
type Stored struct {
	value  json.Value
	digest string
	whole  bool // the digest is that of the content
}

// ReadStored reads a stored reply in any spelling. It fails with
// [abi.JSONInvalid] or [abi.ReplyInvalid].
func ReadStored(in []byte) (*Stored, error) {
	value, err := json.Parse(in)
	if err != nil {
		return nil, abi.Errorf(abi.ReplyInvalid, "%s", err.Error())
	}
	for _, name := range []string{"corpus", "digest", "engine"} {
		if value.Member(name).Kind() != json.String {
			return nil, abi.Errorf(abi.ReplyInvalid, "a reply has a member %q with a string", name)
		}
	}
	if value.Member("request").Kind() != json.Object {
		return nil, abi.Errorf(abi.ReplyInvalid, "a reply has a member %q with an object", "request")
	}
	s := &Stored{value: value, digest: value.Member("digest").Text()}
	s.whole = s.digestWith("", json.Value{}) == s.digest
	return s, nil
}

// Request returns the request that was answered, if this engine takes it.
func (s *Stored) Request() (abi.Request, error) {
	return abi.ReadRequest(json.Append(nil, s.value.Member("request")))
}

// IsSearch reports whether the reply is one of search: it has evidence and no audit,
// and its request has a limit. Of one that was altered, two of these are enough.
func (s *Stored) IsSearch() bool {
	signs := 0
	for _, sign := range []bool{
		s.value.Member("evidence").Kind() != json.Invalid,
		s.value.Member("audit").Kind() == json.Invalid,
		s.value.Member("request").Member("limit").Kind() != json.Invalid,
	} {
		if sign {
			signs++
		}
	}
	return signs >= 2
}

// Vectors reports whether the vector leg took part. Where it was asked for and did not,
// absent is what degraded says of it.
func (s *Stored) Vectors() (part bool, absent string) {
	if mode := s.member("request.mode").Text(); mode != abi.ModeVector && mode != abi.ModeHybrid {
		return false, ""
	}
	for _, d := range s.value.Member("degraded").Elements() {
		switch why := d.Text(); why {
		case abi.VectorsAbsent, abi.VectorsBuilding, abi.VectorsDamaged, abi.QueryAbsent:
			return false, why
		}
	}
	return true, ""
}

// Model returns the name of the model that the reply names, "" where it names none.
func (s *Stored) Model() string { return s.value.Member("model").Text() }

// Query returns the vector of the query, where the reply has it, else nil.
func (s *Stored) Query() []int8 {
	v, _ := abi.ParseVector(s.value.Member("queryVector").Text())
	return v
}

// HasQueries reports whether the reply has the vectors that its query was ranked with.
func (s *Stored) HasQueries() bool { return s.Query() != nil || s.Queries() != nil }

// Queries returns the vectors of the needs of a reply of retrieve that has them, in their
// order, else nil.
func (s *Stored) Queries() [][]int8 {
	var list [][]int8
	for _, sub := range s.value.Member("audit").Member("subqueries").Elements() {
		if v, _ := abi.ParseVector(sub.Member("queryVector").Text()); v != nil {
			list = append(list, v)
		}
	}
	return list
}

// Settings returns the settings of the index that ranked, nil where none did.
func (s *Stored) Settings() (*abi.Settings, error) {
	if s.value.Member("settings").Kind() != json.Object {
		return nil, nil
	}
	settings, err := abi.ReadSettings(json.Append(nil, s.value.Member("settings")))
	return &settings, err
}

// Search returns the search that was answered, if this engine takes it.
func (s *Stored) Search() (abi.SearchRequest, error) {
	return abi.ReadSearch(json.Append(nil, s.value.Member("request")))
}

// Whole reports whether the stored digest is that of the stored content. If
// not, somebody changed the one or the other.
func (s *Stored) Whole() bool { return s.whole }

// digestWith returns the digest of the stored content with one member replaced,
// one of the reply or, with a name such as request.query, of one of its objects; a
// missing value leaves it out.
func (s *Stored) digestWith(name string, v json.Value) string {
	content := s.value
	if object, inner, ok := strings.Cut(name, "."); ok {
		name, v = object, with(s.value.Member(object), inner, v)
	}
	if name != "" {
		content = with(content, name, v)
	}
	return Name(sha256.Sum256(json.Append(nil, with(content, "digest", json.Value{}))))
}

// with returns an object with one member replaced, added or, if v is missing,
// left out.
func with(object json.Value, name string, v json.Value) json.Value {
	w := json.NewWriter(nil)
	writeWith(w, object, name, v)
	changed, err := json.Parse(w.Bytes())
	if err != nil {
		panic("audit: BUG: " + err.Error())
	}
	return changed
}

// writeWith writes an object with one member replaced, added or, if v is
// missing, left out.
func writeWith(w *json.Writer, object json.Value, name string, v json.Value) {
	w.BeginObject()
	due := name != "" && v.Kind() != json.Invalid
	for member, value := range object.Members() {
		if due && json.CompareNames(name, member) <= 0 {
			w.Name(name)
			w.Value(v)
			due = false
		}
		if member != name {
			w.Name(member)
			w.Value(value)
		}
	}
	if due {
		w.Name(name)
		w.Value(v)
	}
	w.EndObject()
}

// Altered returns the verdict on a member that was changed after the digest was
// made, if putting one member back restores it. What can be put back is what the
// audit repeats, the names, the corpus and the settings at hand, the values of a
// small set, and the absence of the rest.
func (s *Stored) Altered(names abi.Names, here *Corpus, settings abi.Settings) (v abi.ReplayReply, ok bool) {
	if s.whole {
		return v, false
	}
	audit := s.value.Member("audit")
	for _, c := range append(s.members(settings), []original{
		{"engine", texts(names.Engine)},
		{"model", texts(names.Model)},
		{"vectors", texts(names.Vectors)},
		{"corpus", texts(Name(here.Root()))},
		{"schema", literals("1")},
		{"request.query", []json.Value{audit.Member("query")}},
		{"request.seed", []json.Value{audit.Member("seed")}},
		{"request.recallBudget", []json.Value{audit.Member("recallBudget")}},
		{"request.explain", literals("true", "false")},
		{"request.fill", literals("true", "false")},
		{"request.profile", literals(`"cosine"`, `"standard"`, `"journal"`)},
		{"request.mode", literals(`"lexical"`, `"vector"`, `"hybrid"`)},
		{"request.fusion", literals(`"sum"`, `"rrf"`)},
		{"request.representation", literals(`"each"`, `"seed"`)},
		{"request.text", literals(`"none"`, `"snippet"`, `"full"`)},
		{"request.workLimit", literals("9007199254740991")},
		{"request.needs", []json.Value{s.needs()}},
		{"request.abstain", literals("true", "false")},
		{"request.count", literals("true", "false")},
		{"request.typos", literals("true", "false")},
		{"request.match", literals(`"any"`, `"exactThenFallback"`)},
		{"request.collapse", literals(`"none"`, `"document"`)},
		{"request.limit", literals("10")},
		{"request.offset", literals("0")},
		{"request.minEvidence", literals("0")},
	}...) {
		for _, original := range c.values {
			if s.digestWith(c.name, original) == s.digest {
				return mismatch(c.name, s.member(c.name), original), true
			}
		}
	}
	return v, false
}

// An original is a member with what it may have been.
type original struct {
	name   string
	values []json.Value
}

// members returns every member of the reply, its request and its settings as one that
// may not have been there, and the settings as those at hand.
func (s *Stored) members(here abi.Settings) []original {
	var list []original
	for _, object := range []string{"", "request", "settings"} {
		of, prefix := s.value, ""
		if object != "" {
			of, prefix = s.value.Member(object), object+"."
		}
		for name := range of.Members() {
			list = append(list, original{prefix + name, []json.Value{{}}})
		}
	}
	if s.value.Member("settings").Kind() == json.Object {
		for name, value := range literals(string(here.Append(nil)))[0].Members() {
			list = append(list, original{"settings." + name, []json.Value{value}})
		}
	}
	return list
}

// member returns a member of the reply or, by a name such as request.query, of one of
// its objects.
func (s *Stored) member(name string) json.Value {
	if object, inner, ok := strings.Cut(name, "."); ok {
		return s.value.Member(object).Member(inner)
	}
	return s.value.Member(name)
}

// texts is a string as a value, or the absence of one that is empty.
func texts(text string) []json.Value {
	if text == "" {
		return []json.Value{{}}
	}
	return literals(string(json.AppendString(nil, text)))
}

// Broken returns the verdict on a reply that was altered, over another engine or
// corpus than it names: that it was is certain, where is not.
func (s *Stored) Broken() abi.ReplayReply {
	return mismatch("digest", s.value.Member("digest"), texts(s.digestWith("", json.Value{}))[0])
}

func mismatch(at string, stored, replayed json.Value) abi.ReplayReply {
	return abi.ReplayReply{Verdict: abi.Mismatch, At: at, Stored: cut(stored.String()), Replayed: cut(replayed.String())}
}

// Refused returns the verdict on a stored reply that was altered so that its
// request cannot be answered.
func (s *Stored) Refused() abi.ReplayReply {
	if s.member("request.query").Kind() == json.Invalid {
		return abi.ReplayReply{Verdict: abi.Mismatch, At: "request.query"}
	}
	return abi.ReplayReply{Verdict: abi.Mismatch, At: "request", Stored: cut(s.value.Member("request").String())}
}

func literals(list ...string) []json.Value {
	values := make([]json.Value, len(list))
	for i, literal := range list {
		values[i], _ = json.Parse([]byte(literal))
	}
	return values
}

// needs returns the texts of the audit's subqueries, which are the caller's
// needs where the request had some.
func (s *Stored) needs() json.Value {
	w := json.NewWriter(nil)
	w.BeginArray()
	for _, sub := range s.value.Member("audit").Member("subqueries").Elements() {
		w.String(sub.Member("text").Text())
	}
	w.EndArray()
	v, _ := json.Parse(w.Bytes())
	return v
}

// Compare compares the stored reply with the bytes of the replayed one. The
// digest counts as different only when nothing else is.
func (s *Stored) Compare(replayed []byte) abi.ReplayReply {
	again, err := json.Parse(replayed)
	if err != nil {
		panic("audit: BUG: a reply that does not parse: " + err.Error())
	}
	path, stored, new, equal := json.Diff(with(s.value, "digest", json.Value{}), with(again, "digest", json.Value{}))
	if equal {
		path, stored, new, equal = json.Diff(s.value, again)
	}
	if equal {
		return abi.ReplayReply{Verdict: abi.Match, Digest: s.digest}
	}
	return mismatch(path, stored, new)
}

// cut shortens a text to at most 200 UTF-16 units, so that a verdict stays small.
func cut(s string) string {
	units := 0
	for i, r := range s {
		units++
		if r > 0xffff {
			units++
		}
		if units > 200 {
			return s[:i]
		}
	}
	return s
}

// Missing returns the verdict that a replay is impossible because the names or
// the corpus at hand are not those of the stored reply, or ok = false.
func (s *Stored) Missing(names abi.Names, here *Corpus, kept *Corpus) (v abi.ReplayReply, ok bool) {
	for _, m := range []struct{ what, here string }{
		{"engine", names.Engine},
		{"model", names.Model},
		{"vectors", names.Vectors},
		{"corpus", Name(here.Root())},
	} {
		stored := s.value.Member(m.what).Text()
		if stored == m.here {
			continue
		}
		v = abi.ReplayReply{Verdict: abi.Unverifiable, Missing: m.what, Stored: stored, Replayed: m.here}
		if m.what == "corpus" {
			v.Document = s.changed(here, kept)
		}
		return v, true
	}
	return v, false
}

// changed returns the first document that differs: by the trie where the stored
// corpus is kept, else by the digests that the hits recorded.
func (s *Stored) changed(here, kept *Corpus) string {
	if kept != nil && Name(kept.Root()) == s.value.Member("corpus").Text() {
		id, _ := FirstDifference(kept, here)
		return id
	}
	for _, h := range s.value.Member("hits").Elements() {
		id := h.Member("id").Text()
		if doc, ok := here.Find(id); !ok || Name(doc) != h.Member("doc").Text() {
			return id
		}
	}
	return ""
}
