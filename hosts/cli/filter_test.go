package cli

import (
	"strings"
	"testing"
)

func TestFilters(t *testing.T) {
	for _, tt := range []struct {
		name       string
		conditions []string
		want       string
	}{
		{"none", nil, ""},
		{"a number", []string{"year>=2026"}, `{"year":{"gte":2026}}`},
		{"blanks do not count", []string{" year >= 2026 "}, `{"year":{"gte":2026}}`},
		{"two bounds of one field", []string{"year>=2020", "year<2026.5"}, `{"year":{"gte":2020,"lt":2026.5}}`},
		{"two fields", []string{"b=x", "a=y"}, `{"a":{"eq":"y"},"b":{"eq":"x"}}`},
		{"truth", []string{"draft!=true"}, `{"draft":{"neq":true}}`},
		{"null", []string{"draft=null"}, `{"draft":{"eq":null}}`},
		{"a text that looks like a number, in quotes", []string{`code="007"`}, `{"code":{"eq":"007"}}`},
		{"no JSON number is a text", []string{"code=007"}, `{"code":{"eq":"007"}}`},
		{"a date is a text", []string{"day>2026-11-30"}, `{"day":{"gt":"2026-11-30"}}`},
		{"a value may hold an operator", []string{"sum=a=b"}, `{"sum":{"eq":"a=b"}}`},
		{"an empty value, in quotes", []string{`lang=""`}, `{"lang":{"eq":""}}`},
		{"brackets are text", []string{"s=[1]", "t={}"}, `{"s":{"eq":"[1]"},"t":{"eq":"{}"}}`},
		{"a field that is there", []string{"tags"}, `{"tags":{"exists":true}}`},
		{"a field that is not", []string{"! tags"}, `{"tags":{"exists":false}}`},
		{"a field with dots and other letters", []string{"a.größe=1"}, `{"a.größe":{"eq":1}}`},
		{"a time is a text", []string{"day<=2026-11-30T15:04:05Z", "day>=2026-11"}, `{"day":{"gte":"2026-11","lte":"2026-11-30T15:04:05Z"}}`},
		{"the order of texts, in quotes", []string{`name>="m"`}, `{"name":{"gte":"m"}}`},
		{"a value with an apostrophe", []string{"name=O'Hara"}, `{"name":{"eq":"O'Hara"}}`},

		{"nothing", []string{""}, `error: the filter "": the field is missing; write year>=2026, lang=en, tags (it is there) or !tags`},
		{"no field", []string{"=1"}, "error: the field before = is missing; write year=1"},
		{"no field and no value", []string{"!="}, "error: the field is missing"},
		{"no field, not", []string{"!=1"}, "error: the field before != is missing; write year!=1"},
		{"no value", []string{"lang="}, `error: the value after = is missing; write lang=2026, or lang="" for the empty text`},
		{"no value to compare with", []string{"year>= "}, "error: the value after >= is missing; write year>=2026"},
		{"not, with a value", []string{"!a=1"}, "error: ! before a field says that it is not there, and goes with no value; write a!=1"},
		{"an operator the wrong way round", []string{"a=>1"}, `error: the filter "a=>1": => is no operator; write a>=1`},
		{"an operator twice", []string{"a==b c"}, "error: == is no operator; write a=2026"},
		{"an operator of SQL", []string{"a<>1"}, "error: <> is no operator; write a!=1"},
		{"an operator of expressions", []string{"a=~x"}, "error: =~ is no operator; write a=x"},
		{"an operator that there is nowhere", []string{"a>>1"}, "error: >> is no operator; write a=1, and a value that begins so in quotes"},
		{"a colon for an operator", []string{"year:2026"}, `error: it has no operator (=, !=, >, >=, <, <=), and ":" cannot be part of a field; write year=2026`},
		{"a word for an operator", []string{"year gte 2026"}, `error: " " cannot be part of a field; write year=2026`},
		{"only what is no field", []string{":"}, `error: ":" cannot be part of a field; write year=2026`},
		{"a field that cannot be", []string{"a b=1"}, `error: " " cannot be part of a field, which is letters, digits, _ and -, with dots between names; write year=1`},
		{"no number", []string{"year>=abc"}, `error: "abc" is no number; write year>=2026, or year>="abc" for the order of texts`},
		{"a number with a comma", []string{"year>2,026"}, `error: "2,026" is no number; write year>2026, or year>"2,026"`},
		{"a number with zeros before it", []string{"year<007"}, `error: "007" is no number`},
		{"the order of truth", []string{"draft>true"}, "error: > compares numbers and texts, and true is neither; write draft=true"},
		{"single quotes", []string{"lang='en'"}, `error: the quotes of 'en' are not those of a JSON string; write lang="en"`},
		{"a quote that is not closed", []string{`lang="en`}, `error: the quotes of "en are not those of a JSON string; write lang="en"`},
		{"more after a quote", []string{`lang="en" `, `lang="en" or lang="de"`}, `error: are not those of a JSON string`},
		{"the same twice", []string{"a=1", `a="x"`}, `error: it is the second with = for a, and both would have to hold; for either write --filters '{"a":{"in":[1,"x"]}}'`},
		{"a bound twice", []string{"a>1", "a>2"}, "error: it is the second with gt for a; write one of them"},
	} {
		got, err := filtersOf(tt.conditions)
		said := string(got)
		if err != nil {
			said = "error: " + err.Error()
		}
		want, fails := strings.CutPrefix(tt.want, "error: ")
		if fails != (err != nil) || !strings.Contains(said, want) || !fails && said != want {
			t.Errorf("%s: %s, want %s", tt.name, said, tt.want)
		}
	}
}

func TestMark(t *testing.T) {
	for _, tt := range []struct{ text, words, want string }{
		{"The tide windows.", "tide", "The [tide] windows."},
		{"Cranes and a crane", "crane", "[Cranes] and a [crane]"},
		{"A fault INV-004 in its brake", "INV-004", "A fault [INV]-[004] in its brake"},
		{"a cat and a category", "cat", "a [cat] and a category"},
		{"Überfahrt", "überfahrt", "[Überfahrt]"},
		{"nothing here", "", "nothing here"},
		{"", "a", ""},
	} {
		got := strings.NewReplacer(bold, "[", plain, "]").Replace(mark(tt.text, strings.Fields(tt.words)))
		if got != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.text, tt.words, got, tt.want)
		}
	}
}
