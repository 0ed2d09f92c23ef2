package library

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/store/index"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// An Exported is what a generation holds.
type Exported struct {
	Generation index.Generation
	Documents  [][]byte // each as canonical JSON, in the order of their ids' bytes
}

// Export returns the documents of a generation, named as for [Library.Search]. An index
// that is made of them has the same root, and generations with one root have the same
// bytes here: a key that says no more than the path or the id does is left out. See
// TestExport.
//
// They are taken from the segments, which need not be this engine's as long as they have
// the format that is read here: so an index survives an engine whose documents are gone.
// Nothing is returned unless this engine finds the generation's root over all of them;
// else the code is INDEX_DAMAGED.
func (l *Library) Export(ctx context.Context, asOf string) (Exported, error) {
	if asOf != "" && asOf != "current" {
		g, err := l.which(asOf)
		if err != nil {
			return Exported{}, err
		}
		return l.export(ctx, g)
	}
	var x Exported
	recovered, err := l.store.View(func(g index.Generation) (err error) {
		x, err = l.export(ctx, g)
		return err
	})
	l.recovered(recovered)
	return x, err
}

func (l *Library) export(ctx context.Context, g index.Generation) (Exported, error) {
	parts, err := l.parts(g)
	if err != nil {
		return Exported{}, err
	}
	var list []document
	for _, p := range parts {
		if ctx.Err() != nil {
			return Exported{}, runner.Cancelled(ctx)
		}
		b, err := l.store.Segment(p.Name)
		if err == nil {
			list, err = appendStored(list, b, p.removed)
		}
		if err != nil {
			return Exported{}, about(p.Name, err)
		}
	}
	slices.SortFunc(list, func(a, b document) int { return cmp.Compare(a.id, b.id) })
	if err := l.compareRoot(ctx, g, list); err != nil {
		return Exported{}, err
	}
	x := Exported{g, make([][]byte, len(list))}
	for i, d := range list {
		x.Documents[i] = d.json
	}
	return x, nil
}

// about names the segment that a failure is about, unless it says so itself.
func about(segment string, err error) error {
	var e *abi.Error
	if errors.As(err, &e) && (e.Code == abi.SegmentCorrupt || e.Code == abi.SegmentVersion) {
		code := e.Code
		if code == abi.SegmentCorrupt {
			code = index.Damaged
		}
		return abi.Errorf(code, "the segment %s: %s", segment, e.Sentence)
	}
	return err
}

// compareRoot fails unless documents, in the order of their ids, are those of a
// generation.
func (l *Library) compareRoot(ctx context.Context, g index.Generation, list []document) error {
	leaves := make([]abi.Leaf, len(list))
	for i, d := range list {
		if i > 0 && list[i-1].id == d.id {
			return abi.Errorf(index.Damaged, "generation %d of the index in %s has two documents with the id %s", g.Number, l.Folder, json.Quote(d.id))
		}
		leaves[i] = abi.Leaf{ID: d.id, Doc: d.digest}
	}
	root, err := l.rootOf(ctx, leaves)
	if err == nil && (root != g.Root || int64(len(list)) != g.Documents) {
		err = abi.Errorf(index.Damaged, "generation %d of the index in %s has %d documents with the root %s, and in its segments there are %d with the root %s", g.Number, l.Folder, g.Documents, g.Root, len(list), root)
	}
	return err
}

// rootOf asks the engine for the root of a corpus.
func (l *Library) rootOf(ctx context.Context, leaves []abi.Leaf) (root string, err error) {
	i, err := l.Runner.Instance(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, i.Close(context.WithoutCancel(ctx))) }()
	in := json.AppendString([]byte(`{"engine":`), l.Runner.Engine())
	in = abi.AppendLeaves(append(in, `,"leaves":`...), leaves)
	out, err := i.Call(ctx, abi.Open, in, []byte("}"))
	if err != nil {
		return "", err
	}
	reply, err := abi.ReadOpenReply(out)
	return reply.Corpus, err
}

// Where a segment holds documents, by the package comment of core/index/segment, which
// is normative. Only this is read here. A segment was compared with its name before, and
// whether it was read as it should be the root tells.
const (
	segmentMagic   = "rh.seg\x00"
	segmentVersion = 1
	documentsCount = 24               // u32
	sectionTable   = 8 + 16 + 16 + 32 // u64 × 2 for each section: where it begins, its size
	recordHead     = 32 + 4 + 8       // of a record: digest, first chunk, its text
)

