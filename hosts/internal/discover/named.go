package discover

import (
	"path"
	"slices"
	"strings"
)

// IDs returns the ids that a document may have which a person names: the name as it is
// spelt, for ids are any strings, and what the name would be as a path below a folder. On
// a system whose separator is \, that is the name with / in its place; a path that begins
// with a drive, a share or a separator is taken below folder, the one that was indexed,
// in the spelling of the system, "" where nobody knows it. There, neither the case of the
// folder nor that of the drive counts; that of what is below it does.
//
// Where the separator is /, a \ is a character like any other.
func IDs(name, folder string, separator byte) []string {
	slashed := slash(name, separator)
	list := []string{name}
	add := func(id string) {
		if id != "" && id != "." && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	if name != "" {
		add(path.Clean(slashed))
	}
	if folder != "" && rooted(slashed, separator) {
		add(below(slashed, slash(folder, separator), separator))
	}
	return list
}

// slash returns a path with / between its names.
func slash(name string, separator byte) string {
	return strings.ReplaceAll(name, string(separator), "/")
}

// rooted reports whether a path says where it begins: with a separator, or a drive and
// one.
func rooted(slashed string, separator byte) bool {
	if separator == '\\' && len(slashed) > 2 && slashed[1] == ':' {
		slashed = slashed[2:]
	}
	return strings.HasPrefix(slashed, "/")
}

// below returns what a path is below a folder, "" where it is not.
func below(name, folder string, separator byte) string {
	name, folder = path.Clean(name), strings.TrimSuffix(path.Clean(folder), "/")+"/"
	if len(name) <= len(folder) {
		return ""
	}
	head := name[:len(folder)]
	if head == folder || separator == '\\' && strings.EqualFold(head, folder) {
		return name[len(folder):]
	}
	return ""
}
