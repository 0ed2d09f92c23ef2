package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rookhaven-project/rookhaven/hosts/internal/atomicfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// notice says on stderr what is to be known beside the answer: one sentence, a line.
func (r *run) notice(sentence string) {
	_, _ = fmt.Fprintf(r.Stderr, "rookhaven: %s\n", terminal.Line(sentence))
}

// unwritable is the failure of a file that a person named.
func unwritable(err error) error {
	return &abi.Error{Code: abi.FileUnwritable, Sentence: err.Error()}
}

// put writes a file that a person named, as [atomicfile.Put] does. corpus is the
// one that must stay as it is, "" for none.
func (r *run) put(path string, content []byte, corpus string) error {
	if err := spare(path, corpus, "corpus"); err != nil {
		return err
	}
	if r.isStdout(path) {
		if _, err := r.Stdout.Write(content); err != nil {
			return unwritable(err)
		}
		return nil
	}
	if err := atomicfile.Put(path, content, 0o644); err != nil {
		return unwritable(err)
	}
	return nil
}

// stream is put for what is not held as a whole: fill writes it.
func (r *run) stream(path, corpus string, fill func(w *bufio.Writer) error) error {
	if err := spare(path, corpus, "corpus"); err != nil {
		return err
	}
	buffered := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if err := fill(b); err != nil {
			return err
		}
		return b.Flush()
	}
	var err error
	if r.isStdout(path) {
		err = buffered(r.Stdout)
	} else {
		err = atomicfile.Stream(path, 0o644, buffered)
	}
	var known *abi.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	return unwritable(err)
}

// appears reports whether what is written to a path appears there at once, and not as a
// whole when it ends.
func (r *run) appears(path string) bool {
	info, err := os.Stat(path)
	return r.isStdout(path) || err == nil && !info.Mode().IsRegular()
}

// spare refuses to write over a file that is read, such as the corpus, by whatever name.
func spare(path, read, what string) error {
	if path == "" || read == "" {
		return nil
	}
	out, err1 := os.Stat(path)
	in, err2 := os.Stat(read)
	if err1 == nil && err2 == nil && os.SameFile(out, in) && out.Mode().IsRegular() {
		return abi.Errorf(abi.ArgumentInvalid, "%s is the %s file: name another one to write to", path, what)
	}
	return nil
}

// mine refuses to replace a file that holds something else than what is written there: a
// document, for instance, that a person keeps. is tells it by its content; an empty file may be
// replaced.
func mine(path, what string, is func(content []byte) bool) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // nothing is lost; who writes there says what is wrong
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return unwritable(err)
	}
	if !is(content) {
		return abi.Errorf(abi.ArgumentInvalid, "%s is there and is not %s: name another file to write to, or remove it first", path, what)
	}
	return nil
}

// isReply reports whether a file holds a stored reply.
func isReply(content []byte) bool {
	v, err := json.Parse(content)
	return err == nil && abi.IsDigest(v.Member("digest").Text()) && v.Member("engine").Text() != "" && v.Member("request").Kind() == json.Object
}

// isDocuments reports whether a file holds documents, one a line, or the empty list.
func isDocuments(content []byte) bool {
	first, _, _ := bytes.Cut(content, []byte("\n"))
	v, err := json.Parse(first)
	return err == nil && (v.Member("id").Text() != "" || string(first) == "[]")
}

// isStdout reports whether a path means where stdout goes. Writing there twice
// would overwrite the one with the other.
func (r *run) isStdout(path string) bool {
	if path == "-" {
		return true
	}
	f, ok := r.Stdout.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	out, err1 := f.Stat()
	info, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(out, info) && path != os.DevNull
}

// fresh refuses a path where another file stands. What is no regular file is not
// replaced but written to.
func fresh(path string, content []byte) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if content != nil {
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, content) {
			return nil
		}
	}
	return unwritable(&fs.PathError{Op: "write", Path: path, Err: fs.ErrExist})
}
