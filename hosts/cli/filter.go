package cli

import (
	stdjson "encoding/json"
	"regexp"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

var operators = map[string]string{"=": "eq", "!=": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}

// meant are operators of other languages.
var meant = map[string]string{"==": "=", "===": "=", "=>": ">=", "=<": "<=", "<>": "!=", "!==": "!=", "=!": "!=", "~": "=", "=~": "=", "~=": "=", "!~": "!="}

const operatorBytes = "=!<>~"

// A condition is one --filter: a field alone (it is there), !field (it is not), or a field,
// an operator and a value.
type condition struct {
	text                   string
	field, operator, value string // value is JSON
}

// filtersOf makes filters (wasm/ABI.md §3.7) of conditions that must all hold.
func filtersOf(conditions []string) ([]byte, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	fields := map[string]map[string]stdjson.RawMessage{}
	for _, text := range conditions {
		c := &condition{text: text}
		if err := c.read(); err != nil {
			return nil, err
		}
		if fields[c.field] == nil {
			fields[c.field] = map[string]stdjson.RawMessage{}
		}
		switch other, twice := fields[c.field][c.operator]; {
		case twice && c.operator == "eq":
			return nil, c.wrong(`it is the second with = for %s, and both would have to hold; for either write --filters '{%s:{"in":[%s,%s]}}'`, c.field, json.Quote(c.field), string(other), c.value)
		case twice:
			return nil, c.wrong("it is the second with %s for %s; write one of them", c.operator, c.field)
		}
		fields[c.field][c.operator] = stdjson.RawMessage(c.value)
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

// wrong names the part of a condition that is at fault, and what could be written.
func (c *condition) wrong(format string, args ...any) error {
	return abi.Errorf(abi.ArgumentInvalid, "the filter %s: "+format, append([]any{json.Quote(c.text)}, args...)...)
}

func (c *condition) read() error {
	rest, not := strings.CutPrefix(strings.TrimSpace(c.text), "!")
	begin := strings.IndexAny(rest, operatorBytes)
	if begin < 0 {
		c.field, c.operator, c.value = strings.TrimSpace(rest), "exists", "true"
		if not {
			c.value = "false"
		}
		return c.checkField("")
	}
	end := begin
	for end < len(rest) && strings.IndexByte(operatorBytes, rest[end]) >= 0 {
		end++
	}
	c.field, c.operator = strings.TrimSpace(rest[:begin]), rest[begin:end]
	value := strings.TrimSpace(rest[end:])
	if not && c.field == "" {
		c.operator, not = "!"+c.operator, false
	}
	if err := c.checkField(value); err != nil {
		return err
	}
	if not {
		return c.wrong("! before a field says that it is not there, and goes with no value; write %s!=%s", c.field, example(value))
	}
	if operators[c.operator] == "" {
		return c.noOperator(value)
	}
	return c.readValue(value)
}

func (c *condition) checkField(value string) error {
	switch {
	case c.field == "" && value == "":
		return c.wrong("the field is missing; write year>=2026, lang=en, tags (it is there) or !tags (it is not)")
	case c.field == "":
		return c.wrong("the field before %s is missing; write year%s%s", c.operator, c.operator, example(value))
	}
	at := strings.IndexFunc(c.field, func(r rune) bool { return !isFieldRune(r) })
	switch {
	case at < 0:
		return nil
	case c.operator != "exists":
		return c.wrong("%s cannot be part of a field, which is letters, digits, _ and -, with dots between names; write year%s%s", json.Quote(c.field[at:at+1]), c.operator, example(value))
	}
	words := strings.FieldsFunc(c.field, func(r rune) bool { return !isFieldRune(r) })
	words = append(words, "year", "2026")
	return c.wrong("it has no operator (=, !=, >, >=, <, <=), and %s cannot be part of a field; write %s=%s", json.Quote(c.field[at:at+1]), words[0], words[max(len(words)-3, 1)])
}

// isFieldRune reports whether a character may be in a field, as far as ASCII goes; about
// others the engine decides.
func isFieldRune(c rune) bool {
	return c >= 0x80 || c == '_' || c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (c *condition) noOperator(value string) error {
	right := meant[c.operator]
	if right == "" {
		right = "="
	}
	return c.wrong("%s is no operator; write %s%s%s, and a value that begins so in quotes", c.operator, c.field, right, example(value))
}

// day is a date, or one with a time, whose order as text is that of time.
var day = regexp.MustCompile(`^\d{4}-\d\d(-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?$`)

// readValue takes a value as JSON where it is a number, true, false, null or a string in
// quotes, else as the text that it is.
func (c *condition) readValue(value string) error {
	symbol := c.operator
	c.operator = operators[symbol]
	isJSON := value != "" && !strings.ContainsAny(value[:1], "[{") && stdjson.Valid([]byte(value))
	quote := string(json.AppendString(nil, strings.Trim(value, `'"`)))
	switch {
	case value == "":
		return c.wrong(`the value after %s is missing; write %s%s2026, or %s%s"" for the empty text`, symbol, c.field, symbol, c.field, symbol)
	case isJSON && (strings.Contains("tfn", value[:1])) && symbol != "=" && symbol != "!=":
		return c.wrong("%s compares numbers and texts, and %s is neither; write %s=%s", symbol, value, c.field, value)
	case isJSON:
		c.value = value
	case strings.ContainsAny(value[:1]+value[len(value)-1:], `'"`):
		return c.wrong("the quotes of %s are not those of a JSON string; write %s%s%s", value, c.field, symbol, quote)
	case symbol != "=" && symbol != "!=" && !day.MatchString(value):
		return c.wrong("%s is no number; write %s%s2026, or %s%s%s for the order of texts", json.Quote(value), c.field, symbol, c.field, symbol, quote)
	default:
		c.value = quote
	}
	return nil
}

// example returns a value to show, one that is valid.
func example(value string) string {
	if value == "" || strings.ContainsAny(value, ` '"`) {
		return "2026"
	}
	return value
}
