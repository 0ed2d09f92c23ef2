// Package filter says which documents a request is about, by their metadata.
//
// # What a document says
//
// Metadata is a JSON object. A field is a path into it: the names of members
// joined by dots, after NFC. What stands at a field is a set of values:
//
//   - null, true, false, a number or a string is a value;
//   - an array stands for its elements, also of arrays and objects inside it, so
//     that {"tags":["a","b"]} has two values at tags, {"tags":[]} none, and
//     {"by":[{"name":"x"},{"name":"y"}]} two at by.name;
//   - an object is a value of its own kind, which equals no other kind and is
//     never null.
//
// A name that holds dots is read as the names between them: {"a.b":1} and
// {"a":{"b":1}} say the same, and a document that says both has both values.
// What no field can name (see below) is passed over.
//
// Values of different types are different, and no order leads from one type to
// another. Numbers are exact decimals: 1, 1.0 and 1e0 are one value, and numbers
// that differ in their 30th digit are two. Strings compare by their UTF-8 bytes
// after NFC, so é is é however it is spelt, and dates written as 2026-05-01 or
// 2026-05-01T10:00:00Z are in the order of time. (The second lies after the
// first: "before May" is {"lt":"2026-05-01"}, "until the end of April" is not
// {"lte":"2026-04-30"} where there are times of day.)
//
// A chunk with metadata of its own is asked field by field: it has the values of
// the chunk if the chunk has any there, else those of its document.
//
// # What a filter asks
//
// A filter is a JSON object from fields to what is asked of them, all of which
// must hold. A scalar v asks {"eq":v}; an object has one or more operators:
//
//	eq v             some value equals v
//	in [v, …]        some value equals one of these
//	gt gte lt lte v  some value of v's type is greater, not less, less, not greater;
//	                 v is a number or a string
//	exists true      some value is not null
//	exists false     no value but null
//	neq v            no value equals v; so also where there is none
//	neq null         there are values, and none is null
//
// The operators of one field that begin with "some value" must hold of one and
// the same value: {"gte":3,"lte":5} asks for a value between 3 and 5, not for
// one above and one below. Of null this says: eq null and in [null] find an
// explicit null only, exists false finds a missing field or null, and neq null
// finds real values only.
//
// # Fields and bounds
//
// A field is 1 to [MaxParts] parts joined by dots, at most [MaxField] bytes. A
// part is letters, marks, digits (general categories L*, M* and Nd of Unicode
// 17.0.0), _ and -, at least one. A filter has at most [MaxConditions] operators
// and an in at most [MaxIn] values. A number has at most [MaxDigits] significant
// digits and, written with one digit before the point, an exponent from
// −[MaxExponent] to [MaxExponent]. A document has at most [MaxPairs] values and
// objects at all its fields together, equal ones counted each time.
//
// # How it is answered
//
// Every value has one encoding, and bytes.Compare orders encodings as above
// (TestEncodingOrder, TestNumbersAgainstBig, FuzzValue). [Flatten] gives a
// document's pairs of field and encoded value. A segment keeps for each field the
// sorted distinct values and for each document which of them it has. In this
// order every operator is a list of ranges; [Condition.Select] finds them by
// binary search, and [Selection.Holds] looks a document's values up in them. Where
// a segment has no values at a field, [Condition.Absent] says what holds.
// [Filter.Holds] does without columns. TestColumnsEqualDefinition compares both
// with an evaluator that reads the definition above off the JSON, and TestRules has
// a row for each rule.
package filter

