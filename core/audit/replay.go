package audit

import (
	"crypto/sha256"

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

// Whole reports whether the stored digest is that of the stored content. If
// not, somebody changed the one or the other.
func (s *Stored) Whole() bool { return s.whole }

// digestWith returns the digest of the stored content, with the member of
// request of the given name replaced; a missing value leaves it out.
func (s *Stored) digestWith(name string, v json.Value) string {
	w := json.NewWriter(nil)
	w.BeginObject()
	for member, value := range s.value.Members() {
		switch member {
		case "digest":
			continue
		case "request":
			w.Name(member)
			writeWith(w, value, name, v)
		default:
			w.Name(member)
			w.Value(value)
		}
	}
	w.EndObject()
	return Name(sha256.Sum256(w.Bytes()))
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

// Altered returns the verdict on a member of request that was changed after the
// digest was made, if putting one member back restores it. What can be put back
// is what the audit repeats, the values of a small set, and the absence of the
// rest.
func (s *Stored) Altered() (v abi.ReplayReply, ok bool) {
	if s.whole {
		return v, false
	}
	audit, request := s.value.Member("audit"), s.value.Member("request")
	none := json.Value{}
	for _, c := range []struct {
		name   string
		values []json.Value
	}{
		{"query", []json.Value{audit.Member("query")}},
		{"seed", []json.Value{audit.Member("seed")}},
		{"recallBudget", []json.Value{audit.Member("recallBudget")}},
		{"explain", literals("true", "false")},
		{"fill", literals("true", "false")},
		{"profile", literals(`"cosine"`)},
		{"representation", literals(`"each"`, `"seed"`)},
		{"text", literals(`"none"`, `"snippet"`, `"full"`)},
		{"workLimit", literals("9007199254740991")},
		{"needs", []json.Value{none, s.needs()}},
		{"scores", []json.Value{none}},
	} {
		for _, original := range c.values {
			if s.digestWith(c.name, original) == s.digest {
				return mismatch("request."+c.name, request.Member(c.name), original), true
			}
		}
	}
	return v, false
}

func mismatch(at string, stored, replayed json.Value) abi.ReplayReply {
	return abi.ReplayReply{Verdict: abi.Mismatch, At: at, Stored: cut(stored.String()), Replayed: cut(replayed.String())}
}

// Refused returns the verdict on a stored reply that was altered so that its
// request cannot be answered.
func (s *Stored) Refused(err error) abi.ReplayReply {
	return abi.ReplayReply{Verdict: abi.Mismatch, At: "request", Stored: cut(s.value.Member("request").String()), Replayed: cut(err.Error())}
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
	path, stored, new, equal := json.Diff(without(s.value, "digest"), without(again, "digest"))
	if equal {
		path, stored, new, equal = json.Diff(s.value, again)
	}
	if equal {
		return abi.ReplayReply{Verdict: abi.Match, Digest: s.digest}
	}
	return mismatch(path, stored, new)
}

func without(v json.Value, name string) json.Value {
	w := json.NewWriter(nil)
	writeWith(w, v, name, json.Value{})
	stripped, _ := json.Parse(w.Bytes())
	return stripped
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
