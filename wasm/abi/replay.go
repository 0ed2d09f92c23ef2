package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// A ReplayRequest is the request of replay. Reply is the stored reply, as JSON.
type ReplayRequest struct {
	Handle int64
	Reply  []byte
	Leaves []Leaf // nil where the host does not keep them
}

var replayMembers = []string{"handle", "reply", "leaves"}

// ReadReplayRequest reads the request of replay.
func ReadReplayRequest(in []byte, tick Tick) (ReplayRequest, error) {
	r := json.NewReader(orEmpty(in))
	var q ReplayRequest
	var stopped error
	members(r, replayMembers, replayMembers[:2], func(name string) {
		switch name {
		case "handle":
			q.Handle = r.Int()
		case "reply":
			q.Reply = r.Raw()
		case "leaves":
			q.Leaves, stopped = leaves(r, tick)
		}
	})
	if stopped != nil {
		return q, stopped
	}
	return q, done(r, RequestInvalid)
}

// The verdicts of replay.
const (
	Match        = "MATCH"
	Mismatch     = "MISMATCH"
	Unverifiable = "UNVERIFIABLE"
)

// A ReplayReply is the reply of replay (ABI.md §4.8).
type ReplayReply struct {
	Verdict          string
	Digest           string // with MATCH
	At               string // with MISMATCH
	Missing          string // with UNVERIFIABLE
	Document         string // with UNVERIFIABLE: corpus, where one is known to differ
	Stored, Replayed string
}

// Append appends a ReplayReply.
func (p *ReplayReply) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	optional(w, "at", p.At)
	optional(w, "digest", p.Digest)
	optional(w, "document", p.Document)
	optional(w, "missing", p.Missing)
	optional(w, "replayed", p.Replayed)
	optional(w, "stored", p.Stored)
	w.Name("verdict")
	w.String(p.Verdict)
	w.EndObject()
	return w.Bytes()
}

// ReadReplayReply reads a ReplayReply.
func ReadReplayReply(in []byte) (ReplayReply, error) {
	r := json.NewReader(in)
	var p ReplayReply
	each(r, func(name string) bool {
		for _, m := range []struct {
			name   string
			target *string
		}{
			{"at", &p.At}, {"digest", &p.Digest}, {"document", &p.Document}, {"missing", &p.Missing},
			{"replayed", &p.Replayed}, {"stored", &p.Stored}, {"verdict", &p.Verdict},
		} {
			if m.name == name {
				*m.target = r.String()
				return true
			}
		}
		return false
	})
	return p, done(r, ReplyInvalid)
}
