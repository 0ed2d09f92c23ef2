package cases

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rookhaven-project/rookhaven/conformance/call"
	"github.com/rookhaven-project/rookhaven/conformance/generate"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// Update makes the file's segments, its stored reply and its result anew, with a
// fresh engine from each call of fresh, and returns the file.
func (c *Case) Update(fresh func() call.Engine) ([]byte, error) {
	if _, ok := c.get("parts.json"); ok {
		if err := c.build(fresh()); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	if text, ok := c.get("tiny.json"); ok {
		if err := c.model(text); err != nil {
			return nil, fmt.Errorf("%s: tiny.json: %w", c.Path, err)
		}
	}
	if _, ok := c.get("packed.json"); ok {
		if err := c.pack(fresh()); err != nil {
			return nil, fmt.Errorf("%s: packed.json: %w", c.Path, err)
		}
	}
	_, retrieved := c.get("original.json")
	_, searched := c.get("searched.json")
	if retrieved || searched {
		if err := c.store(fresh()); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	cc, err := c.Case()
	if err != nil {
		return nil, err
	}
	results, _ := call.Run(fresh(), cc)
	last := normalize(cc, results)
	c.sections = slices.DeleteFunc(c.sections, func(s section) bool { return s.name == "reply.json" || s.name == "error.txt" })
	switch last.Status {
	case call.Reply:
		c.set("reply.json", pretty(c.shorten(string(last.Output)))+"\n")
	case call.Failure:
		c.set("error.txt", c.shorten(string(last.Output))+"\n")
	default:
		return nil, fmt.Errorf("%s: %s", c.Path, last.Output)
	}
	return format(c.comment, c.sections), nil
}

// shorten puts the repetitions that the case spells as ⟦text×n⟧ back.
func (c *Case) shorten(output string) string {
	var all []string
	for _, s := range c.sections {
		if !strings.HasSuffix(s.name, ".hex") {
			all = append(all, macro.FindAllString(s.text, -1)...)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(expand(b)), len(expand(a))) })
	for _, m := range slices.Compact(all) {
		if n := len(expand(m)); n > 60 {
			output = strings.ReplaceAll(output, expand(m), m)
		}
	}
	return output
}

// build makes segments.json from the documents in parts.json, and damages them.
func (c *Case) build(e call.Engine) error {
	text, _, err := c.bytes("parts")
	if err != nil {
		return err
	}
	var parts []stdjson.RawMessage
	if err := stdjson.Unmarshal(text, &parts); err != nil {
		return fmt.Errorf("parts.json: %w", err)
	}
	settings, _, err := c.bytes("settings")
	if err != nil {
		return err
	}
	if len(settings) == 0 {
		settings = nil
	}
	var segments [][]byte
	for i, documents := range parts {
		out, err := e.Call(abi.Build, building(documents, settings))
		if err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		reply, err := abi.ReadBuildReply(out)
		if err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
		segments = append(segments, reply.Segment.Inline)
	}
	if err := damage("segment", segments, c.text("damage")); err != nil {
		return err
	}
	list := make([]map[string][]byte, len(segments))
	for i, b := range segments {
		list[i] = map[string][]byte{"base64": b}
	}
	out, err := stdjson.Marshal(list)
	if err != nil {
		return err
	}
	c.set("segments.json", strings.ReplaceAll(string(out), "},{", "},\n{")+"\n")
	return nil
}

// model makes model.json from what tiny.json says, and damages it.
func (c *Case) model(text string) error {
	var tiny generate.Tiny
	d := stdjson.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&tiny); err != nil {
		return err
	}
	file := [][]byte{tiny.Bytes()}
	if err := damage("model", file, c.text("damage")); err != nil {
		return err
	}
	out, err := stdjson.Marshal(map[string][]byte{"base64": file[0]})
	c.set("model.json", string(out)+"\n")
	return err
}

// pack makes vectors.json: the case's model embeds the texts of each segment.
func (c *Case) pack(e call.Engine) error {
	text, _ := c.get("packed.json")
	if strings.TrimSpace(text) == "null" {
		c.set("vectors.json", "{\"vectors\":[]}\n")
		return nil
	}
	in := map[string][]byte{}
	for _, name := range []string{"names", "corpus", "segments", "removed", "settings", "model"} {
		if b, ok, _ := c.bytes(name); ok {
			in[name] = b
		}
	}
	if _, err := e.Call(abi.Open, opening(in)); err != nil {
		return err
	}
	out, err := e.Call(abi.OpenModel, openingModel(in["model"]))
	if err != nil {
		return err
	}
	model, err := abi.ReadOpenModelReply(out)
	if err != nil {
		return err
	}
	var files [][]byte
	for parts := 1; len(files) < parts; {
		q := abi.ChunkTextsRequest{Handle: 1, Part: int64(len(files))}
		out, err := e.Call(abi.ChunkTexts, q.Append(nil))
		if err != nil {
			return err
		}
		texts, err := abi.ReadChunkTextsReply(out)
		if err != nil {
			return err
		}
		parts = int(texts.Parts)
		ask := abi.EmbedRequest{Texts: texts.Texts}
		if out, err = e.Call(abi.Embed, ask.Append(nil)); err != nil {
			return err
		}
		embedded, err := abi.ReadEmbedReply(out)
		if err != nil {
			return err
		}
		var components []byte
		for _, v := range embedded.Vectors {
			for _, n := range v {
				components = append(components, byte(n))
			}
		}
		given := abi.PackRequest{Handle: 1, Part: q.Part, Model: model.Digest, Dimensions: model.Dimensions, Components: abi.SegmentRef{Inline: components}, Inline: true}
		if err := stdjson.Unmarshal([]byte(text), &given); err != nil {
			return err
		}
		if out, err = e.Call(abi.PackVectors, given.Append(nil)); err != nil {
			return err
		}
		packed, err := abi.ReadPackReply(out)
		if err != nil {
			return err
		}
		files = append(files, packed.Vectors.Inline)
	}
	if err := damage("vectors", files, c.text("damage")); err != nil {
		return err
	}
	list := make([]map[string][]byte, len(files))
	for i, b := range files {
		list[i] = map[string][]byte{"base64": b}
	}
	spelled, err := stdjson.Marshal(map[string]any{"vectors": list})
	c.set("vectors.json", string(spelled)+"\n")
	return err
}

