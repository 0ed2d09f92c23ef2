package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// ReadReply reads a Reply of this schema, for hosts that show it. Members that
// it does not know are passed over, because replies may gain some.
func ReadReply(in []byte) (*Reply, error) {
	r := json.NewReader(in)
	p := &Reply{}
	each(r, func(name string) bool {
		switch name {
		case "audit":
			p.Audit = readAudit(r)
		case "corpus":
			p.Corpus = r.String()
		case "degraded":
			p.Degraded = texts(r)
		case "digest":
			p.Digest = r.String()
		case "engine":
			p.Engine = r.String()
		case "hits":
			p.Hits = readHits(r)
		case "model":
			p.Model = r.String()
		case "omitted":
			readInts(r, "documents", &p.Omitted.Documents, "pool", &p.Omitted.Pool, "slots", &p.Omitted.Slots)
		case "reason":
			p.Reason = r.String()
		case "request":
			p.Request = request(r)
		case "settings":
			settings := readSettings(r)
			p.Settings = &settings
		case "schema":
			if n := r.Int(); n != Schema {
				r.Fail("expected a reply of schema 1")
			}
		case "vectors":
			p.Vectors = r.String()
		case "verdict":
			p.Verdict = r.String()
		case "work":
			readInts(r, "chunks", &p.Work.Chunks, "needs", &p.Work.Needs, "units", &p.Work.Units, "vectors", &p.Work.Vectors)
		default:
			return false
		}
		return true
	})
	if err := done(r, ReplyInvalid); err != nil {
		return nil, err
	}
	if p.Digest == "" || p.Engine == "" || p.Corpus == "" || p.Request.Query == "" {
		return nil, Errorf(ReplyInvalid, "a reply has the members engine, corpus, request and digest")
	}
	return p, nil
}

// each reads an object and passes over the members that read does not take.
func each(r *json.Reader, read func(name string) bool) {
	for name := range r.Object() {
		if !read(name) {
			r.Skip()
		}
	}
}

// readInts reads an object of integers into names and pointers in turn.
func readInts(r *json.Reader, namesAndTargets ...any) {
	each(r, func(name string) bool {
		for i := 0; i < len(namesAndTargets); i += 2 {
			if namesAndTargets[i] == name {
				*namesAndTargets[i+1].(*int64) = r.Int()
				return true
			}
		}
		return false
	})
}

func readAudit(r *json.Reader) Audit {
	var a Audit
	each(r, func(name string) bool {
		switch name {
		case "query":
			a.Query = r.String()
		case "recallBudget":
			a.RecallBudget = r.Int()
		case "seed":
			a.Seed = r.String()
		case "subqueries":
			a.Subqueries = []Subquery{}
			for range r.Array() {
				a.Subqueries = append(a.Subqueries, readSubquery(r))
			}
		default:
			return false
		}
		return true
	})
	return a
}

func readSubquery(r *json.Reader) Subquery {
	var s Subquery
	each(r, func(name string) bool {
		switch name {
		case "budget":
			s.Budget = r.Int()
		case "contributed":
			s.Contributed = texts(r)
		case "index":
			s.Index = r.Int()
		case "matched":
			s.Matched = r.Int()
		case "queryVector":
			s.QueryVector = readVector(r)
		case "text":
			s.Text = r.String()
		case "verdict":
			s.Verdict = r.String()
		case "weight":
			s.Weight = r.Int()
		default:
			return false
		}
		return true
	})
	return s
}

func readHits(r *json.Reader) []Hit {
	list := []Hit{}
	for range r.Array() {
		list = append(list, readHit(r))
	}
	return list
}

func readHit(r *json.Reader) Hit {
	var h Hit
	var x Excerpt
	var place ChunkPlace
	hasText := false
	each(r, func(name string) bool {
		switch name {
		case "chunk":
			h.Chunk = r.Int()
		case "collection":
			h.Collection = r.String()
		case "doc":
			h.Doc = r.String()
		case "explain":
			h.Explain = readPlace(r)
		case "fill":
			h.Fill = r.Bool()
		case "frontMatter":
			place.Front = readFront(r)
		case "headings":
			place.Headings = texts(r)
		case "id":
			h.ID = r.String()
		case "lines":
			readInts(r, "from", &place.FirstLine, "to", &place.LastLine)
			h.Place = &place
		case "needs":
			h.Needs = []Pick{}
			for range r.Array() {
				h.Needs = append(h.Needs, readPick(r))
			}
		case "path":
			h.Path = r.String()
		case "range":
			readInts(r, "from", &x.From, "of", &x.Of, "to", &x.To)
		case "rank":
			h.Rank = r.Int()
		case "score":
			h.Score = r.Nano()
		case "text":
			x.Text, hasText = r.String(), true
		case "tier":
			h.Tier = r.Int()
		case "title":
			h.Title = r.String()
		default:
			return false
		}
		return true
	})
	if hasText {
		h.Text = &x
	}
	place.Chunk = h.Chunk
	return h
}

func readPlace(r *json.Reader) *Place {
	p := &Place{}
	each(r, func(name string) bool {
		switch name {
		case "key":
			p.Key = uint32(r.Int())
		case "rule":
			p.Rule = r.String()
		default:
			return false
		}
		return true
	})
	return p
}

func readPick(r *json.Reader) Pick {
	var p Pick
	each(r, func(name string) bool {
		switch name {
		case "explain":
			p.Explain = readExplain(r)
		case "index":
			p.Index = r.Int()
		case "rank":
			p.Rank = r.Int()
		case "score":
			p.Score = r.Nano()
		default:
			return false
		}
		return true
	})
	return p
}

func readLegs(r *json.Reader) []Leg {
	var legs []Leg
	for range r.Array() {
		var l Leg
		each(r, func(name string) bool {
			switch name {
			case "leg":
				l.Name = r.String()
			case "rank":
				l.Rank = r.Int()
			case "score":
				l.Score = r.Nano()
			case "share":
				l.Share = r.Nano()
			default:
				return false
			}
			return true
		})
		legs = append(legs, l)
	}
	return legs
}

func readExplain(r *json.Reader) *Explain {
	e := &Explain{}
	each(r, func(name string) bool {
		switch name {
		case "documentNorm":
			e.DocumentNorm = r.Int()
		case "dot":
			e.Dot = r.Int()
		case "given":
			n := r.Int()
			e.Given = &n
		case "legs":
			e.Legs = readLegs(r)
		case "queryNorm":
			e.QueryNorm = r.Int()
		case "parts":
			e.Parts = []Part{}
			for range r.Array() {
				e.Parts = append(e.Parts, readPart(r))
			}
		case "terms":
			e.Terms = []TermProduct{}
			for range r.Array() {
				e.Terms = append(e.Terms, readTerm(r))
			}
		default:
			return false
		}
		return true
	})
	return e
}

func readTerm(r *json.Reader) TermProduct {
	var t TermProduct
	each(r, func(name string) bool {
		switch name {
		case "document":
			t.Document = r.Int()
		case "product":
			t.Product = r.Int()
		case "query":
			t.Query = r.Int()
		case "term":
			t.Term = r.String()
		default:
			return false
		}
		return true
	})
	return t
}
