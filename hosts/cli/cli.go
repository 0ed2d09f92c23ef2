// Package cli is the door for people: the verbs of the command rookhaven.
//
// Verbs only translate: flags into a request, a reply into text or, with --json,
// into the reply's exact bytes. What strangers wrote is shown with
// terminal.Line, so that a document cannot act on the terminal.
//
// Exit codes: 0 there are hits, 1 there are none, or of search none that answers, 2 an
// error, 3 an index of which files could not be read, or with --strict an answer that may be
// less than what was asked for, 4 a replay that is not a MATCH,
// 5 an evaluation below its floors or its baseline, 10 an index that another process
// writes, 130 and 143 after a signal. A failure is one line on stderr,
// "rookhaven: CODE: sentence", and one with what to do about it; rookhaven mcp
// writes it as a JSON line, since its stderr is a log.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/terminal"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// A World is what a run of the command sees.
type World struct {
	Args       []string
	Env        func(string) string
	Environ    []string // NAME=value, to find names that are misspelt
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Home       string // "" where the user has none
	Dir        string
	GOOS       string
	Executable string
	Version    string
	Example    []byte // the bundled corpus
}

// The verbs. The order is that of --help.
type grammar struct {
	Retrieve retrieveVerb `cmd:"" aliases:"query" help:"Find the passages that answer a query, with a budget for each of its needs."`
	Index    indexVerb    `cmd:"" aliases:"update" help:"Make an index of files, or bring one up to date."`
	Search   searchVerb   `cmd:"" help:"Find passages in an index."`
	Explain  explainVerb  `cmd:"" help:"Search, and show how each score came about."`
	Eval     evalVerb     `cmd:"" help:"Measure the ranking by judgements, against floors or a baseline."`
	Diff     diffVerb     `cmd:"" help:"Show what changed between two generations of an index, and in which rankings."`
	Export   exportVerb   `cmd:"" help:"Write the documents of an index, one a line."`
	Replay   replayVerb   `cmd:"" help:"Check a stored reply: the same engine, the same corpus, the same bytes?"`
	Demo     demoVerb     `cmd:"" help:"Retrieve from the bundled example corpus."`
	Mcp      mcpVerb      `cmd:"" help:"Serve agents: the Model Context Protocol on stdin and stdout."`
	Install  installVerb  `cmd:"" help:"Write rookhaven into the configuration of an MCP client."`
	Doctor   doctorVerb   `cmd:"" help:"Check that everything rookhaven needs is in order."`
	Config   configVerb   `cmd:"" help:"Show the settings, and where each comes from."`
	Engine   engineVerb   `cmd:"" help:"The engines that replays can use."`
	Model    modelVerb    `cmd:"" help:"The models that make vectors."`
	Version  versionVerb  `cmd:"" help:"Show the version of rookhaven and its engine."`
}

const about = `Finds passages in documents, and can prove afterwards why it found just these.

	rookhaven demo
	rookhaven index docs
	rookhaven search --data docs tide windows
	rookhaven retrieve --corpus docs.jsonl "crane faults and tide windows"
	rookhaven retrieve --corpus docs.jsonl --json "tide windows" > reply.json
	rookhaven replay reply.json --corpus docs.jsonl

A corpus is a file: a JSON array of {"id", "text"}, or one such object a line. Output is text for people, on a terminal or not; --json gives the reply's exact bytes. rookhaven help VERB explains a verb, --version shows the version. Exit codes: 0 hits, 1 none, 2 an error, 3 an index of which files could not be read, or with --strict an answer that may be less than what was asked for, 4 a replay that is not a MATCH, 5 an evaluation below its floors, 10 an index that another process writes.`

// An exit ends a run that is no failure with a code other than 0.
type exit int

func (e exit) Error() string { return fmt.Sprint("exit ", int(e)) }

// A run is one call of the command.
type run struct {
	*World
	ctx       context.Context
	unwritten error // the first of printf
	warned    bool  // about the environment
}

// Main runs the command and returns its exit code.
func Main(ctx context.Context, w *World) (code int) {
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(exit) // of --help, from inside of kong
			if !ok {
				panic(p)
			}
			code = int(e)
		}
	}()
	r := &run{World: w, ctx: ctx}
	parser, err := kong.New(&grammar{},
		kong.Name("rookhaven"), kong.Description(about), kong.Writers(w.Stdout, w.Stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 100}),
		kong.Bind(r),
	)
	if err != nil {
		panic("cli: BUG: " + err.Error())
	}
	for _, arg := range w.Args {
		if !utf8.ValidString(arg) {
			return r.end(abi.Errorf(abi.ArgumentInvalid, "the argument %q is not well-formed UTF-8", arg))
		}
	}
	args := customary(w.Args)
	parsed, err := parser.Parse(args)
	if err != nil {
		return r.end(usage(parser, args, err))
	}
	r.flagsAfterDashes(parsed.Flags(), args)
	if err = slips(parsed, args); err == nil {
		err = parsed.Run()
	}
	return r.end(err)
}

