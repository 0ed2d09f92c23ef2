package passages

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// A Source is a package of documentation in Debian 12. Those that
// security updates replace often were not chosen, since the archive keeps one
// version of each.
type Source struct {
	Name, Version, SHA256 string
	Licence               string // of the documentation, as its copyright file says
	Under                 string // a part of the path of the pages that are taken, if not all are
	Quota                 int    // passages at most while all sources are there
}

// gather returns the passages of all sources that can be had: by quota, and
// then in the order of the sources what is missing to Count.
func gather(folder string, log func(line string)) (documents []ir.Document, absent []string) {
	var spare []ir.Document
	c := newCutter()
	for _, s := range Sources {
		all, err := s.passages(folder, c)
		if err != nil {
			absent = append(absent, fmt.Sprintf("%s %s: %v", s.Name, s.Version, err))
			log("left out: " + absent[len(absent)-1])
			continue
		}
		taken, left := everyNth(all, s.Quota)
		log(fmt.Sprintf("%s %s: %d of %d passages", s.Name, s.Version, len(taken), len(all)))
		documents, spare = append(documents, taken...), append(spare, left...)
	}
	if missing := Count - len(documents); missing > 0 {
		more, _ := everyNth(spare, missing)
		documents = append(documents, more...)
	}
	documents, _ = everyNth(documents, Count)
	return documents, absent
}

// everyNth takes n of a list, evenly spread, and returns the others, too.
func everyNth(list []ir.Document, n int) (taken, left []ir.Document) {
	n = min(n, len(list))
	for i, d := range list {
		if (i+1)*n/len(list) > i*n/len(list) {
			taken = append(taken, d)
		} else {
			left = append(left, d)
		}
	}
	return taken, left
}

// passages returns all passages of a source.
func (s Source) passages(folder string, c *cutter) ([]ir.Document, error) {
	archive, err := s.download(folder)
	if err != nil {
		return nil, err
	}
	pages, err := unpack(archive, s.Under)
	if err != nil {
		return nil, err
	}
	var list []ir.Document
	for _, p := range pages {
		for _, d := range c.cut(read(p.content)) {
			d.ID = fmt.Sprintf("%s-%05d", s.Name, len(list))
			list = append(list, d)
		}
	}
	return list, nil
}

// download returns the name of the package's file, and checks its bytes.
func (s Source) download(folder string) (string, error) {
	pattern := filepath.Join(folder, s.Name+"_*.deb")
	names, _ := filepath.Glob(pattern)
	if len(names) == 0 {
		cmd := exec.Command("apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", s.Name+"="+s.Version)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s (does apt-get update help?)", err, lastLine(out))
		}
		names, _ = filepath.Glob(pattern)
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%d files %s, want one", len(names), pattern)
	}
	got, err := sum(names[0])
	if err == nil && got != s.SHA256 {
		err = fmt.Errorf("%s has SHA-256 %s, want %s", names[0], got, s.SHA256)
	}
	return names[0], err
}

func lastLine(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(lines[len(lines)-1])
}

type file struct {
	name    string
	content []byte
}

// unpack returns the pages in HTML of a package, in the order of their names.
func unpack(archive, under string) ([]file, error) {
	cmd := exec.Command("dpkg-deb", "--fsys-tarfile", archive)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var pages []file
	for entries := tar.NewReader(out); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if entry.Typeflag != tar.TypeReg || !isPage(entry.Name, under) {
			continue
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{entry.Name, content})
	}
	slices.SortFunc(pages, func(a, b file) int { return strings.Compare(a.name, b.name) })
	_, _ = io.Copy(io.Discard, out)
	return pages, cmd.Wait()
}

// isPage leaves out listings of source, indexes, and 26,000 pages of Rust's
// intrinsics, which are signatures.
func isPage(name, under string) bool {
	folder, file := path.Split(name)
	if path.Ext(file) != ".html" && path.Ext(file) != ".htm" || !strings.Contains(folder, under) {
		return false
	}
	for part := range strings.SplitSeq(folder, "/") {
		if slices.Contains(listings, part) {
			return false
		}
	}
	return file != "all.html" && !strings.Contains(file, "genindex") && !strings.Contains(file, "_index")
}

var listings = strings.Fields("src _sources _modules genindex search core_arch arch")
