package index

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// formatVersion is the version of a generation's file. 1: the first.
const formatVersion = 1

// A Ref names a generation. The zero Ref stands for none.
type Ref struct {
	Number int64
	Digest string
}

// A Generation is one state of an index.
type Generation struct {
	Ref
	Parent    Ref // what it was made from
	Created   time.Time
	Root      string // of the corpus
	Engine    string // the digest of the engine that wrote the segments
	Settings  []byte // what they were built with, a JSON object
	Documents int64  // live ones
	Segments  []Segment
	Model     string   // the digest of the model that made the vectors of its segments, or ""
	Building  bool     // some vectors are missing, and are to be made
	Blobs     []string // what else it needs
}

// A Segment is one part of a generation.
type Segment struct {
	Name       string
	Bytes      int64
	Documents  int64 // it was built with, the removed ones among them
	Chunks     int64
	Tombstones string // the blob with the removed ones, or ""
	Vectors    string // the blob with the vectors of its chunks, or ""
}

// Complete reports whether every segment has its vectors.
func (g *Generation) Complete() bool {
	return g.Model != "" && !slices.ContainsFunc(g.Segments, func(s Segment) bool { return s.Vectors == "" })
}

// names returns what a generation names, by folder.
func (g *Generation) names() map[string][]string {
	names := g.needs()
	for _, s := range g.Segments {
		if s.Vectors != "" {
			names[blobs] = append(names[blobs], s.Vectors)
		}
	}
	return names
}

// needs returns what a generation cannot answer without: all that it names but the vectors.
func (g *Generation) needs() map[string][]string {
	names := map[string][]string{blobs: slices.Clone(g.Blobs)}
	for _, s := range g.Segments {
		names[segments] = append(names[segments], s.Name)
		if s.Tombstones != "" {
			names[blobs] = append(names[blobs], s.Tombstones)
		}
	}
	return names
}

const layout = "2006-01-02T15:04:05.000Z"

// milli returns a time as generations have it.
func milli(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// encode returns the file of a generation that passed check, and sets its digest
// and its settings as they are spelled there.
func (g *Generation) encode() ([]byte, error) {
	settings, err := json.Canonicalize(g.Settings)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	g.Settings = settings
	g.Digest = digestOf(g.append(nil, false))
	return append(g.append(nil, true), '\n'), nil
}

func (g *Generation) append(dst []byte, withDigest bool) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	w.Name("blobs")
	w.BeginArray()
	for _, name := range g.Blobs {
		w.String(name)
	}
	w.EndArray()
	if g.Building {
		w.Name("building")
		w.Bool(true)
	}
	w.Name("created")
	w.String(g.Created.UTC().Format(layout))
	if withDigest {
		w.Name("digest")
		w.String(g.Digest)
	}
	w.Name("documents")
	w.Int(g.Documents)
	w.Name("engine")
	w.String(g.Engine)
	w.Name("format")
	w.Int(formatVersion)
	if g.Model != "" {
		w.Name("model")
		w.String(g.Model)
	}
	w.Name("number")
	w.Int(g.Number)
	if g.Parent != (Ref{}) {
		w.Name("parent")
		g.Parent.write(w)
	}
	w.Name("root")
	w.String(g.Root)
	w.Name("segments")
	w.BeginArray()
	for _, s := range g.Segments {
		s.write(w)
	}
	w.EndArray()
	w.Name("settings")
	w.Raw(g.Settings)
	w.EndObject()
	return w.Bytes()
}

func (r Ref) write(w *json.Writer) {
	w.BeginObject()
	w.Name("digest")
	w.String(r.Digest)
	w.Name("number")
	w.Int(r.Number)
	w.EndObject()
}

func (s Segment) write(w *json.Writer) {
	w.BeginObject()
	w.Name("bytes")
	w.Int(s.Bytes)
	w.Name("chunks")
	w.Int(s.Chunks)
	w.Name("documents")
	w.Int(s.Documents)
	w.Name("name")
	w.String(s.Name)
	if s.Tombstones != "" {
		w.Name("tombstones")
		w.String(s.Tombstones)
	}
	if s.Vectors != "" {
		w.Name("vectors")
		w.String(s.Vectors)
	}
	w.EndObject()
}

// parseGeneration reads a generation's file. It takes exactly what was written,
// byte for byte.
func parseGeneration(in []byte) (Generation, error) {
	r := json.NewReader(in)
	g, digest := readGeneration(r)
	if err := r.End(); err != nil {
		return Generation{}, err
	}
	if err := g.check(); err != nil {
		return Generation{}, err
	}
	spelled, err := g.encode()
	switch {
	case err != nil:
		return Generation{}, err
	case g.Digest != digest:
		return Generation{}, errors.New("its digest is " + g.Digest + ", not " + digest)
	case !bytes.Equal(in, spelled):
		return Generation{}, errors.New("it is not spelled as it was written")
	}
	return g, nil
}

var generationMembers = []string{"blobs", "building", "created", "digest", "documents", "engine", "format", "model", "number", "parent", "root", "segments", "settings"}

