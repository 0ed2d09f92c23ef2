package clientfile

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

func parseTOML(text string) (map[string]any, error) {
	all := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &all); err != nil {
		return nil, err
	}
	return all, nil
}

// A span is a part of a text: a table of ours, or a key and its value there.
type span struct {
	from, to int
	names    []string // of the header, or of the key
}

// tables returns where our tables stand, [key.rookhaven] and those below it, each
// to the header that follows without the comments before that.
func tables(text, key string) ([]span, error) {
	var p unstable.Parser
	p.Reset([]byte(text))
	var ours []span
	open := false
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable {
			continue
		}
		names, at := keys(e)
		header := strings.LastIndexByte(text[:at], '\n') + 1
		if open {
			ours[len(ours)-1].to = header
		}
		if open = len(names) >= 2 && names[0] == key && names[1] == Entry; open {
			ours = append(ours, span{header, len(text), names})
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	for i := range ours {
		ours[i].to = ours[i].from + len(body(text[ours[i].from:ours[i].to]))
	}
	return ours, nil
}

func keys(e *unstable.Node) (names []string, at int) {
	at = -1
	for it := e.Key(); it.Next(); {
		if at < 0 {
			at = int(it.Node().Raw.Offset)
		}
		names = append(names, string(it.Node().Data))
	}
	return names, at
}

// body returns a table without the empty lines and comments behind it.
func body(table string) string {
	lines := strings.SplitAfter(table, "\n")
	n := len(lines)
	for n > 1 {
		if line := strings.TrimSpace(lines[n-1]); line != "" && line[0] != '#' {
			break
		}
		n--
	}
	return strings.Join(lines[:n], "")
}

func setTOML(text, key string, entry []member) (string, error) {
	ours, err := tables(text, key)
	if err != nil {
		return "", err
	}
	if len(ours) == 0 {
		all, err := parseTOML(text)
		if err != nil {
			return "", err
		}
		if entries, ok := all[key].(map[string]any); ok && entries[Entry] != nil {
			return "", errors.New("the entry is there, in a form that cannot be replaced safely")
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if text != "" {
			text += "\n"
		}
		return text + table(key, entry), nil
	}
	for _, t := range ours {
		if len(t.names) == 2 {
			inside, err := setMembers(text[t.from:t.to], entry)
			return text[:t.from] + inside + text[t.to:], err
		}
	}
	// There are only tables below ours, such as env.
	return text[:ours[0].from] + table(key, entry) + "\n" + text[ours[0].from:], nil
}

func table(key string, entry []member) string {
	s := "[" + key + "." + Entry + "]\n"
	for _, m := range entry {
		s += m.name + " = " + inline(m.value) + "\n"
	}
	return s
}

// setMembers sets the members of our table. What else is in it is its user's.
func setMembers(text string, entry []member) (string, error) {
	added := ""
	for _, m := range entry {
		there, err := pairs(text)
		if err != nil {
			return "", err
		}
		line := m.name + " = " + inline(m.value) + "\n"
		i := slices.IndexFunc(there, func(s span) bool { return s.names[0] == m.name })
		switch {
		case i < 0:
			added += line
		case !sameTOML(text[there[i].from:there[i].to], line):
			text = text[:there[i].from] + line + text[there[i].to:]
		}
	}
	if added == "" {
		return text, nil
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + added, nil
}

// pairs returns where the keys and values of a table stand, each in whole lines.
func pairs(table string) ([]span, error) {
	var p unstable.Parser
	p.Reset([]byte(table))
	var list []span
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			continue
		}
		names, at := keys(e)
		from := strings.LastIndexByte(table[:at], '\n') + 1
		if n := len(list); n > 0 {
			list[n-1].to = from
		}
		list = append(list, span{from, len(table), names})
	}
	for i := range list {
		list[i].to = list[i].from + len(body(table[list[i].from:list[i].to]))
	}
	return list, p.Error()
}

func sameTOML(a, b string) bool {
	x, err1 := parseTOML(a)
	y, err2 := parseTOML(b)
	return err1 == nil && err2 == nil && reflect.DeepEqual(x, y)
}

func removeTOML(text, key string) (string, error) {
	ours, err := tables(text, key)
	if err != nil || len(ours) == 0 {
		return text, err
	}
	out := cut(text, ours)
	if ours[len(ours)-1].to == len(text) {
		out = strings.TrimRight(out, "\n") // the empty line before a table at the end
		if out != "" {
			out += "\n"
		}
	}
	return out, nil
}

// cut removes spans, which are in order.
func cut(text string, spans []span) string {
	for i := len(spans) - 1; i >= 0; i-- {
		text = text[:spans[i].from] + text[spans[i].to:]
	}
	return text
}
