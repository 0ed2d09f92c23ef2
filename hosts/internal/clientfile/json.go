package clientfile

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON as editors allow it, with comments and trailing commas.
func parseJSON(text string) (map[string]any, error) {
	all := map[string]any{}
	if blank(text) {
		return all, nil
	}
	standard, err := hujson.Standardize([]byte(text))
	if err != nil {
		return nil, err
	}
	d := stdjson.NewDecoder(strings.NewReader(string(standard)))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return nil, err
	}
	if all == nil {
		return nil, errors.New("it holds no object")
	}
	return all, nil
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// A place is an object in a text, and what is needed to write into it.
type place struct {
	object *hujson.Object
	end    int // of the object: the offset of its brace
	depth  int
}

// find returns the object with our entry, the entry's place in it (−1: none), and
// the root.
func find(text, key string) (root, holder *place, at int, err error) {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return nil, nil, -1, err
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, nil, -1, errors.New("it holds no object")
	}
	root = &place{object, v.EndOffset - 1, 0}
	i, err := index(object, key)
	if i < 0 || err != nil {
		return root, nil, -1, err
	}
	held := &object.Members[i].Value
	inner, ok := held.Value.(*hujson.Object)
	if !ok {
		return nil, nil, -1, fmt.Errorf("%q is not an object", key)
	}
	at, err = index(inner, Entry)
	return root, &place{inner, held.EndOffset - 1, 1}, at, err
}

// index returns the place of the member with a name; two are an error.
func index(o *hujson.Object, name string) (int, error) {
	at := -1
	for i := range o.Members {
		if n, ok := o.Members[i].Name.Value.(hujson.Literal); ok && n.String() == name {
			if at >= 0 {
				return -1, fmt.Errorf("the member %q is there twice", name)
			}
			at = i
		}
	}
	return at, nil
}

func setJSON(text, key string, entry []member) (string, error) {
	if blank(text) {
		text = "{}\n"
	}
	root, holder, at, err := find(text, key)
	if err != nil {
		return "", err
	}
	unit := indent(root)
	switch {
	case holder == nil:
		value := "{\n" + unit + unit + quote(Entry) + ": " + object(entry, unit, 2) + "\n" + unit + "}"
		return insert(text, root, unit, key, value), nil
	case at < 0:
		return insert(text, holder, unit, Entry, object(entry, unit, 2)), nil
	}
	old := holder.object.Members[at].Value
	if inner, ok := old.Value.(*hujson.Object); !ok || !foreign(inner, entry) {
		if same(text[old.StartOffset:old.EndOffset], object(entry, unit, 2)) {
			return text, nil
		}
		return text[:old.StartOffset] + object(entry, unit, 2) + text[old.EndOffset:], nil
	}
	for _, m := range entry {
		if text, err = setMember(text, key, unit, m); err != nil {
			return "", err
		}
	}
	return text, nil
}

// foreign reports whether an object has a member that is not one of entry.
func foreign(o *hujson.Object, entry []member) bool {
	return slices.ContainsFunc(o.Members, func(there hujson.ObjectMember) bool {
		name, ok := there.Name.Value.(hujson.Literal)
		return !ok || !slices.ContainsFunc(entry, func(m member) bool { return m.name == name.String() })
	})
}

// setMember sets one member of our entry, which is there. What else is in the
// entry, such as env, is its user's.
func setMember(text, key, unit string, m member) (string, error) {
	_, holder, at, err := find(text, key)
	if err != nil || at < 0 {
		return "", err
	}
	held := &holder.object.Members[at].Value
	ours := &place{held.Value.(*hujson.Object), held.EndOffset - 1, 2}
	i, err := index(ours.object, m.name)
	switch {
	case err != nil:
		return "", err
	case i < 0:
		return insert(text, ours, unit, m.name, inline(m.value)), nil
	}
	old := &ours.object.Members[i].Value
	if same(text[old.StartOffset:old.EndOffset], inline(m.value)) {
		return text, nil
	}
	return text[:old.StartOffset] + inline(m.value) + text[old.EndOffset:], nil
}

// same reports whether two values say the same.
func same(a, b string) bool {
	x, err1 := hujson.Minimize([]byte(a))
	y, err2 := hujson.Minimize([]byte(b))
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// insert adds a member at the end of an object: behind what comments stand there,
// with a trailing comma where the object has one.
func insert(text string, p *place, unit, name, value string) string {
	before := strings.TrimRight(text[:p.end], " \t\n")
	comma := ""
	if n := len(p.object.Members); n > 0 {
		last := p.object.Members[n-1].Value
		if trailing(text[last.EndOffset:p.end]) {
			comma = ","
		} else {
			before = text[:last.EndOffset] + "," + before[last.EndOffset:]
		}
	}
	member := strings.Repeat(unit, p.depth+1) + quote(name) + ": " + value + comma
	return before + "\n" + member + "\n" + strings.Repeat(unit, p.depth) + text[p.end:]
}

// trailing reports whether the first thing after a value that is no comment is a
// comma.
func trailing(after string) bool {
	for {
		after = strings.TrimLeft(after, " \t\n")
		switch {
		case strings.HasPrefix(after, "//"):
			_, after, _ = strings.Cut(after, "\n")
		case strings.HasPrefix(after, "/*"):
			_, after, _ = strings.Cut(after, "*/")
		default:
			return strings.HasPrefix(after, ",")
		}
	}
}

func removeJSON(text, key string) (string, error) {
	if blank(text) {
		return text, nil
	}
	_, holder, at, err := find(text, key)
	if err != nil || at < 0 {
		return text, err
	}
	members := holder.object.Members
	from, to := members[at].Name.StartOffset, members[at].Value.EndOffset
	switch {
	case at+1 < len(members):
		return text[:from] + text[members[at+1].Name.StartOffset:], nil
	case at > 0 && trailing(text[to:holder.end]):
		// The comma before stays, the one behind goes.
		return strings.TrimRight(text[:from], " \t\n") + afterComma(text[to:]), nil
	case at > 0:
		last := members[at-1].Value.EndOffset
		gap := text[last:from]
		return text[:last] + strings.TrimRight(strings.Replace(gap, ",", "", 1), " \t\n") + text[to:], nil
	}
	rest := text[to:]
	if trailing(rest[:holder.end-to]) {
		rest = afterComma(rest)
	}
	return strings.TrimRight(text[:from], " \t\n") + strings.TrimLeft(rest, " \t\n"), nil
}

// afterComma returns a text without its first comma, which is not in a comment.
func afterComma(s string) string {
	before, after, _ := strings.Cut(s, ",")
	return before + after
}

// indent returns what the file indents a level with.
func indent(root *place) string {
	if len(root.object.Members) > 0 {
		extra := string(root.object.Members[0].Name.BeforeExtra)
		if i := strings.LastIndexByte(extra, '\n'); i >= 0 && blank(extra[i:]) && len(extra) > i+1 {
			return extra[i+1:]
		}
	}
	return "  "
}

// object writes members as an object, indented as at a depth.
func object(members []member, unit string, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for i, m := range members {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + strings.Repeat(unit, depth+1) + quote(m.name) + ": " + inline(m.value))
	}
	b.WriteString("\n" + strings.Repeat(unit, depth) + "}")
	return b.String()
}

// inline writes a value on one line, as JSON and TOML both have it.
func inline(value any) string {
	switch v := value.(type) {
	case string:
		return quote(v)
	case bool:
		return fmt.Sprint(v)
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = quote(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	panic("clientfile: BUG: a member of another type")
}

func quote(s string) string {
	var b strings.Builder
	e := stdjson.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("clientfile: BUG: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
