// Package cases reads the cases in the files beside it: one file, one point, the
// same in every runtime.
//
// A file is a comment, whose first line says the point, and sections. These say
// what is called:
//
//	export          the export; absent: retrieve
//	names.json      the names given to open; absent: engine:case and model:case
//	corpus.json     the documents that are opened before the call
//	leaves.json     leaves instead of documents; with replay: those of the request
//	segments.json   segments instead of documents, and removed.json what is left out of them
//	settings.json   the settings of the corpus's index, or of the segment that build makes
//	request.json    the request
//	search.json     the request of search
//	plans.json      the plans of partial
//	ids.json        the ids of remove
//	stored.json     the reply that replay is about
//	vectors.json    what is attached to the corpus before the call, as attach_vectors takes it; with
//	                attach_vectors: the request, but for the handle
//	model.json      the model that is opened before the call, {"base64":…}; with open_model: that of the request
//	input.json      the whole input, for calls that are wrong as a whole;
//	                {"handle":1, in front of it stands for the corpus of the case
//
// The handle is written with spaces in front up to eight characters, so that the
// places of bytes in failures do not depend on it: see conformance/call.
//
// A name that ends in .hex instead of .json holds the bytes as hexadecimal digits,
// for inputs that are not text. In every section but these, ⟦text×1000⟧ stands
// for a thousand copies of text. What must come back is in one of
//
//	reply.json      the reply: white space between tokens does not count, every other byte does
//	                (but for two numbers in the replies of open, open_model and attach_vectors, handle and bytes, which stand as 0)
//	error.txt       the failure, CODE: sentence
//
// A stored reply is made when goldens are updated, from original.json (a request) or
// searched.json (one of search), was.json and were.json (its corpus and the settings
// of its index, where they are others) and edit. So are segments, from parts.json (an array of documents for each) and damage, and
// a model, from tiny.json (a [generate.Tiny]) and damage, and vectors, which the model of the case makes, from packed.json
// (members of pack_vectors, or null: none are attached) and damage; no runtime looks at these.
package cases

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Case is one file.
type Case struct {
	Path     string // below the folder, with slashes
	Point    string // the first line
	comment  string
	sections []section
}

// Load reads the cases of a folder in the order of their paths.
func Load(folder fs.FS) ([]Case, error) {
	var list []Case
	err := fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txtar") {
			return err
		}
		data, err := fs.ReadFile(folder, path)
		if err != nil {
			return err
		}
		c := Case{Path: path}
		c.comment, c.sections = parse(data)
		c.Point, _, _ = strings.Cut(c.comment, "\n")
		list = append(list, c)
		return c.check()
	})
	slices.SortFunc(list, func(a, b Case) int { return cmp.Compare(a.Path, b.Path) })
	return list, err
}

var known = []string{
	"export", "names.json", "corpus.json", "corpus.hex", "leaves.json", "segments.json", "removed.json", "settings.json",
	"request.json", "request.hex", "search.json", "plans.json", "ids.json", "vectors.json", "model.json", "stored.json", "stored.hex", "input.json", "input.hex",
	"original.json", "searched.json", "was.json", "were.json", "edit", "parts.json", "tiny.json", "packed.json", "damage", "reply.json", "error.txt",
}

func (c *Case) check() error {
	seen := map[string]bool{}
	for _, s := range c.sections {
		if !slices.Contains(known, s.name) || seen[s.name] {
			return fmt.Errorf("%s: section %q is unknown or there twice", c.Path, s.name)
		}
		seen[s.name] = true
	}
	if c.Point == "" {
		return fmt.Errorf("%s: no comment says what the point is", c.Path)
	}
	if _, err := c.export(); err != nil {
		return err
	}
	_, err := c.Case()
	return err
}

func (c *Case) get(name string) (string, bool) {
	i := slices.IndexFunc(c.sections, func(s section) bool { return s.name == name })
	if i < 0 {
		return "", false
	}
	return c.sections[i].text, true
}

// text is get of a section that may be absent.
func (c *Case) text(name string) string {
	text, _ := c.get(name)
	return text
}

func (c *Case) set(name, text string) {
	for i := range c.sections {
		if c.sections[i].name == name {
			c.sections[i].text = text
			return
		}
	}
	c.sections = append(c.sections, section{name, text})
}

