// Package corpusfile reads a corpus from a file: one JSON array of documents, or
// one document a line (JSON Lines). Which of the two is decided by the content:
// a file whose first character is "[" is an array.
//
// The host validates the file before it says anything to a client, with the
// readers that the engine uses, too (package abi), so that both accept the same.
// Ids are distinct and not empty. A file without any document but "[]" is refused,
// since that is what a file looks like while another program writes it.
package corpusfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A File is a corpus as it was read.
type File struct {
	Path      string   // "" for the empty corpus without a file
	Documents [][]byte // each as JSON; they share the memory of what was read
	Bytes     int64
	Stamp     Stamp
}

// Same reports whether two files hold the same documents in the same spelling.
func (f *File) Same(g *File) bool {
	return f.Bytes == g.Bytes && slices.EqualFunc(f.Documents, g.Documents, bytes.Equal)
}

// Empty is the corpus of a host that was given no file.
func Empty() *File { return &File{} }

// Read reads and validates the file at path. The error is an [abi.Error] that
// names the file: CORPUS_UNREADABLE, CORPUS_TOO_LARGE or CORPUS_INVALID, also where
// the file is no JSON: what is to be mended is the file, not what somebody sent.
func Read(path string, most int64) (*File, error) {
	in, stamp, err := read(path)
	if err != nil {
		return nil, &abi.Error{Code: abi.CorpusUnreadable, Sentence: err.Error()}
	}
	list, err := Parse(in)
	var e *abi.Error
	if errors.As(err, &e) {
		code := e.Code
		if code == abi.JSONInvalid {
			code = abi.CorpusInvalid
		}
		return nil, &abi.Error{Code: code, Sentence: path + ": " + e.Sentence}
	} else if err != nil {
		return nil, err
	}
	if n := len(list); int64(n) > most {
		return nil, abi.Errorf(abi.CorpusTooLarge, "%s: %d documents, the limit is %d", path, n, most)
	}
	return &File{Path: path, Documents: list, Bytes: int64(len(in)), Stamp: stamp}, nil
}

func read(path string) ([]byte, Stamp, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, Stamp{}, err
	}
	if info.IsDir() {
		return nil, Stamp{}, &os.PathError{Op: "read", Path: path, Err: errFolder{}}
	}
	in, err := io.ReadAll(f)
	return in, stamp(info), err
}

type errFolder struct{}

func (errFolder) Error() string { return "is a folder" }

// Parse reads a corpus of either form, and returns each document as JSON.
func Parse(in []byte) ([][]byte, error) {
	content := bytes.TrimLeft(in, " \t\r\n")
	if len(content) == 0 {
		return nil, abi.Errorf(abi.CorpusInvalid, "there is no document; the empty corpus is []")
	}
	if content[0] == '[' {
		if _, err := abi.ReadDocuments(in); err != nil {
			return nil, err
		}
		return elements(in), nil
	}
	if _, err := abi.ReadDocumentLines(in); err != nil {
		return nil, err
	}
	return lines(in), nil
}

// elements cuts an array that was read before into its elements.
func elements(in []byte) [][]byte {
	var list [][]byte
	r := json.NewReader(in)
	for range r.Array() {
		list = append(list, r.Raw())
	}
	return list
}

func lines(in []byte) [][]byte {
	var list [][]byte
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		if len(bytes.TrimSpace(line)) > 0 { // as ReadDocumentLines counts them
			list = append(list, line)
		}
	}
	return list
}

// A Stamp tells whether a file is the one that was read before.
type Stamp struct{ info os.FileInfo }

// Stat returns the stamp of the file at path; the zero Stamp where there is none.
func Stat(path string) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	return stamp(info)
}

// stamp gives a pipe or a device none: it cannot be read again.
func stamp(info os.FileInfo) Stamp {
	if !info.Mode().IsRegular() {
		return Stamp{}
	}
	return Stamp{info}
}

// Equal reports whether two stamps are of one file with one content, as far as
// its size and its times tell: that of its content, which anybody may set, and,
// where the system has it, that of its last change of any kind, which nobody may.
func (s Stamp) Equal(t Stamp) bool {
	if s.info == nil || t.info == nil {
		return s.info == nil && t.info == nil
	}
	return os.SameFile(s.info, t.info) && s.info.Size() == t.info.Size() && s.info.ModTime().Equal(t.info.ModTime()) && changed(s.info).Equal(changed(t.info))
}

// Replaces reports whether s is another file than t, put in its place whole; a
// file that was written in place may still be incomplete.
func (s Stamp) Replaces(t Stamp) bool {
	return s.info != nil && t.info != nil && !os.SameFile(s.info, t.info)
}

// Quiet reports whether nothing was written to the file for the time d.
func (s Stamp) Quiet(d time.Duration) bool {
	return s.info == nil || time.Since(s.info.ModTime()) >= d && time.Since(changed(s.info)) >= d
}