// slips says what in a command line is allowed and cannot be meant: a flag without its
// value, as in --as-of "$UNSET", and a word of a query that was taken for -c.
func slips(parsed *kong.Context, args []string) error {
	for _, f := range parsed.Flags() {
		if f.Set && f.Enum == "" && f.Target.Kind() == reflect.String && f.Target.String() == "" {
			return abi.Errorf(abi.ArgumentInvalid, "--%s is empty; give it a value, or leave it out", f.Name)
		}
	}
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if word, ok := strings.CutPrefix(arg, "-c"); ok && word != "" && !strings.HasPrefix(arg, "--") {
			return abi.Errorf(abi.ArgumentInvalid, "%s may be a word that the query excludes, or a collection: for the one put -- before the query, for the other write -c %s", json.Quote(arg), json.Quote(word))
		}
	}
	return nil
}

// customary gives the words that other commands take for help and for the version
// the form that the grammar has.
func customary(args []string) []string {
	switch {
	case len(args) == 0:
	case args[0] == "--version":
		return append([]string{"version"}, args[1:]...)
	case args[0] == "help":
		return append(args[1:len(args):len(args)], "--help")
	}
	return args
}

// end reports an error, and returns the exit code.
func (r *run) end(err error) int {
	if err == nil {
		err = r.unwritten
	}
	var e exit
	var f *abi.Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return int(e)
	case !errors.As(err, &f):
		f = &abi.Error{Code: abi.Internal, Sentence: err.Error()}
	}
	if len(r.Args) > 0 && r.Args[0] == "mcp" {
		return int(fatal(logging.JSON(r.Stderr, slog.LevelInfo), f))
	}
	info := abi.Info(f.Code)
	_, _ = fmt.Fprintf(r.Stderr, "rookhaven: %s\n  %s\n", terminal.Line(f.Error()), info.Remedy)
	return info.Exit
}

// usage words what kong says about a command line.
func usage(parser *kong.Kong, args []string, err error) error {
	if len(args) == 0 {
		return abi.Errorf(abi.ArgumentInvalid, "a verb is missing: %s", strings.Join(verbs(parser.Model.Node), ", "))
	}
	problem, _, _ := strings.Cut(err.Error(), ", did you mean")
	var p *kong.ParseError
	node := parser.Model.Node
	if errors.As(err, &p) && p.Context != nil && p.Context.Selected() != nil {
		node = p.Context.Selected()
	}
	for _, kind := range []struct {
		prefix string
		known  []string
	}{{"unknown flag ", flags(node)}, {"unexpected argument ", verbs(node)}} {
		if name, ok := strings.CutPrefix(problem, kind.prefix); ok {
			return unknown(kind.prefix, name, kind.known)
		}
	}
	if m := noInteger.FindStringSubmatch(problem); m != nil {
		problem = m[1] + " is " + m[2] + ", it must be an integer"
	}
	return &abi.Error{Code: abi.ArgumentInvalid, Sentence: problem}
}

// noInteger is what kong says of a number that is none.
var noInteger = regexp.MustCompile(`^(--[a-z-]+): expected a valid \d+ bit u?int but got (".*")$`)

func unknown(what, name string, known []string) *abi.Error {
	sentence := what + json.Quote(name)
	near := json.Nearest(name, known)
	for _, k := range known {
		if slices.Contains(others[name], k) {
			near = k
		}
	}
	if what == "unknown flag " && !strings.HasPrefix(name, "--") {
		sentence += "; put -- before a query with a word that begins with -"
	} else if near != "" {
		sentence += ", did you mean " + json.Quote(near) + "?"
	} else if len(known) > 0 {
		sentence += ", there are " + strings.Join(known, ", ")
	}
	return &abi.Error{Code: abi.ArgumentUnknown, Sentence: sentence}
}

// others are names that users of similar tools know.
var others = map[string][]string{
	"--k": {"--budget"}, "--top": {"--budget", "--limit"}, "--top-k": {"--budget"}, "--recall": {"--budget"}, "--max-results": {"--budget", "--limit"}, "--budget": {"--limit"},
	"--index": {"--data"}, "--dir": {"--data"}, "--lang": {"--language"}, "--where": {"--filter"},
	"find": {"search"}, "grep": {"search"}, "build": {"index"}, "add": {"index"}, "ingest": {"index"}, "bench": {"eval"}, "why": {"explain"},
	"serve": {"mcp"}, "server": {"mcp"}, "verify": {"replay"}, "setup": {"install"},
}

func flags(n *kong.Node) []string {
	var names []string
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			names = append(names, "--"+f.Name)
		}
	}
	return names
}

func verbs(n *kong.Node) []string {
	var names []string
	for _, child := range n.Children {
		names = append(names, child.Name)
	}
	return names
}

// read reads a whole file, or stdin for "-".
func (r *run) read(path string) ([]byte, error) {
	var in []byte
	var err error
	if path == "-" {
		in, err = io.ReadAll(r.Stdin)
	} else {
		in, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, &abi.Error{Code: abi.FileUnreadable, Sentence: err.Error()}
	}
	return in, nil
}

// printf writes a line for people.
func (r *run) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(r.Stdout, format+"\n", args...); err != nil && r.unwritten == nil {
		r.unwritten = unwritable(err)
	}
}
