package lexical

// Standard are the constants of the profile standard.
var Standard = Params{
	K1: 1500, B: 875,
	Title: 4, Heading: 2,
	Stems: true,
	Exact: 200, Whole: 1500, Part: 1000,
}

// Journal are the constants of the profile journal: BM25 over headings and body,
// in which words count as they are spelt and stop words as others do.
var Journal = Params{
	K1: 1200, B: 750,
	Heading: 1,
	Stops:   true,
	Whole:   1000, Part: 1000,
}
