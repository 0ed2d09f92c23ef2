package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// generations makes an index of several: in each one a document comes.
func (m *machine) generations(n int) {
	m.t.Helper()
	for i := range n {
		m.tree(map[string]string{fmt.Sprintf("docs/%d.md", i+1): fmt.Sprintf("tide windows, part %d\n", i+1)})
		m.must(0, "index", "docs")
	}
}

func (m *machine) remove(names ...string) {
	m.t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(m.dir, filepath.FromSlash(name))); err != nil {
			m.t.Fatal(err)
		}
	}
}

// files returns what is below a folder, by paths.
func (m *machine) files(folder string) map[string]string {
	m.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(m.dir, folder), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = "folder"
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = string(content)
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}

// An older generation that answers in the place of one that is lost is said once, in a
// sentence; with --strict it is an exit code; doctor fails; and index goes on.
func TestLostGeneration(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(3)
	m.remove("docs/.rookhaven/CURRENT", "docs/.rookhaven/generations/3.json")
	m.file("queries.jsonl", `{"id":"q1","text":"tide windows"}`)
	m.file("qrels.tsv", "q1\t1.md\t1\n")
	current := filepath.Join("docs", ".rookhaven", "CURRENT")
	for _, args := range [][]string{
		{"search", "--data", "docs", "tide"},
		{"search", "--data", "docs", "--json", "tide"},
		{"search", "--data", "docs", "--as-of", "2099-01-01", "tide"},
		{"explain", "--data", "docs", "tide"},
		{"diff", "--data", "docs", "1", "current", "tide"},
		{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv"},
	} {
		r := m.must(0, args...)
		if want := "rookhaven: " + current + " is missing; generation 2 is the newest that is whole, so it answers (rookhaven doctor tells more)\n"; r.err != want {
			t.Errorf("%q says %q, want %q", args, r.err, want)
		}
		if again := m.must(3, append(args, "--strict")...); again.out != r.out {
			t.Errorf("%q --strict answers %s, without it %s", args, again.out, r.out)
		}
	}
	for _, args := range [][]string{{"search", "--data", "docs", "--as-of", "1", "tide"}, {"diff", "--data", "docs", "1", "2"}} {
		if r := m.must(0, append(args, "--strict")...); r.err != "" {
			t.Errorf("%q, which depends on nothing that is lost, says %s", args, r.err)
		}
	}
	contains(t, "doctor", m.must(2, "doctor", "--data", "docs").out, "fail  index", "CURRENT is missing; generation 2 is the newest that is whole", "generation 3, and what came after it, may be lost")

	contains(t, "index", m.must(0, "index", "docs").out, "1 added", "generation 3: 3 documents")
	if r := m.must(0, "search", "--data", "docs", "--strict", "tide"); r.err != "" {
		t.Errorf("afterwards: %s", r.err)
	}
	contains(t, "doctor, afterwards", m.must(0, "doctor", "--data", "docs").out, "ok    index")
	m.remove("docs/.rookhaven/generations/2.json")
	contains(t, "doctor, of a generation in between", m.must(2, "doctor", "--data", "docs").out, "fail  index", "generation 3 is whole and answers", "2.json is missing: generation 2 was published")
}

// Whatever a verb shows of a generation names it.
func TestShownNamesAreTaken(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(2)
	report := decode(t, m.must(0, "diff", "--data", "docs", "--json", "1", "2").out)
	shown := m.must(0, "diff", "--data", "docs", "1", "2").out
	want := m.must(0, "search", "--data", "docs", "--json", "tide").out
	root := at(report, "to", "corpus").(string)
	created, err := time.Parse(time.RFC3339Nano, at(report, "to", "created").(string))
	if err != nil {
		t.Fatal(err)
	}
	_, second, _ := strings.Cut(shown, "to   generation 2 of ")
	second, _, _ = strings.Cut(second, ": ")
	_, short, _ := strings.Cut(shown, "2 documents, corpus ")
	short, _, _ = strings.Cut(short, "\n")
	for _, which := range []string{"2", "current", root, strings.TrimPrefix(root, "sha256:"), short, short[:8], root[:15], at(report, "to", "created").(string), second, created.Format("2006-01-02T15:04Z"), created.Format(time.DateOnly)} {
		if got := m.must(0, "search", "--data", "docs", "--json", "--as-of", which, "tide").out; got != want {
			t.Errorf("search --as-of %s: %s", which, got)
		}
		contains(t, "diff 1 "+which, m.must(0, "diff", "--data", "docs", "1", which).out, "to   generation 2 of ")
		contains(t, "diff "+which+" 1", m.must(0, "diff", "--data", "docs", which, "1").out, "from generation 2 of ")
	}
	for which, want := range map[string]string{
		short[:7]:       "names no generation: give its number, its corpus root (8 digits of it or more)",
		"yesterday":     "names no generation",
		"0000000000":    "GENERATION_UNKNOWN: no generation with the root 0000000000 is kept; there is 2 of ",
		"2001-01-01":    "GENERATION_UNKNOWN: no generation of 2001-01-01 is kept; there is 2 of ",
		"2026-02-30":    "names no generation",
		"sha256:" + "f": "names no generation",
	} {
		contains(t, which, m.must(2, "search", "--data", "docs", "--as-of", which, "tide").err, want)
	}
}

// What was text and is none now was not deleted: its document stays, and that is said.
func TestNoLongerText(t *testing.T) {
	needIndex(t)
	for name, content := range map[string]string{
		"Latin-1": "na\xefve tide", "a NUL": "tide\x00windows", "too large": strings.Repeat("tide ", 16<<20/5+1),
	} {
		m := newMachine(t)
		m.tree(harbour)
		m.file("docs/never.txt", content)
		contains(t, name, m.must(0, "index", "docs").out, "3 added", "1 file passed over:\n  "+filepath.Join("docs", "never.txt")+": ")
		before := m.must(0, "search", "--data", "docs", "--json", "tide windows").out

		m.file("docs/tides.md", content)
		r := m.must(3, "index", "docs")
		contains(t, name, r.out, "0 added, 0 changed, 0 removed, 3 unchanged", "1 file not read; what the index has of them stays:\n  "+filepath.Join("docs", "tides.md")+": ", "1 file passed over:", "generation 1, as it was")
		problems, _ := decode(t, m.must(3, "index", "--json", "docs").out)["problems"].([]any)
		if len(problems) != 2 || at(problems, 0, "id") != "never.txt" || at(problems, 0, "kept") != false || at(problems, 1, "kept") != true {
			t.Errorf("%s: %v", name, problems)
		}
		if after := m.must(0, "search", "--data", "docs", "--json", "tide windows").out; after != before {
			t.Errorf("%s: %s, before %s", name, after, before)
		}
		contains(t, name, m.must(2, "index", "--rebuild", "docs").err, "FILE_UNREADABLE", "tides.md", "nothing was changed: mend the file, or move it away")

		m.tree(map[string]string{"docs/tides.md": ""})
		contains(t, name+", deleted", m.must(0, "index", "docs").out, "1 removed")
	}
}

// A folder of somebody else's stays as it is.
func TestForeignFolder(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.tree(map[string]string{"level/CURRENT": "MANIFEST-000004\n", "level/000005.ldb": "x", "lucene/segments/_0.cfs": "x", "work/.rookhaven/CURRENT": "v1\n", "work/a.md": "a"})
	for data, args := range map[string][]string{"level": {"--data", "level", "docs"}, "lucene": {"--data", "lucene", "docs"}, "docs": {"--data", "docs", "docs"}, "work": {"work"}} {
		before := m.files(data)
		r := m.must(2, append([]string{"index"}, args...)...)
		contains(t, data, r.err, "ARGUMENT_INVALID: "+data, "which is not an index's; nothing was written there: name a folder that is empty or does not exist yet")
		if after := m.files(data); !maps.Equal(before, after) {
			t.Errorf("%s holds %q, held %q", data, slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
		}
	}
	// Folders that may be one's own.
	m.tree(map[string]string{"data/engines/x.wasm": "x", "data/corpora/x.rkt": "x", "hidden/.keep": "x"})
	for _, data := range []string{"data", "hidden", "new/deep"} {
		m.must(0, "index", "--data", data, "docs")
		m.must(0, "index", "--data", data, "docs")
		m.must(0, "search", "--data", data, "tide")
	}
}

// A page after the last hit says so, where people look, and is no hit.
func TestPageAfterTheLast(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(3)
	const says = "the list ends before hit 4\n"
	for _, args := range [][]string{{}, {"--json"}, {"--collapse"}, {"--count"}, {"--min-evidence", "0.01"}} {
		args = append([]string{"search", "--data", "docs", "tide"}, args...)
		r := m.must(1, append(args, "--offset", "3")...)
		text, note := r.out, r.err
		if slices.Contains(args, "--json") {
			text, note = note, ""
		}
		if !strings.Contains(text, says) || note != "" {
			t.Errorf("%q: %q, %q", args, r.out, r.err)
		}
		if r := m.must(0, append(args, "--offset", "2")...); strings.Contains(r.out+r.err, "the list ends") {
			t.Errorf("%q: %q, %q", args, r.out, r.err)
		}
	}
	for _, args := range [][]string{{"zeppelin"}, {"--json", "zeppelin"}, {"--filter", "year=1", "tide"}} {
		if r := m.must(1, append([]string{"search", "--data", "docs", "--offset", "3"}, args...)...); strings.Contains(r.out+r.err, "the list ends") {
			t.Errorf("where nothing matches: %q, %q", r.out, r.err)
		}
	}
}

// A filter that is none names what is wrong in it, and what to write.
func TestFilterMessages(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	for filter, want := range map[string]string{
		"year=>2026": `the filter "year=>2026": => is no operator; write year>=2026`,
		"year>=":     "the value after >= is missing; write year>=2026",
		"year>=abc":  `"abc" is no number; write year>=2026, or year>="abc" for the order of texts`,
		"lang='en'":  `the quotes of 'en' are not those of a JSON string; write lang="en"`,
		"year:2026":  `":" cannot be part of a field; write year=2026`,
	} {
		contains(t, filter, m.must(2, "search", "--corpus", "corpus.json", "--filter", filter, "tide").err, "ARGUMENT_INVALID: the filter ", want)
	}
}

// What the shell or the flags made of a command line, and nobody can have meant, is said.
func TestSlips(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(1)
	m.file("queries.jsonl", `{"id":"q1","text":"tide windows"}`)
	m.file("qrels.tsv", "q1\t1.md\t1\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"search", "--data", "docs", "--as-of", "", "tide"}, "ARGUMENT_INVALID: --as-of is empty"},
		{[]string{"search", "--data", "docs", "--cursor=", "tide"}, "ARGUMENT_INVALID: --cursor is empty"},
		{[]string{"search", "--data", "", "tide"}, "ARGUMENT_INVALID: --data is empty"},
		{[]string{"index", "--data=", "docs"}, "ARGUMENT_INVALID: --data is empty"},
		{[]string{"diff", "--data", "docs", "1", ""}, "ARGUMENT_INVALID: a generation's name is empty"},
		{[]string{"search", "--data", "docs", "tide", "-crane"}, `ARGUMENT_INVALID: "-crane" may be a word that the query excludes, or a collection`},
		{[]string{"search", "--data", "docs", "tide", "-fog"}, `ARGUMENT_UNKNOWN: unknown flag "-f"; put -- before a query with a word that begins with -`},
		{[]string{"eval", "--data", "docs", "--queries", "-", "--qrels", "-"}, "stdin can be read once"},
		{[]string{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--write-baseline", "queries.jsonl"}, "queries.jsonl is the queries file"},
		{[]string{"eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv", "--write-baseline", "qrels.tsv"}, "qrels.tsv is the judgements file"},
	} {
		contains(t, fmt.Sprint(tt.args), m.must(2, tt.args...).err, tt.want)
	}
	m.must(0, "search", "--data", "docs", "--", "tide", "-crane")
	m.must(1, "search", "--data", "docs", "-c", "rane", "tide")
	m.must(0, "eval", "--data", "docs", "--queries", "queries.jsonl", "--qrels", "qrels.tsv")
}

// An error of a flag names the flag, what was given, and the bounds.
func TestBoundsOfFlags(t *testing.T) {
	needEngine(t)
	m := newMachine(t)
	m.file("corpus.json", smallCorpus)
	for _, tt := range []struct{ flag, value, want string }{
		{"--limit", "0", `--limit is "0", it must be an integer between 1 and 1000`},
		{"-n", "-3", `--limit is "-3", it must be an integer between 1 and 1000`},
		{"--limit", "1001", "between 1 and 1000"},
		{"--limit", "99999999999999999999", "between 1 and 1000"},
		{"--limit", "many", `--limit is "many", it must be an integer between 1 and 1000`},
		{"--budget", "0", `--budget is "0", it must be an integer between 1 and 9007199254740991`},
		{"--offset", "-1", `--offset is "-1", it must be an integer between 0 and 10000`},
		{"--offset", "10001", "between 0 and 10000"},
		{"--min-evidence", "1.5", `--min-evidence is "1.5", it must be a number between 0 and 1`},
		{"--min-evidence", "-1", `--min-evidence is "-1", it must be`},
		{"--profile", "cosine", "--profile cosine ranks whole documents and no passages: rookhaven retrieve has it; here there are standard and journal"},
		{"--profile", "bm25", `--profile is "bm25", it must be standard or journal`},
	} {
		joined := tt.flag + tt.value
		if strings.HasPrefix(tt.flag, "--") {
			joined = tt.flag + "=" + tt.value
		}
		for _, args := range [][]string{{tt.flag, tt.value}, {joined}} {
			r := m.must(2, append([]string{"search", "--corpus", "corpus.json", "tide"}, args...)...)
			contains(t, fmt.Sprint(args), r.err, "ARGUMENT_INVALID: ", tt.want)
			if strings.Contains(r.err, "ABI") {
				t.Errorf("%q speaks of the ABI: %s", args, r.err)
			}
		}
	}
	contains(t, "no value", m.must(2, "search", "--corpus", "corpus.json", "tide", "--offset").err, "ARGUMENT_INVALID: --offset: the value is missing")
	m.must(0, "search", "--corpus", "corpus.json", "-n3", "--offset=0", "--budget", "1", "--min-evidence", "0", "tide")
}

// What stands after -- is words; what is spelt as a flag there is said.
func TestAfterDashes(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(1)
	for _, tt := range []struct {
		after []string
		echo  string
		says  string
	}{
		{[]string{"tide", "-n", "3"}, `"tide -n 3"`, "rookhaven: \"-n\" after -- is a word, and no flag; flags stand before --\n"},
		{[]string{"tide", "--limit=3", "--k", "--json"}, `"tide --limit=3 --k --json"`, "rookhaven: \"--limit=3\", \"--k\", \"--json\" after -- are words, and no flags; flags stand before --\n"},
		{[]string{"tide", "-windows", "--limits"}, `"tide -windows --limits"`, ""},
		{[]string{"-", "tide"}, `"- tide"`, ""},
		{[]string{"-"}, `"-"`, ""},
	} {
		r := m.run("tide windows", append([]string{"search", "--data", "docs", "--"}, tt.after...)...)
		if r.err != tt.says || !strings.HasPrefix(r.out, tt.echo+"\n") {
			t.Errorf("-- %q: %q on stderr, want %q\n%s", tt.after, r.err, tt.says, r.out)
		}
	}
	for _, args := range [][]string{{"-"}, {"-", "--"}} {
		if r := m.run("tide windows", append([]string{"search", "--data", "docs"}, args...)...); !strings.HasPrefix(r.out, "\"tide windows\"\n") || r.err != "" {
			t.Errorf("%q: %s%s", args, r.out, r.err)
		}
	}
}

// A query of white space asks for nothing, as the empty one does, wherever it comes from.
func TestEmptyQueries(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.generations(1)
	m.file("corpus.json", smallCorpus)
	for _, verb := range [][]string{{"search", "--data", "docs"}, {"explain", "--data", "docs"}, {"retrieve", "--corpus", "corpus.json"}} {
		for _, query := range [][]string{{""}, {"   "}, {"", " "}, {"\t\n"}, {"\u00a0"}, {"-"}} {
			r := m.run(" \n", append(verb, query...)...)
			if r.code != 2 || !strings.HasPrefix(r.err, "rookhaven: QUERY_EMPTY: the query is empty, or white space alone\n") {
				t.Errorf("%q %q: exit %d, %s%s", verb, query, r.code, r.out, r.err)
			}
		}
	}
}

// Where a hit has its surroundings beside it, its own lines are told from theirs without
// a terminal, too.
func TestExpandShowsTheHit(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	const want = `
      # Cranes The cranes of the port.
    | ## Faults The crane of berth 7 has the fault INV-004 in its brake.
`
	for _, text := range []string{"snippet", "full"} {
		contains(t, text, m.must(0, "search", "--data", "docs", "--expand", "document", "--text", text, "brake", "faults").out, want)
	}
}

// Two names that look alike are told apart.
func TestNamesThatLookAlike(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.file("corpus.jsonl", `{"id":"\u00e4.md","text":"tide windows"}
{"id":"a\u0308.md","text":"tide windows"}
{"id":"u\u0308.md","text":"tide windows"}`)
	for _, verb := range []string{"search", "explain", "retrieve"} {
		contains(t, verb, m.must(0, verb, "--corpus", "corpus.jsonl", "tide", "windows").out, "  \u00e4.md\n", `  a\u0308.md`+"\n", "  u\u0308.md\n")
	}
	m.must(0, "index", "--data", "idx", "corpus.jsonl")
	m.file("corpus.jsonl", `{"id":"\u00e4.md","text":"tide windows"}`)
	m.must(0, "index", "--data", "idx", "corpus.jsonl")
	m.file("corpus.jsonl", `{"id":"a\u0308.md","text":"tide windows"}`)
	m.must(0, "index", "--data", "idx", "corpus.jsonl")
	contains(t, "diff", m.must(0, "diff", "--data", "idx", "2", "3", "tide").out, "added    "+`a\u0308.md`+"\n", "removed  \u00e4.md\n")
}

// What a reply says of a query stands in words, not only in its members.
func TestRemarks(t *testing.T) {
	needIndex(t)
	m := newMachine(t)
	m.tree(harbour)
	m.must(0, "index", "docs")
	for _, tt := range []struct {
		code int
		args []string
		want string
	}{
		{1, []string{"q*"}, "\n\"q*\" is read as text: a star goes behind two characters at least\n"},
		{0, []string{`"windows tide"`}, "'\"windows tide\"'\n"},
		{0, []string{`"windows tide"`}, "\nthe phrase \"windows tide\" occurs nowhere; its words were searched\n"},
		{1, []string{"--document", "absent.md", "tide"}, "no_answer: no document passes the filter · 0 hits\n"},
		{1, []string{"foo:zeppelin"}, "\n\"foo:\" is no field; title:, heading: and body: are\n"},
		{0, []string{"--budget", "10", "tide"}, "tokens, more than the budget of 10: the first hit is given in any case\n"},
	} {
		for _, verb := range []string{"search", "explain"} {
			contains(t, fmt.Sprint(verb, tt.args), m.must(tt.code, append([]string{verb, "--data", "docs"}, tt.args...)...).out, tt.want)
		}
	}
	for verb, wants := range map[string][]string{
		"search":  {"where they do so nowhere, they are searched as words", "from eight letters on two", "any text but white space is a query", "A hit in tier 1 stands above all without"},
		"explain": {"A hit in tier 1 stands above all without"},
	} {
		contains(t, "help "+verb, strings.Join(strings.Fields(m.must(0, "help", verb).out), " "), wants...)
	}
}