import (
	"cmp"
	"slices"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

const (
	// MaxConditions is how many operators a filter may have.
	MaxConditions = 64

	// MaxIn is how many values may stand in an in.
	MaxIn = 1000
)

// invalid is the code of a filter that is JSON but no filter.
const invalid = abi.FilterInvalid

// A Filter is a conjunction of conditions on fields. It is immutable.
type Filter struct {
	clauses    []clause // by field, in canonical order
	conditions []Condition
}

// A clause is what a filter asks of one field, in the words of the request.
type clause struct {
	field     string
	operators []operator // in canonical order
}

// An operator compares with encoded values: sorted and distinct for in, one for
// all others.
type operator struct {
	name   string
	values []string
}

// operators are the known names, in canonical order.
var operators = []string{"eq", "exists", "gt", "gte", "in", "lt", "lte", "neq"}

// Parse reads a filter. It fails with [abi.JSONInvalid], or with a sentence that
// says where the filter is wrong: "filters.year.gte: expected a number or a
// string, found null".
func Parse(in []byte) (*Filter, error) {
	p := parser{r: json.NewReader(in)}
	for name := range p.r.Object() {
		p.clause(name)
	}
	if err := p.r.End(); err != nil {
		return nil, failure("filters", err, invalid)
	}
	json.SortMembers(p.clauses, func(c clause) string { return c.field })
	f := &Filter{clauses: p.clauses}
	for _, c := range f.clauses {
		f.conditions = append(f.conditions, c.conditions()...)
	}
	return f, nil
}

// A parser reads clauses in the order of the document.
type parser struct {
	r       *json.Reader
	clauses []clause
	count   int // of operators
}

// clause reads what is asked of the field with a name.
func (p *parser) clause(name string) {
	path, ok := join(place{}, name)
	if !ok {
		p.r.Fail("the field is not made of letters, digits, _ and -, in at most 16 parts joined by dots and 256 bytes")
		return
	}
	if slices.ContainsFunc(p.clauses, func(c clause) bool { return c.field == path.field }) {
		p.r.Fail("the field is there twice, in two forms of Unicode")
		return
	}
	c := clause{field: path.field}
	switch p.r.Kind() {
	case json.Object:
		for name := range p.r.Object() {
			c.operators = append(c.operators, p.operator(name))
		}
		if len(c.operators) == 0 {
			p.r.Fail("the object has no operator")
		}
	case json.Array:
		p.r.Fail(`expected a value or an object of operators, found an array: is {"in":[…]} meant?`)
	default:
		c.operators = append(c.operators, operator{"eq", p.scalar()})
		p.counted()
	}
	json.SortMembers(c.operators, func(o operator) string { return o.name })
	p.clauses = append(p.clauses, c)
}

func (p *parser) operator(name string) operator {
	o := operator{name: name}
	p.counted()
	switch name {
	case "eq", "neq":
		o.values = p.scalar()
	case "in":
		o.values = p.list()
	case "exists":
		o.values = p.only("true or false", json.True, json.False)
	case "gt", "gte", "lt", "lte":
		o.values = p.only("a number or a string", json.Number, json.String)
	default:
		p.r.Unknown(operators)
	}
	return o
}

// counted counts an operator. The bound also bounds the work on clauses.
func (p *parser) counted() {
	if p.count++; p.count > MaxConditions {
		p.r.Fail("a filter has at most 64 conditions")
	}
}

// only reads a scalar of two kinds.
func (p *parser) only(wanted string, a, b json.Kind) []string {
	if k := p.r.Kind(); k != a && k != b {
		p.r.Fail("expected " + wanted + ", found " + k.String())
		return nil
	}
	return p.scalar()
}

// scalar reads one value.
func (p *parser) scalar() []string {
	if k := p.r.Kind(); k == json.Object || k == json.Array {
		p.r.Fail("expected null, true, false, a number or a string, found " + k.String())
		return nil
	}
	return []string{string(appendScalar(nil, p.r))}
}

// list reads an array of values and puts them in order, each once.
func (p *parser) list() []string {
	var list []string
	for i := range p.r.Array() {
		if i == MaxIn {
			p.r.Fail("in has at most 1000 values")
			return nil
		}
		list = append(list, p.scalar()...)
	}
	if len(list) == 0 {
		p.r.Fail("in has no values")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Append appends the canonical form: canonical JSON in which every field has an
// object of operators, names and strings are in NFC, the values of in are sorted
// and distinct, and numbers are spelt exactly, in the layout of RFC 8785. Filters
// that differ only in spelling have one canonical form, and it is a filter that
// asks the same (FuzzParse).
func (f *Filter) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	w.BeginObject()
	for _, c := range f.clauses {
		w.Name(c.field)
		w.BeginObject()
		for _, o := range c.operators {
			w.Name(o.name)
			if o.name == "in" {
				w.BeginArray()
			}
			for _, v := range o.values {
				w.Raw(appendJSON(nil, []byte(v)))
			}
			if o.name == "in" {
				w.EndArray()
			}
		}
		w.EndObject()
	}
	w.EndObject()
	return w.Bytes()
}

// Conditions returns what must hold, by field; none for a filter that asks
// nothing. The caller leaves them as they are.
func (f *Filter) Conditions() []Condition { return f.conditions }

// Holds reports whether the filter holds of a chunk with these pairs and those of
// its document, as [Flatten] gives them; nil is for no metadata.
func (f *Filter) Holds(chunk, document []Pair) bool {
	for i := range f.conditions {
		c := &f.conditions[i]
		values := at(chunk, c.Field)
		if len(values) == 0 {
			values = at(document, c.Field)
		}
		if slices.ContainsFunc(values, func(p Pair) bool { return c.Match(p.Value) }) == c.not {
			return false
		}
	}
	return true
}

// at returns the pairs of a field.
func at(pairs []Pair, field string) []Pair {
	compare := func(p Pair, field string) int { return cmp.Compare(p.Field, field) }
	start, _ := slices.BinarySearchFunc(pairs, field, compare)
	end := start
	for end < len(pairs) && pairs[end].Field == field {
		end++
	}
	return pairs[start:end]
}

// failure makes an Error of a reader's error; root is what was read.
func failure(root string, err error, code abi.Code) error {
	e, ok := err.(*json.Error)
	if !ok {
		return err
	}
	switch e.Reason {
	case json.BadSyntax, json.BadEncoding, json.DuplicateMember, json.TooDeep:
		code = abi.JSONInvalid
	}
	if e.Path != "" && e.Path[0] != '[' {
		root += "."
	}
	hint := e.Hint
	if hint != "" {
		hint = ", " + hint
	}
	return abi.Errorf(code, "%s%s: %s%s", root, e.Path, e.Problem, hint)
}
