// Package discover turns what a person names into documents: folders, text files,
// and corpus files.
//
// Of a folder, the files become documents whose names end, in any case, in .md,
// .markdown, .mdx, .txt, .rst, .org or .adoc, in the folder itself and in those below.
// What begins with a dot and what is in node_modules is passed over, and no symbolic
// link is followed: a folder cannot bring in what lies outside of it. What is neither a
// file, a folder nor a link is a problem, whatever its name ends in, and is not opened: to
// open a pipe may wait for ever. A file that was
// named itself is followed and taken whatever its name ends in; one in .json, .jsonl or
// .ndjson is a corpus (package corpusfile), whose documents are taken as they are.
//
// The id and the path of a file's document is the file's path below the folder that was
// named, with / on every system, spelt as the disk has it; that of a file which was named
// itself is its name. Where several folders are named, the name of the folder stands
// before it: docs/a.md, notes/a.md. So nothing depends on where a folder lies: see
// TestWhereAFolderLies. Two documents with one id are refused, and documents are in the
// order of their ids' bytes.
//
// The text of a document is the file's content without a byte order mark, and nothing
// else is changed: line n of the text is line n of the file.
//
// What is wrong with a single file ends nothing; it is a [Problem]. [Found.Kept] tells
// which documents an index has to keep because nobody could look at them now: a file
// that cannot be read is not a file that was deleted, and nor is one below a folder that
// cannot be read, one in whose place there is a pipe now, or one that is no text any
// more: not UTF-8, with a NUL in it, or longer than [Largest]. What was no text before
// has no document.
package discover

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// Largest is how many bytes a file may have: the engine's own limit of a text.
const Largest = abi.MaxText

// A Document is what a file, or one element of a corpus file, says.
type Document struct {
	ID   string
	JSON []byte
	From string // the file
}

// A Kind says what is wrong with a file.
type Kind string

const (
	Unreadable Kind = "unreadable" // the system does not give it
	NoText     Kind = "no_text"    // it is not UTF-8, or has a NUL in it
	TooLarge   Kind = "too_large"  // it has more bytes than [Largest]
	BadName    Kind = "bad_name"   // its name is not UTF-8, so it cannot be an id
	NoFile     Kind = "no_file"    // it is a pipe, a socket or a device
)

// A Problem is a file or a folder that gave no document.
type Problem struct {
	Kind     Kind
	Path     string // on disk
	ID       string // that its document would have; "" where it can have none
	Sentence string
	folder   bool
}

// Found is what there is.
type Found struct {
	Documents []Document
	Problems  []Problem
	Files     int   // that were looked at: those with a document, and those with a problem
	Bytes     int64 // of the files with documents

	ids     map[string]bool // of Problems, once Kept was asked
	folders []string        // likewise, with / at the end
}

// Kept reports whether the document with an id could not be looked at, or not read as
// text.
func (f *Found) Kept(id string) bool {
	if f.ids == nil {
		f.ids = map[string]bool{}
		for _, p := range f.Problems {
			switch {
			case p.Kind == BadName:
			case p.folder:
				f.folders = append(f.folders, p.ID+"/")
				fallthrough
			default:
				f.ids[p.ID] = true
			}
		}
	}
	return f.ids[id] || slices.ContainsFunc(f.folders, func(folder string) bool { return strings.HasPrefix(id, folder) })
}

// KeepsAny reports whether it is for this problem that a document with one of these ids,
// which ascend, could not be looked at, or not read as text.
func (p *Problem) KeepsAny(ids []string) bool {
	if p.Kind == BadName {
		return false
	}
	_, own := slices.BinarySearch(ids, p.ID)
	below, _ := slices.BinarySearch(ids, p.ID+"/")
	return own || p.folder && below < len(ids) && strings.HasPrefix(ids[below], p.ID+"/")
}

// Unread reports whether some file could not be looked at.
func (f *Found) Unread() bool {
	return slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Kind == Unreadable })
}

// Find returns the documents of what was named. seen is told now and then how many
// files were looked at. The error is that of something that was named and is not
// there, of a corpus file that breaks a rule, of two documents with one id, or of the
// context.
func Find(ctx context.Context, names []string, seen func(files int)) (*Found, error) {
	f := &finder{ctx: ctx, seen: seen, found: &Found{}}
	folders := map[string]string{} // by their prefix
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, unreadable(err)
		}
		if !info.IsDir() {
			if err := f.named(name); err != nil {
				return nil, err
			}
			continue
		}
		prefix, err := prefixOf(name, names)
		if err != nil {
			return nil, err
		}
		if first, twice := folders[prefix]; twice {
			return nil, abi.Errorf(abi.ArgumentInvalid, "%s and %s have the same name, so their documents would have the same ids", first, name)
		}
		folders[prefix] = name
		root, err := filepath.EvalSymlinks(name) // links inside are passed over; one that was named is meant
		if err != nil {
			return nil, unreadable(err)
		}
		if err := f.folder(root, prefix); err != nil {
			return nil, err
		}
	}
	return f.found, f.order()
}

// prefixOf returns what stands before the ids of a folder's files.
func prefixOf(folder string, names []string) (string, error) {
	several := 0
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			several++
		}
	}
	if several < 2 {
		return "", nil
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return "", unreadable(err)
	}
	base := filepath.Base(whole)
	if !utf8.ValidString(base) {
		return "", abi.Errorf(abi.ArgumentInvalid, "the name of the folder %q is not well-formed UTF-8", base)
	}
	return base, nil
}

func unreadable(err error) error {
	return &abi.Error{Code: abi.FileUnreadable, Sentence: err.Error()}
}

