// Package peer runs search engines as processes of their own and asks them in
// turn, so that engines in any language are measured in one run.
//
// A peer reads requests and writes replies, one in JSON a line:
//
//	{"op":"read","path":"corpus.jsonl"}      → {"count":1400}
//	{"op":"build","folder":"empty folder"}   → {"ns":812345,"bytes":401408}
//	{"op":"query","q":"wing flow","k":10}    → {"ids":["184","12"],"ns":9211}
//
// read takes the documents of package ir into memory and is not measured. build
// makes an index of them, each one field, [ir.Document.Whole]; what the engine
// writes goes to the folder; then it may forget the documents. ns is the time
// of the build until it could be asked and would survive the process, and bytes
// is the size of the index, on disk where it has one, and else serialised. query
// returns the ids of at most k documents, best first; ns is the time from the
// text of the query to the ids, without the pipe. A reply may instead be
// {"error":"sentence"}: the peer goes on. It ends when its input ends.
//
// [Serve] is this protocol around an [Engine] in Go, and the reference for
// other languages; [Process] is its other end. What a process costs (processor
// time, resident memory) is read from outside, alike for all: see [Usage].
package peer

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// A Request is one line to a peer.
type Request struct {
	Op     string `json:"op"`
	Path   string `json:"path,omitempty"`
	Folder string `json:"folder,omitempty"`
	Query  string `json:"q,omitempty"`
	K      int    `json:"k,omitempty"`
}

// A Reply is one line from a peer.
type Reply struct {
	Error string   `json:"error,omitempty"`
	Count int      `json:"count,omitempty"`
	Bytes int64    `json:"bytes,omitempty"`
	IDs   []string `json:"ids,omitempty"`
	NS    int64    `json:"ns,omitempty"`
}

// An Engine indexes documents once and answers queries.
type Engine interface {
	// Build makes an index in an empty folder and returns its bytes.
	Build(documents []ir.Document, folder string) (bytes int64, err error)
	// Query returns the ids of at most k documents, best first.
	Query(text string, k int) ([]string, error)
}

// Serve answers requests with an engine until in ends.
func Serve(e Engine, in io.Reader, out io.Writer) error {
	s := server{engine: e}
	requests, replies := json.NewDecoder(in), bufio.NewWriter(out)
	for {
		var r Request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		reply, err := s.answer(r)
		if err != nil {
			reply = Reply{Error: err.Error()}
		}
		if err := json.NewEncoder(replies).Encode(reply); err != nil {
			return err
		}
		if err := replies.Flush(); err != nil {
			return err
		}
	}
}

type server struct {
	engine    Engine
	documents []ir.Document
}

func (s *server) answer(r Request) (reply Reply, err error) {
	from := time.Now()
	switch r.Op {
	case "read":
		s.documents, err = ir.ReadDocuments(r.Path)
		return Reply{Count: len(s.documents)}, err
	case "build":
		reply.Bytes, err = s.engine.Build(s.documents, r.Folder)
		s.documents = nil
	case "query":
		reply.IDs, err = s.engine.Query(r.Query, r.K)
	default:
		err = fmt.Errorf("no op %q", r.Op)
	}
	reply.NS = time.Since(from).Nanoseconds()
	return reply, err
}
