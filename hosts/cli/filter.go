package cli

import (
	stdjson "encoding/json"
	"regexp"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// condition is one --filter: a field alone (it is there), !field (it is not), or a field,
// an operator and a value.
var condition = regexp.MustCompile(`^\s*(!?)\s*([^=!<>]*[^=!<>\s])\s*(?:(!=|>=|<=|=|>|<)\s*(.*?)\s*)?$`)

var operators = map[string]string{"=": "eq", "!=": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}

// filtersOf makes filters (wasm/ABI.md §3.7) of conditions that must all hold. A value is
// taken as JSON where it is a number, true, false, null or a string in quotes, else as the
// text that it is.
func filtersOf(conditions []string) ([]byte, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	fields := map[string]map[string]stdjson.RawMessage{}
	for _, text := range conditions {
		m := condition.FindStringSubmatch(text)
		if m == nil || m[1] == "!" && m[3] != "" {
			return nil, abi.Errorf(abi.ArgumentInvalid, "the filter is %q, it must be a field, !field, or a field with =, !=, >, >=, < or <= and a value, as in year>=2026", text)
		}
		field, operator, value := m[2], "exists", "true"
		switch {
		case m[3] != "":
			operator, value = operators[m[3]], scalar(m[4])
		case m[1] == "!":
			value = "false"
		}
		if fields[field] == nil {
			fields[field] = map[string]stdjson.RawMessage{}
		}
		if _, twice := fields[field][operator]; twice {
			return nil, abi.Errorf(abi.ArgumentInvalid, "the filter %q is the second for %s with %s", text, json.Quote(field), operator)
		}
		fields[field][operator] = stdjson.RawMessage(value)
	}
	in, err := stdjson.Marshal(fields)
	if err == nil {
		in, err = json.Canonicalize(in)
	}
	if err != nil {
		return nil, abi.Errorf(abi.FilterInvalid, "--filter: %s", err.Error())
	}
	return in, nil
}

// scalar returns a value as JSON.
func scalar(text string) string {
	if text != "" && !strings.ContainsAny(text[:1], "[{") && stdjson.Valid([]byte(text)) {
		return text
	}
	return string(json.AppendString(nil, text))
}