// A finder goes through what was named once.
type finder struct {
	ctx   context.Context
	seen  func(int)
	found *Found
}

// named takes a file that was named itself.
func (f *finder) named(name string) error {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json", ".jsonl", ".ndjson":
		return f.corpus(name)
	}
	id := filepath.Base(name)
	if !utf8.ValidString(id) {
		return abi.Errorf(abi.ArgumentInvalid, "the name of the file %q is not well-formed UTF-8", id)
	}
	if p := f.take(name, id); p != nil && p.Kind == Unreadable {
		return &abi.Error{Code: abi.FileUnreadable, Sentence: p.Sentence}
	}
	return nil
}

func (f *finder) corpus(name string) error {
	file, err := corpusfile.Read(name, math.MaxInt64)
	if err != nil {
		return err
	}
	f.count()
	f.found.Bytes += file.Bytes
	for _, d := range file.Documents {
		f.found.Documents = append(f.found.Documents, Document{idOf(d), d, name})
	}
	return nil
}

func idOf(document []byte) string {
	r := json.NewReader(document)
	id := ""
	for name := range r.Object() {
		if name == "id" {
			id = strings.Clone(r.String())
		} else {
			r.Skip()
		}
	}
	return id
}

var endings = []string{".md", ".markdown", ".mdx", ".txt", ".rst", ".org", ".adoc"}

func isText(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

func (f *finder) folder(root, prefix string) error {
	return filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if ended := f.ctx.Err(); ended != nil {
			return &abi.Error{Code: abi.Cancelled, Sentence: context.Cause(f.ctx).Error()}
		}
		id := idBelow(root, prefix, at)
		switch {
		case err != nil && at == root:
			return unreadable(err)
		case errors.Is(err, fs.ErrNotExist): // it went meanwhile
			return nil
		case err != nil:
			f.problem(Problem{Unreadable, at, id, sentence(err), true})
			return fs.SkipDir
		case at != root && passedOver(d):
			return skip(d)
		case !utf8.ValidString(id) && (d.IsDir() || isText(at) || noFile(d.Type()) != ""):
			f.problem(Problem{BadName, at, "", at + ": its name is not well-formed UTF-8", d.IsDir()})
			return skip(d)
		case noFile(d.Type()) != "":
			f.count()
			f.problem(Problem{NoFile, at, id, at + ": it is " + noFile(d.Type()) + " and no file, so it was not opened", false})
		case d.Type().IsRegular() && isText(at):
			f.take(at, id)
		}
		return nil
	})
}

// idBelow returns the id of the file at a path in a folder. Of the folder itself, it is
// the prefix.
func idBelow(root, prefix, at string) string {
	below, err := filepath.Rel(root, at)
	if err != nil {
		panic("discover: BUG: " + err.Error()) // WalkDir joins to the root
	}
	if below == "." {
		return prefix
	}
	return path.Join(prefix, filepath.ToSlash(below))
}

func passedOver(d fs.DirEntry) bool {
	return strings.HasPrefix(d.Name(), ".") || d.IsDir() && d.Name() == "node_modules"
}

// noFile says what something is that is neither a file, a folder nor a link, else "".
func noFile(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeIrregular != 0:
		return "irregular"
	}
	return ""
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// take makes a document of a text file.
func (f *finder) take(at, id string) *Problem {
	f.count()
	text, problem := read(at)
	switch {
	case problem != nil:
		problem.Path, problem.ID = at, id
		f.problem(*problem)
	case text != nil:
		f.found.Bytes += int64(len(text))
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		d := abi.Document{ID: id, Path: id, Text: string(text)}
		list := abi.AppendDocuments(nil, []abi.Document{d})
		f.found.Documents = append(f.found.Documents, Document{id, list[1 : len(list)-1], at})
	}
	return problem
}

// read reads a text file. It is nil, without a problem, where the file went meanwhile.
func read(at string) ([]byte, *Problem) {
	in, err := os.Open(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Problem{Kind: Unreadable, Sentence: sentence(err)}
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, Largest+1))
	switch {
	case err != nil:
		return nil, &Problem{Kind: Unreadable, Sentence: sentence(err)}
	case len(text) > Largest:
		return nil, &Problem{Kind: TooLarge, Sentence: fmt.Sprintf("%s: it has more than %d bytes", at, Largest)}
	}
	if why := noText(text); why != "" {
		return nil, &Problem{Kind: NoText, Sentence: at + ": " + why}
	}
	if text == nil {
		text = []byte{}
	}
	return text, nil
}

// noText says why what was read is no text, "" where it is.
func noText(text []byte) string {
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(text, []byte(mark.bytes)) {
			return "it is " + mark.name + " and not UTF-8"
		}
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return fmt.Sprintf("byte %d is NUL, so it is no text in UTF-8", i)
	}
	if !utf8.Valid(text) {
		return fmt.Sprintf("byte %d is not UTF-8", illFormed(text))
	}
	return ""
}

func illFormed(text []byte) int {
	i := 0
	for i < len(text) {
		c, n := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return i
}

func sentence(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}

func (f *finder) problem(p Problem) {
	f.found.Problems = append(f.found.Problems, p)
}

func (f *finder) count() {
	f.found.Files++
	if f.seen != nil {
		f.seen(f.found.Files)
	}
}

// order sorts the documents, and refuses those with one id.
func (f *finder) order() error {
	list := f.found.Documents
	slices.SortStableFunc(list, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	for i := 1; i < len(list); i++ {
		if a, b := list[i-1], list[i]; a.ID == b.ID {
			return abi.Errorf(abi.ArgumentInvalid, "two documents have the id %s: one of %s and one of %s", json.Quote(a.ID), a.From, b.From)
		}
	}
	return nil
}
