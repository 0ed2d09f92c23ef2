package abi

import (
	"bytes"
	"cmp"

	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A Document is a text of the corpus with what its source calls it. An empty
// optional member is an absent one.
type Document struct {
	ID         string
	Text       string
	Title      string // optional
	Path       string // optional
	Collection string // optional
	Key        string // optional
	Metadata   string // optional: a JSON object in canonical form
	Blocks     string // in place of Text: an array of Block in canonical form
}

// size returns the bytes of a document's strings.
func (d *Document) size() int {
	return len(d.ID) + len(d.Text) + len(d.Title) + len(d.Path) + len(d.Collection) + len(d.Key) + len(d.Metadata) + len(d.Blocks)
}

// Stable returns the stable key: what the source calls the document.
func (d *Document) Stable() string { return cmp.Or(d.Key, d.Path, d.ID) }

var documentMembers = []string{"id", "text", "title", "path", "collection", "key", "metadata", "blocks"}

func readDocument(r *json.Reader) Document {
	var d Document
	bodies := 0
	members(r, documentMembers, documentMembers[:1], func(name string) {
		switch name {
		case "metadata":
			d.Metadata = metadata(r)
			return
		case "blocks":
			list, _ := readBlocks(r, unbounded)
			d.Blocks = string(AppendBlocks(nil, list))
			bodies++
			return
		case "text":
			bodies++
		}
		s := r.String()
		switch name {
		case "id":
			d.ID = s
			if n := Units(s); n == 0 {
				r.Fail("the id is empty")
			} else if n > MaxID {
				r.Fail("the id is longer than 65536 units")
			}
		case "text":
			d.Text = s
			if len(s) > MaxText {
				r.Fail("the text is longer than 16777216 bytes")
			}
		case "title":
			d.Title = s
		case "path":
			d.Path = s
		case "collection":
			d.Collection = s
		case "key":
			d.Key = s
		}
	})
	switch bodies {
	case 0:
		r.Fail(`member "text" is missing`)
	case 2:
		r.Fail("a document has text or blocks, not both")
	}
	return d
}

// metadata reads an object and returns its canonical form.
func metadata(r *json.Reader) string {
	if r.Kind() != json.Object {
		r.Fail("expected an object")
		return ""
	}
	b, err := json.Canonicalize(r.Raw())
	if err != nil {
		r.Fail("metadata: " + err.Error())
	}
	if string(b) == "{}" {
		return ""
	}
	return string(b)
}

// A Tick is told of each element of a large message when it was read, with the
// bytes of its strings, before room is made for it. Its error ends the reading.
type Tick func(bytes int) error

// stop ends the reading for an error of a Tick; or else the rest would be read
// all the same.
func stop(r *json.Reader, err error) error {
	if err != nil {
		r.Fail("reading was stopped")
	}
	return err
}

// documents reads an array of documents with distinct ids. They share the
// reader's memory.
func documents(r *json.Reader, tick Tick) ([]Document, error) {
	list := []Document{}
	at := map[string]int{}
	for i := range r.Array() {
		d := readDocument(r)
		if r.Err() != nil {
			return nil, nil
		}
		if err := stop(r, tick(d.size())); err != nil {
			return nil, err
		}
		if first, twice := at[d.ID]; twice {
			r.Fail("the id " + json.Quote(d.ID) + " is taken by document " + itoa(int64(first)))
			return nil, nil
		}
		at[d.ID] = i
		list = append(list, d)
	}
	return list, nil
}

func unbounded(int) error { return nil }

// ReadDocuments reads a corpus: one JSON array of documents. It fails with
// [JSONInvalid] or [CorpusInvalid]. The documents share the input's memory.
func ReadDocuments(in []byte) ([]Document, error) {
	r := json.NewReader(in)
	list, _ := documents(r, unbounded)
	if err := done(r, CorpusInvalid); err != nil {
		return nil, err
	}
	return list, nil
}

// ReadDocumentLines reads a corpus of one document a line (JSON Lines); empty
// lines do not count. It fails like [ReadDocuments], and names the line.
func ReadDocumentLines(in []byte) ([]Document, error) {
	list := []Document{}
	at := map[string]int{}
	for n := 1; len(in) > 0; n++ {
		var line []byte
		line, in, _ = bytes.Cut(in, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r := json.NewReader(line)
		d := readDocument(r)
		if first, twice := at[d.ID]; twice {
			r.Fail("the id " + json.Quote(d.ID) + " is taken by line " + itoa(int64(first)))
		}
		if err := done(r, CorpusInvalid); err != nil {
			e := err.(*Error)
			return nil, &Error{e.Code, "line " + itoa(int64(n)) + ": " + e.Sentence}
		}
		at[d.ID] = n
		list = append(list, d)
	}
	return list, nil
}

// AppendDocuments appends documents as a canonical JSON array.
func AppendDocuments(dst []byte, list []Document) []byte {
	w := json.NewWriter(dst)
	w.BeginArray()
	for i := range list {
		list[i].write(w)
	}
	w.EndArray()
	return w.Bytes()
}

// AppendContent appends what the digest of a document is taken over (ABI.md §3.1):
// canonical JSON of everything but its id, with its stable key.
func AppendContent(dst []byte, d *Document) []byte {
	w := json.NewWriter(dst)
	d.members(w, "", d.Stable())
	return w.Bytes()
}

func (d *Document) write(w *json.Writer) { d.members(w, d.ID, d.Key) }

// members writes a document with this id, none where it is empty, and this key.
func (d *Document) members(w *json.Writer, id, key string) {
	w.BeginObject()
	if d.Blocks != "" {
		w.Name("blocks")
		w.Raw([]byte(d.Blocks))
	}
	optional(w, "collection", d.Collection)
	optional(w, "id", id)
	optional(w, "key", key)
	if d.Metadata != "" {
		w.Name("metadata")
		w.Raw([]byte(d.Metadata))
	}
	optional(w, "path", d.Path)
	if d.Blocks == "" {
		w.Name("text")
		w.String(d.Text)
	}
	optional(w, "title", d.Title)
	w.EndObject()
}

// optional writes a member unless it is empty.
func optional(w *json.Writer, name, value string) {
	if value != "" {
		w.Name(name)
		w.String(value)
	}
}
