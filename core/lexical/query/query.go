// Package query reads the language of queries. Every text is a query; none is an
// error.
//
// # The language
//
//   - "words in quotes" are a phrase. ", “ and ” are quotes alike. One opens a phrase
//     where no letter, mark or digit stands before it; the next that none follows
//     closes it, in the same line. A quote without a partner is text: 12" pipe.
//   - pre* is every term that begins with pre. At least two characters stand before
//     the star, white space or the end after it. DEC-00* and docs/* are prefixes of
//     what DEC-0054 and docs/a.md are as a whole.
//   - -word, -"a phrase" and -pre* exclude. The - is the first of what white space
//     surrounds; a letter, a digit, underscores or a full stop before one, or a
//     phrase, follow. So --flag is text.
//   - title:word, heading:"a phrase", -body:pre* and the like say where it has to
//     stand. The names are written so; any other foo:bar is text.
//
// All else is text: AND, OR, NOT, NEAR(, ^, brackets, stars elsewhere.
//
// # What becomes of text
//
// Text is cut by [text.Standard]. A word is a clause. So is an identifier or compound;
// its terms are its wholes and its parts in the order in which they come from there.
// Two or more characters in a row, of a script without spaces, are a clause of bigrams,
// a [Sequence]; one alone is the [Prefix] of the tokens that begin with it. The last
// of two or more is no term, for in a text it may go on to a next one. All of that
// holds in phrases, too, but that wholes are left out, and that a character alone is
// a term of kind [text.Tail], which stands for any token that begins with it.
//
// So "parse http header" and "parseHTTPHeader" are one phrase. Positions say where
// the terms of a clause stand to one another; not each has a term: "新幹線 時刻" has
// terms at 0, 1 and 3.
//
// Stop words are terms like others: "to be or not to be" may be all there is. What has
// no term, as signs alone or quotes around nothing, is no clause. Equal clauses are
// one clause with a count.
//
// # Bounds
//
// A query keeps [MaxTerms] terms. [Query.Omitted] counts the terms beyond; clauses end
// before them, or are left out. Time is linear in the text, and memory is bounded by
// what is kept (FuzzParse, TestLongQueries).
package query

import "github.com/rookhaven-project/rookhaven/core/text"

// MaxTerms is the largest number of terms that a query keeps.
const MaxTerms = 1024

// A Query is what a text asks for.
type Query struct {
	// Clauses are in the order in which each is first asked for.
	Clauses []Clause

	// Sole says that the query is one identifier or compound, once, neither excluded
	// nor quoted nor in a field.
	Sole bool

	// OnlyExcludes says that there are clauses and that all of them exclude.
	OnlyExcludes bool

	// Omitted is how many terms did not fit.
	Omitted int
}

// A Clause is one thing that is asked for.
type Clause struct {
	Kind    Kind
	Field   Field
	Exclude bool // what has it is not wanted
	Quoted  bool // it stands in quotes
	Count   int  // how often it is asked for
	Terms   []Term

	// Start and End are its source in bytes, where it is first asked for, with its
	// quotes or star, without - and field.
	Start, End int
}

// A Kind says what a clause is.
type Kind uint8

const (
	Word       Kind = iota // one term
	Compound               // as in text: the first term is the whole
	Identifier             // likewise
	Sequence               // bigrams in a row
	Phrase                 // terms as they stand to one another
	Prefix                 // one term, with which others begin
)

// A Field is where a clause has to stand.
type Field uint8

const (
	Any Field = iota
	Title
	Heading
	Body
)

// names are what is written for fields, in their order from Title on.
var names = [...]string{"title:", "heading:", "body:"}

// A Term is a token of a clause. Text may share memory with the query.
type Term struct {
	Text       string
	Position   int32 // from the first term of the clause on
	Kind       text.Kind
	Start, End int // its source in bytes
}

// Parse reads a query.
func Parse(s string) Query {
	p := parser{source: s, at: map[string]int{}}
	for i := 0; i < len(s); {
		i = p.group(skipSpace(s, i))
	}
	return p.finish()
}

// finish says of the clauses what they are together.
func (p *parser) finish() Query {
	q := p.query
	if len(q.Clauses) == 1 && q.Omitted == 0 {
		c := &q.Clauses[0]
		q.Sole = (c.Kind == Identifier || c.Kind == Compound) && !c.Exclude && c.Field == Any && c.Count == 1
	}
	q.OnlyExcludes = len(q.Clauses) > 0
	for i := range q.Clauses {
		q.OnlyExcludes = q.OnlyExcludes && q.Clauses[i].Exclude
	}
	return q
}