func readGeneration(r *json.Reader) (g Generation, digest string) {
	members(r, generationMembers, []string{"building", "model", "parent"}, func(name string) {
		switch name {
		case "blobs":
			for range r.Array() {
				g.Blobs = append(g.Blobs, readDigest(r))
			}
		case "building":
			g.Building = r.Bool()
		case "created":
			g.Created = readTime(r)
		case "digest":
			digest = readDigest(r)
		case "documents":
			g.Documents = readCount(r, 0)
		case "engine":
			g.Engine = readDigest(r)
		case "format":
			if r.Int() != formatVersion {
				r.Fail("expected format " + strconv.Itoa(formatVersion))
			}
		case "model":
			g.Model = readDigest(r)
		case "number":
			g.Number = readCount(r, 1)
		case "parent":
			g.Parent = readRef(r)
		case "root":
			g.Root = readDigest(r)
		case "segments":
			for range r.Array() {
				g.Segments = append(g.Segments, readSegment(r))
			}
		case "settings":
			if k := r.Kind(); k != json.Object && r.Err() == nil {
				r.Fail("expected an object, found " + k.String())
				return
			}
			g.Settings = r.Raw()
		}
	})
	return g, digest
}

func readSegment(r *json.Reader) (s Segment) {
	members(r, []string{"bytes", "chunks", "documents", "name", "tombstones", "vectors"}, []string{"tombstones", "vectors"}, func(name string) {
		switch name {
		case "bytes":
			s.Bytes = readCount(r, 0)
		case "chunks":
			s.Chunks = readCount(r, 0)
		case "documents":
			s.Documents = readCount(r, 0)
		case "name":
			s.Name = readDigest(r)
		case "tombstones":
			s.Tombstones = readDigest(r)
		case "vectors":
			s.Vectors = readDigest(r)
		}
	})
	return s
}

func readRef(r *json.Reader) (ref Ref) {
	members(r, []string{"digest", "number"}, nil, func(name string) {
		switch name {
		case "digest":
			ref.Digest = readDigest(r)
		case "number":
			ref.Number = readCount(r, 1)
		}
	})
	return ref
}

// members reads an object that has all the members given, but for the optional
// ones, and no others.
func members(r *json.Reader, all, optional []string, read func(name string)) {
	missing := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(optional, name) })
	for name := range r.Object() {
		if !slices.Contains(all, name) {
			r.Unknown(all)
			return
		}
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
		read(name)
	}
	if len(missing) > 0 {
		r.Fail("member " + json.Quote(missing[0]) + " is missing")
	}
}

func readDigest(r *json.Reader) string {
	s := r.String()
	if !abi.IsDigest(s) {
		r.Fail("expected a digest, sha256: and 64 hexadecimal digits")
	}
	return strings.Clone(s) // the file's memory is not needed for longer
}

func readCount(r *json.Reader, least int64) int64 {
	n := r.Int()
	if n < least {
		r.Fail("expected an integer of " + strconv.FormatInt(least, 10) + " or more")
	}
	return n
}

func readTime(r *json.Reader) time.Time {
	s := r.String()
	t, err := time.Parse(layout, s)
	if err != nil || t.Format(layout) != s {
		r.Fail("expected a time such as " + json.Quote(layout))
	}
	return t
}

// check says what in a generation is not possible.
func (g *Generation) check() error {
	if (g.Parent == Ref{}) != (g.Number == 1) || g.Number != g.Parent.Number+1 {
		return fmt.Errorf("generation %d has the parent %d", g.Number, g.Parent.Number)
	}
	for i, name := range g.Blobs {
		if i > 0 && g.Blobs[i-1] >= name {
			return fmt.Errorf("blobs are not in ascending order at %s", name)
		}
	}
	seen := map[string]bool{}
	var most int64
	for _, s := range g.Segments {
		if seen[s.Name] {
			return fmt.Errorf("segment %s is in it twice", s.Name)
		}
		seen[s.Name] = true
		if g.Model == "" && s.Vectors != "" {
			return fmt.Errorf("segment %s has vectors, and the generation names no model", s.Name)
		}
		most = min(most+s.Documents, json.MaxInt)
	}
	if g.Building && g.Complete() {
		return errors.New("its vectors are there, and are to be made")
	}
	if g.Documents > most {
		return fmt.Errorf("it has %d documents, and its segments have %d", g.Documents, most)
	}
	return g.checkMembers()
}

// checkMembers says which member could not be read back.
func (g *Generation) checkMembers() error {
	names := append([]string{g.Root, g.Engine}, slices.Concat(g.names()[blobs], g.names()[segments])...)
	if g.Parent != (Ref{}) {
		names = append(names, g.Parent.Digest)
	}
	if g.Model != "" {
		names = append(names, g.Model)
	}
	for _, name := range names {
		if !abi.IsDigest(name) {
			return fmt.Errorf("%s is not a digest, sha256: and 64 hexadecimal digits", json.Quote(name))
		}
	}
	counts := []int64{g.Number, g.Documents}
	for _, s := range g.Segments {
		counts = append(counts, s.Bytes, s.Documents, s.Chunks)
	}
	for _, n := range counts {
		if n < 0 || n > json.MaxInt {
			return fmt.Errorf("%d is no count", n)
		}
	}
	return nil
}

// parseRef reads CURRENT.
func parseRef(in []byte) (Ref, error) {
	r := json.NewReader(in)
	ref := readRef(r)
	if err := r.End(); err != nil {
		return Ref{}, err
	}
	if !bytes.Equal(in, ref.encode()) {
		return Ref{}, errors.New("it is not spelled as it was written")
	}
	return ref, nil
}

func (r Ref) encode() []byte {
	w := json.NewWriter(nil)
	r.write(w)
	return append(w.Bytes(), '\n')
}
