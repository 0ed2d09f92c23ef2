package cli

import (
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// readFound reads a SearchReply, to be shown. Members that it does not know are passed
// over, because replies may gain some.
func readFound(in []byte) (*abi.SearchReply, error) {
	r := json.NewReader(in)
	p := &abi.SearchReply{}
	var request, settings []byte
	targets := fields{
		"engine": &p.Engine, "model": &p.Model, "vectors": &p.Vectors, "corpus": &p.Corpus, "digest": &p.Digest,
		"verdict": &p.Verdict, "reason": &p.Reason, "cursor": &p.Cursor, "degraded": &p.Degraded,
	}
	for name := range r.Object() {
		switch name {
		case "request":
			request = r.Raw()
		case "settings":
			settings = r.Raw()
		case "hits":
			for range r.Array() {
				p.Hits = append(p.Hits, readHit(r))
			}
		case "total":
			n := r.Int()
			p.Total = &n
		case "corrected":
			for range r.Array() {
				var c abi.Correction
				fields{"from": &c.From, "to": &c.To}.object(r)
				p.Corrected = append(p.Corrected, c)
			}
		case "evidence":
			e, cosine := &p.Evidence, nanos(none)
			fields{"cosine": &cosine, "asked": (*nanos)(&e.Asked), "passage": (*nanos)(&e.Passage), "together": (*nanos)(&e.Together), "score": (*nanos)(&e.Score), "most": (*nanos)(&e.Most), "missing": &e.Missing}.object(r)
			if cosine != none {
				e.Cosine = (*int64)(&cosine)
			}
		case "omitted":
			fields{"hits": &p.Omitted}.object(r)
		case "unmet":
			fields{"fields": &p.Unmet.Fields, "collections": &p.Unmet.Collections, "documents": &p.Unmet.Documents}.object(r)
		case "work":
			fields{"chunks": &p.Work.Chunks, "postings": &p.Work.Postings, "units": &p.Work.Units}.object(r)
		default:
			targets.read(r, name)
		}
	}
	if err := r.End(); err != nil {
		return nil, &abi.Error{Code: abi.ReplyInvalid, Sentence: err.Error()}
	}
	var err error
	if p.Request, err = abi.ReadSearch(request); err != nil {
		return nil, err
	}
	p.Settings, err = abi.ReadSettings(settings)
	return p, err
}

// none is no cosine.
const none = 2_000_000_000

func readHit(r *json.Reader) abi.Found {
	var f abi.Found
	var x abi.Excerpt
	hasText := false
	targets := fields{
		"id": &f.ID, "doc": &f.Doc, "title": &f.Title, "path": &f.Path, "collection": &f.Collection, "chunk": &f.Chunk, "chunks": &f.Chunks,
		"headings": &f.Headings, "matchedHeadings": &f.Matched, "rank": &f.Rank, "tier": &f.Tier, "score": (*nanos)(&f.Score), "evidence": (*nanos)(&f.Evidence), "words": &f.Words,
	}
	for name := range r.Object() {
		switch name {
		case "text":
			x.Text, hasText = r.String(), true
		case "range":
			fields{"from": &x.From, "to": &x.To, "of": &x.Of}.object(r)
		case "lines":
			fields{"from": &f.FirstLine, "to": &f.LastLine}.object(r)
		case "frontMatter":
			for range r.Array() {
				var l abi.FrontLine
				fields{"line": &l.Line, "text": &l.Text}.object(r)
				f.Front = append(f.Front, l)
			}
		case "context":
			f.Context = &abi.Context{}
			fields{"text": &f.Context.Text, "from": &f.Context.From, "to": &f.Context.To}.object(r)
		case "metadata":
			f.Metadata = string(r.Raw())
		case "explain":
			readWhy(r, &f)
		default:
			targets.read(r, name)
		}
	}
	if hasText {
		f.Text = &x
	}
	return f
}

func readWhy(r *json.Reader, f *abi.Found) {
	for name := range r.Object() {
		switch name {
		case "key":
			f.Key = uint32(r.Int())
		case "rule":
			f.Rule = r.String()
		case "legs":
			for range r.Array() {
				var l abi.Leg
				fields{"leg": &l.Name, "rank": &l.Rank, "score": (*nanos)(&l.Score), "share": (*nanos)(&l.Share)}.object(r)
				f.Legs = append(f.Legs, l)
			}
		case "parts":
			f.Parts = []abi.Part{}
			for range r.Array() {
				var p abi.Part
				fields{"text": &p.Text, "form": &p.Form, "count": &p.Count, "length": &p.Length, "live": &p.Live, "weight": (*nanos)(&p.Weight), "score": (*nanos)(&p.Score)}.object(r)
				f.Parts = append(f.Parts, p)
			}
		default:
			r.Skip()
		}
	}
}

// fields says where the members of an object go.
type fields map[string]any

// nanos are a score.
type nanos int64

// object reads an object, and passes over the members that have no place.
func (f fields) object(r *json.Reader) {
	for name := range r.Object() {
		f.read(r, name)
	}
}

func (f fields) read(r *json.Reader, name string) {
	switch to := f[name].(type) {
	case *string:
		*to = r.String()
	case *int64:
		*to = r.Int()
	case *nanos:
		*to = nanos(r.Nano())
	case *[]string:
		for range r.Array() {
			*to = append(*to, r.String())
		}
	default:
		r.Skip()
	}
}