// Export returns the export that the case calls.
func (c *Case) export() (abi.Export, error) {
	name, ok := c.get("export")
	if !ok {
		return abi.Retrieve, nil
	}
	i := slices.Index(abi.Exports(), strings.TrimSpace(name))
	if i < 0 {
		return 0, fmt.Errorf("%s: no export %q", c.Path, name)
	}
	return abi.Export(i), nil
}

// bytes returns the content of section name.json or name.hex.
func (c *Case) bytes(name string) ([]byte, bool, error) {
	if text, ok := c.get(name + ".hex"); ok {
		b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			err = fmt.Errorf("%s: section %s.hex: %w", c.Path, name, err)
		}
		return b, true, err
	}
	text, ok := c.get(name + ".json")
	return []byte(expand(strings.TrimSuffix(text, "\n"))), ok, nil
}

var macro = regexp.MustCompile(`⟦([^⟦⟧×]*)×([0-9]+)⟧`)

// expand writes the repetitions of a text out.
func expand(text string) string {
	return macro.ReplaceAllStringFunc(text, func(m string) string {
		parts := macro.FindStringSubmatch(m)
		n, _ := strconv.Atoi(parts[2])
		return strings.Repeat(parts[1], n)
	})
}

// Case returns the calls: the last step is the one that the case is about.
func (c *Case) Case() (call.Case, error) {
	export, err := c.export()
	if err != nil {
		return call.Case{}, err
	}
	out := call.Case{Name: c.Path}
	in := map[string][]byte{}
	for _, name := range []string{"names", "corpus", "leaves", "segments", "removed", "settings", "request", "search", "plans", "ids", "vectors", "model", "stored", "input"} {
		b, ok, err := c.bytes(name)
		if err != nil {
			return out, err
		}
		if ok {
			in[name] = b
		}
	}
	if opens(export, in) {
		out.Steps = append(out.Steps, call.Step{Export: abi.Open, Input: opening(in)})
	}
	if model, ok := in["model"]; ok && export != abi.OpenModel {
		out.Steps = append(out.Steps, call.Step{Export: abi.OpenModel, Input: openingModel(model)})
	}
	if v, ok := in["vectors"]; ok && export != abi.AttachVectors {
		out.Steps = append(out.Steps, call.Step{Export: abi.AttachVectors, Handle: 1, Input: members(v)})
	}
	last, err := step(export, in)
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.Path, err)
	}
	out.Steps = append(out.Steps, last)
	return out, nil
}

// opens reports whether a corpus is opened before the call.
func opens(export abi.Export, in map[string][]byte) bool {
	switch export {
	case abi.Open, abi.Build:
		return false
	case abi.Replay:
		return in["corpus"] != nil || in["segments"] != nil
	}
	return in["corpus"] != nil || in["segments"] != nil || in["leaves"] != nil
}

// opening is the request of open for a case's corpus.
func opening(in map[string][]byte) []byte {
	names := []byte(`"engine":"engine:case","model":"model:case"`)
	if given, ok := in["names"]; ok {
		names = bytes.Trim(bytes.TrimSpace(given), "{}")
	}
	more := []byte{}
	for _, name := range []string{"settings", "removed"} {
		if b, ok := in[name]; ok {
			more = fmt.Appendf(more, `,"%s":%s`, name, b)
		}
	}
	if documents, ok := in["corpus"]; ok {
		return fmt.Appendf(nil, `{%s,"documents":%s%s}`, names, documents, more)
	}
	if segments, ok := in["segments"]; ok {
		if in["settings"] == nil {
			more = append(more, `,"settings":{}`...)
		}
		return fmt.Appendf(nil, `{%s,"segments":%s%s}`, names, bytes.TrimSpace(segments), more)
	}
	return fmt.Appendf(nil, `{%s,"leaves":%s,"list":true}`, names, in["leaves"])
}

