// Package passages makes 100,000 passages of about 100 words from openly
// licensed documentation, and queries to them, the same bytes each time.
//
// The sources are Debian packages of documentation in HTML, pinned by version
// and SHA-256 ([Sources]); apt-get downloads them, dpkg-deb unpacks them, and
// nothing of them is committed. The pages of a source, in the order of their
// names, become text (page.go) and text becomes passages (cut.go). Of a source
// with more than its quota every n-th passage is taken. A source that cannot be
// had is named and left out; the others then give more, and the result says
// that it is not the pinned one ([Made.Pinned]).
//
// [Queries] draws 300 queries of three kinds from passages, and [Extend] makes
// any number of passages more by mixing the sentences of real ones: their
// words and lengths are real, but no new words appear as they would in a larger
// collection, so lists of postings grow in proportion and the dictionary does
// not. Both depend on their seed alone: TestQueries, TestExtend.
package passages

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// Count is the number of passages.
const Count = 100_000

// What [Make] writes when every source is there.
const (
	documentsSHA256 = "0b8b62164dd23493341460a3cbdbdf40cd286c89f89d8c8cdd167b1e1ffab68a"
	queriesSHA256   = "a77956b706a3411e3032a6595f61aa926a685359d15c842eb5faa7c0c848b224"
)

const querySeed = 300

// Made says what lies in a folder after [Make].
type Made struct {
	Documents, Queries             string // files of package ir
	DocumentsSHA256, QueriesSHA256 string
	Pinned                         bool     // every source was there and the bytes are the pinned ones
	Absent                         []string // sources left out, with the reason
}

// Make makes the passages and their queries in a folder, unless the pinned ones
// are there, and tells its progress to log.
func Make(folder string, log func(line string)) (Made, error) {
	if m, err := found(folder); err == nil && m.Pinned {
		return m, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return Made{}, err
	}
	documents, absent := gather(folder, log)
	if len(documents) < Count {
		return Made{}, fmt.Errorf("%d passages, want %d: absent are %q", len(documents), Count, absent)
	}
	m, err := write(folder, documents)
	m.Absent = absent
	return m, err
}

// write writes documents, and queries drawn from them, and says what it wrote.
func write(folder string, documents []ir.Document) (Made, error) {
	if err := writeLines(filepath.Join(folder, "corpus.jsonl"), documents); err != nil {
		return Made{}, err
	}
	if err := writeLines(filepath.Join(folder, "queries.jsonl"), Queries(documents, querySeed)); err != nil {
		return Made{}, err
	}
	return found(folder)
}

// found looks at what lies in a folder.
func found(folder string) (m Made, err error) {
	m.Documents, m.Queries = filepath.Join(folder, "corpus.jsonl"), filepath.Join(folder, "queries.jsonl")
	if m.DocumentsSHA256, err = sum(m.Documents); err != nil {
		return m, err
	}
	m.QueriesSHA256, err = sum(m.Queries)
	m.Pinned = m.DocumentsSHA256 == documentsSHA256 && m.QueriesSHA256 == queriesSHA256
	return m, err
}

// sum returns the SHA-256 of a file in hexadecimal.
func sum(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func writeLines[T any](name string, list []T) error {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	for _, v := range list {
		if err := lines.Encode(v); err != nil {
			return err
		}
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// WriteExtended writes n documents: evenly spread ones of the given, or all of
// them and as many mixed ones as are missing. It returns the file's SHA-256.
func WriteExtended(name string, documents []ir.Document, n int) (string, error) {
	file, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	taken, _ := everyNth(documents, n)
	for _, d := range taken {
		if err := lines.Encode(d); err != nil {
			return "", err
		}
	}
	for d := range Extend(documents, max(0, n-len(documents)), extendSeed) {
		if err := lines.Encode(d); err != nil {
			return "", err
		}
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	return sum(name)
}
