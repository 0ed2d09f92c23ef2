package cli

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
)

// spelling returns how to show the names of documents that stand in one output. Two names
// may be the same characters in other bytes, such as ä, and a with a mark behind it: there,
// what is not in NFC is escaped as in JSON.
func spelling(names []string) func(name string) string {
	first, several := map[string]string{}, map[string]bool{} // by the NFC
	for _, name := range names {
		form := norm.NFC.String(name)
		if other, ok := first[form]; ok && other != name {
			several[form] = true
		}
		first[form] = name
	}
	return func(name string) string {
		if form := norm.NFC.String(name); form != name && several[form] {
			name = escaped(name)
		}
		return terminal.Line(name)
	}
}

// escaped escapes the characters of a name that NFC replaces, or may join with what stands
// before them.
func escaped(name string) string {
	var b strings.Builder
	for _, c := range name {
		s := string(c)
		if norm.NFC.IsNormalString(s) && norm.NFC.PropertiesString(s).BoundaryBefore() {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, c) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