func step(export abi.Export, in map[string][]byte) (call.Step, error) {
	s := call.Step{Export: export}
	if whole, ok := in["input"]; ok {
		s.Input = whole
		if rest, ok := bytes.CutPrefix(whole, []byte(`{"handle":1,`)); ok {
			s.Handle, s.Input = 1, rest
		}
		return s, nil
	}
	switch export {
	case abi.Plan, abi.Retrieve:
		s.Handle, s.Input = 1, fmt.Appendf(nil, `"request":%s}`, in["request"])
	case abi.Partial:
		s.Handle, s.Input = 1, fmt.Appendf(nil, `"request":%s,"plans":%s}`, in["request"], in["plans"])
	case abi.Replay:
		s.Handle, s.Input = 1, fmt.Appendf(nil, `"reply":%s}`, in["stored"])
		if leaves, ok := in["leaves"]; ok {
			s.Input = fmt.Appendf(nil, `"reply":%s,"leaves":%s}`, in["stored"], leaves)
		}
	case abi.Search:
		s.Handle, s.Input = 1, fmt.Appendf(nil, `"search":%s}`, in["search"])
	case abi.Compact:
		s.Handle, s.Input = 1, []byte(`"inline":true}`)
	case abi.Remove:
		s.Handle, s.Input = 1, fmt.Appendf(nil, `"ids":%s}`, in["ids"])
	case abi.AttachVectors:
		s.Handle, s.Input = 1, members(in["vectors"])
	case abi.ChunkTexts, abi.PackVectors:
		s.Handle, s.Input = 1, members(in["request"])
	case abi.Build:
		s.Input = building(in["corpus"], in["settings"])
	case abi.OpenModel:
		s.Input = openingModel(in["model"])
		if whole, ok := in["request"]; ok {
			s.Input = whole
		}
	case abi.Open:
		s.Input = opening(in)
		if whole, ok := in["request"]; ok {
			s.Input = whole
		}
	default:
		s.Input = in["request"]
	}
	return s, nil
}

// members are those of an object, as they stand behind another one.
func members(object []byte) []byte {
	return bytes.TrimPrefix(bytes.TrimSpace(object), []byte("{"))
}

// openingModel is the request of open_model.
func openingModel(model []byte) []byte { return fmt.Appendf(nil, `{"model":%s}`, model) }

// building is the request of build; the segment comes in the reply.
func building(documents, settings []byte) []byte {
	if settings == nil {
		settings = []byte("{}")
	}
	return fmt.Appendf(nil, `{"documents":%s,"settings":%s,"inline":true}`, documents, settings)
}

// Want returns what the last step must give.
func (c *Case) Want() (call.Result, error) {
	reply, isReply := c.get("reply.json")
	failure, isFailure := c.get("error.txt")
	switch {
	case isReply == isFailure:
		return call.Result{}, fmt.Errorf("%s: needs one of reply.json and error.txt; run make golden and read what it writes", c.Path)
	case isReply:
		return call.Result{Status: call.Reply, Output: []byte(expand(compact(reply)))}, nil
	}
	return call.Result{Status: call.Failure, Output: []byte(expand(strings.TrimSuffix(failure, "\n")))}, nil
}

// accounted is what a corpus or a model takes: the engine's business, and no case's.
var accounted = regexp.MustCompile(`"bytes":[0-9]+`)

// normalize returns the last of the results without what no case is about: the
// number of the handle, and in the reply of open or open_model the bytes that are
// accounted for.
func normalize(c call.Case, results []call.Result) call.Result {
	last := len(c.Steps) - 1
	r := call.Normalize(c, results)[last]
	if export := c.Steps[last].Export; (export == abi.Open || export == abi.OpenModel || export == abi.AttachVectors) && r.Status == call.Reply {
		r.Output = accounted.ReplaceAll(r.Output, []byte(`"bytes":0`))
	}
	return r
}

// Check says what is wrong with the results of the case, or "".
func (c *Case) Check(results []call.Result) string {
	cc, err := c.Case()
	if err != nil {
		return err.Error()
	}
	want, err := c.Want()
	if err != nil {
		return err.Error()
	}
	if len(results) != len(cc.Steps) {
		return fmt.Sprintf("%d results for %d steps: %s", len(results), len(cc.Steps), results[len(results)-1].Output)
	}
	for _, r := range results[:len(results)-1] {
		if r.Status != call.Reply {
			return "the corpus or the model does not open: " + string(r.Output)
		}
	}
	got := normalize(cc, results)
	want = normalize(cc, append(slices.Clone(results[:len(results)-1]), want))
	if got.Status != want.Status || !bytes.Equal(got.Output, want.Output) {
		return fmt.Sprintf("got\n%s\nwant\n%s", pretty(string(got.Output)), pretty(string(want.Output)))
	}
	return ""
}
