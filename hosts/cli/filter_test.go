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
		{"an empty value", []string{"lang="}, `{"lang":{"eq":""}}`},
		{"brackets are text", []string{"s=[1]", "t={}"}, `{"s":{"eq":"[1]"},"t":{"eq":"{}"}}`},
		{"a field that is there", []string{"tags"}, `{"tags":{"exists":true}}`},
		{"a field that is not", []string{"!tags"}, `{"tags":{"exists":false}}`},
		{"a field with dots and blanks", []string{"a.b c=1"}, `{"a.b c":{"eq":1}}`},
		{"the same twice", []string{"a=1", "a=2"}, "error: the second"},
		{"nothing", []string{""}, "error: must be a field"},
		{"no field", []string{"=1"}, "error: must be a field"},
		{"not, with a value", []string{"!a=1"}, "error: must be a field"},
		{"another operator", []string{"a=>1"}, `{"a":{"eq":">1"}}`},
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
