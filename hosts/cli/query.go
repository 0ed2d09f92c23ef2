package cli

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// query returns the words of a command line as a query, or stdin for "-". What is white
// space alone asks for nothing, as the empty query does.
func (r *run) query(words []string) (string, error) {
	if len(words) == 0 {
		return "", abi.Errorf(abi.ArgumentInvalid, "the query is missing; - reads it from stdin")
	}
	query := strings.Join(words, " ")
	if query == "-" && len(dashed(r.Args)) == 0 {
		in, err := r.read("-")
		if err == nil && !utf8.Valid(in) {
			err = abi.Errorf(abi.ArgumentInvalid, "the query is not well-formed UTF-8")
		}
		if err != nil {
			return "", err
		}
		query = strings.TrimRight(string(in), "\r\n")
	}
	if strings.TrimSpace(query) == "" {
		return "", abi.Errorf(abi.QueryEmpty, "the query is empty, or white space alone")
	}
	return query, nil
}

// dashed returns what stands after -- on a command line: words, whatever they begin with.
func dashed(args []string) []string {
	if i := slices.Index(args, "--"); i >= 0 {
		return args[i+1:]
	}
	return nil
}

// flagsAfterDashes says which of the words after -- are spelt as flags of the verb.
func (r *run) flagsAfterDashes(flags []*kong.Flag, args []string) {
	var names []string
	for _, f := range flags {
		names = append(names, "--"+f.Name)
		if f.Short != 0 {
			names = append(names, "-"+string(f.Short))
		}
		for _, alias := range f.Aliases {
			names = append(names, "--"+alias)
		}
	}
	var meant []string
	for _, word := range dashed(args) {
		if name, _, _ := strings.Cut(word, "="); slices.Contains(names, name) {
			meant = append(meant, json.Quote(word))
		}
	}
	switch len(meant) {
	case 0:
	case 1:
		r.notice(meant[0] + " after -- is a word, and no flag; flags stand before --")
	default:
		r.notice(strings.Join(meant, ", ") + " after -- are words, and no flags; flags stand before --")
	}
}