// The sections that are read here, by their places in the table.
const (
	sectionDocuments = iota // u32 × (documents + 1): where in records each one begins
	sectionRecords
	sectionTexts
)

var errStored = abi.Errorf(abi.SegmentCorrupt, "its documents cannot be read")

// appendStored appends the documents in the bytes of a segment but for those with the
// numbers in removed, which ascend. It fails with SEGMENT_CORRUPT or SEGMENT_VERSION.
func appendStored(list []document, b []byte, removed []uint32) ([]document, error) {
	switch {
	case len(b) < sectionTable+16*(sectionTexts+1) || string(b[:len(segmentMagic)]) != segmentMagic:
		return nil, errStored
	case b[len(segmentMagic)] != segmentVersion:
		return nil, abi.Errorf(abi.SegmentVersion, "its format has version %d, and documents are read from version %d; export them with the rookhaven that made it", int64(b[len(segmentMagic)]), int64(segmentVersion))
	}
	n := int(binary.LittleEndian.Uint32(b[documentsCount:]))
	table, records, texts := section(b, sectionDocuments), section(b, sectionRecords), section(b, sectionTexts)
	if len(table) != 4*(n+1) {
		return nil, errStored
	}
	var content []byte
	for i := range n {
		if len(removed) > 0 && int(removed[0]) == i {
			removed = removed[1:]
			continue
		}
		from, to := binary.LittleEndian.Uint32(table[4*i:]), binary.LittleEndian.Uint32(table[4*i+4:])
		d, ok := storedDocument(run(records, uint64(from), uint64(to)-uint64(from)), texts)
		if !ok {
			return nil, errStored
		}
		line := spelt(d)
		if !isDocument(line) {
			return nil, errStored
		}
		content = appendContent(content[:0], &d)
		list = append(list, document{d.ID, digest(content), line})
	}
	return list, nil
}

// section returns the bytes of a section, nil where it lies outside the segment.
func section(b []byte, n int) []byte {
	at := b[sectionTable+16*n:]
	return run(b, binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:]))
}

// run returns size bytes from a place on, nil where there are not so many.
func run(b []byte, from, size uint64) []byte {
	if from > uint64(len(b)) || size > uint64(len(b))-from {
		return nil
	}
	return b[from : from+size]
}

// storedDocument reads a record: a document as it was given.
func storedDocument(record, texts []byte) (d abi.Document, ok bool) {
	if len(record) < recordHead {
		return d, false
	}
	text := run(texts, uint64(binary.LittleEndian.Uint32(record[36:])), uint64(binary.LittleEndian.Uint32(record[40:])))
	var shown string // the title that is shown, not one that was given
	rest := record[recordHead:]
	for _, to := range []*string{&d.ID, &d.Key, &d.Title, &d.Path, &d.Collection, &d.Metadata, &shown, &d.Blocks} {
		size, width := binary.Uvarint(rest)
		if width <= 0 || size > uint64(len(rest)-width) {
			return d, false
		}
		if *to = string(rest[width : width+int(size)]); !utf8.ValidString(*to) {
			return d, false
		}
		rest = rest[width+int(size):]
	}
	if d.Blocks == "" { // else the text is what was made of them
		d.Text = string(text)
	}
	return d, len(rest) == 0 && text != nil && utf8.Valid(text)
}

// spelt returns the one spelling of a document among those with its digest.
func spelt(d abi.Document) []byte {
	if key := d.Key; key != "" {
		if d.Key = ""; d.Stable() != key {
			d.Key = key
		}
	}
	list := abi.AppendDocuments(nil, []abi.Document{d})
	return bytes.Clone(list[1 : len(list)-1])
}

// isDocument reports whether a line is a document in the one spelling that it has. A
// folder that somebody else made may hold what no engine wrote.
func isDocument(line []byte) bool {
	list, err := abi.ReadDocuments(slices.Concat([]byte("["), line, []byte("]")))
	return err == nil && len(list) == 1 && bytes.Equal(spelt(list[0]), line)
}