// damage changes segments by lines of the form "segment 0 byte 100" (the lowest bit
// of that byte is turned) and "segment 0 cut 100" (that many bytes stay); a model is
// "model 0", a file of vectors "vectors 0". Places below 0 count from the end.
func damage(kind string, files [][]byte, lines string) error {
	for line := range strings.Lines(lines) {
		var file, at int
		var what, how string
		if _, err := fmt.Sscanf(line, "%s %d %s %d", &what, &file, &how, &at); err != nil {
			return fmt.Errorf("damage %q: %w", line, err)
		}
		if what != kind {
			continue
		}
		b := files[file]
		if at < 0 {
			at += len(b)
		}
		switch how {
		case "byte":
			b[at] ^= 1
		case "cut":
			files[file] = b[:at]
		default:
			return fmt.Errorf("damage %q: neither byte nor cut", line)
		}
	}
	return nil
}

// store makes stored.json: the reply to original.json or searched.json, edited.
func (c *Case) store(e call.Engine) error {
	in := map[string][]byte{}
	for _, name := range []string{"names", "corpus", "was", "were", "settings", "original", "searched"} {
		if b, ok, _ := c.bytes(name); ok {
			in[name] = b
		}
	}
	if was, ok := in["was"]; ok {
		in["corpus"] = was
	}
	if were, ok := in["were"]; ok {
		in["settings"] = were
	}
	asked := call.Step{Export: abi.Retrieve, Handle: 1, Input: fmt.Appendf(nil, `"request":%s}`, in["original"])}
	if search, ok := in["searched"]; ok {
		asked = call.Step{Export: abi.Search, Handle: 1, Input: fmt.Appendf(nil, `"search":%s}`, search)}
	}
	steps := []call.Step{{Export: abi.Open, Input: opening(in)}}
	if model, ok, _ := c.bytes("model"); ok {
		steps = append(steps, call.Step{Export: abi.OpenModel, Input: openingModel(model)})
	}
	if v, ok, _ := c.bytes("vectors"); ok {
		steps = append(steps, call.Step{Export: abi.AttachVectors, Handle: 1, Input: members(v)})
	}
	results, _ := call.Run(e, call.Case{Steps: append(steps, asked)})
	last := results[len(results)-1]
	if last.Status != call.Reply {
		return fmt.Errorf("the original: %s", last.Output)
	}
	edits, _ := c.get("edit")
	edited, err := edit(last.Output, edits)
	if err != nil {
		return err
	}
	c.set("stored.json", pretty(c.shorten(string(edited)))+"\n")
	return nil
}

// edit changes a reply by lines of the form "path = json", "path -" (the member
// goes away) and "seal" (the digest is made to fit what is there).
func edit(reply []byte, lines string) ([]byte, error) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		var root any
		d := stdjson.NewDecoder(bytes.NewReader(reply))
		d.UseNumber()
		if err := d.Decode(&root); err != nil {
			return nil, err
		}
		path, value, sets := strings.Cut(line, " = ")
		path = strings.TrimSuffix(path, " -")
		if line == "seal" {
			path = "digest"
		}
		if err := put(&root, path, value, sets); err != nil {
			return nil, fmt.Errorf("edit %q: %w", line, err)
		}
		var b bytes.Buffer
		enc := stdjson.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(root); err != nil {
			return nil, err
		}
		canonical, err := json.Canonicalize(b.Bytes())
		if err != nil {
			return nil, err
		}
		if reply = canonical; line == "seal" {
			sum := sha256.Sum256(reply)
			if reply, err = edit(reply, `digest = "sha256:`+hex.EncodeToString(sum[:])+`"`); err != nil {
				return nil, err
			}
		}
	}
	return reply, nil
}

// put sets or removes what a path such as hits[0].score leads to.
func put(at *any, path, value string, sets bool) error {
	keys := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
	for i, key := range keys {
		last := i == len(keys)-1
		switch v := (*at).(type) {
		case map[string]any:
			if last && !sets {
				delete(v, key)
				return nil
			}
			child := v[key]
			if last {
				return set(value, func(x any) { v[key] = x })
			}
			at = &child
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(v) {
				return fmt.Errorf("no element %s", key)
			}
			if last && sets {
				return set(value, func(x any) { v[n] = x })
			}
			at = &v[n]
		default:
			return fmt.Errorf("nothing at %s", key)
		}
	}
	return nil
}

func set(value string, to func(any)) error {
	d := stdjson.NewDecoder(strings.NewReader(value))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return err
	}
	to(x)
	return nil
}
