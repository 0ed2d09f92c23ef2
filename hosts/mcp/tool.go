package mcp

import (
	"context"
	_ "embed"
	stdjson "encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

var errInternal = &jsonrpc.Error{Code: internalError, Message: "internal error"}

// The schemas are written by hand: each node has one type, objects list their
// members and take no others, and nothing is combined or referred to, since
// clients differ in what more they understand. See TestX52SchemaLint.
var (
	//go:embed schema/retrieve.in.json
	retrieveIn []byte
	//go:embed schema/retrieve.out.json
	retrieveOut []byte
	//go:embed schema/replay.in.json
	replayIn []byte
	//go:embed schema/replay.out.json
	replayOut []byte
)

func annotations() *sdk.ToolAnnotations {
	no := false
	return &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}

// retrieveTool describes the tool with the limits and defaults of this host.
func retrieveTool(c *config.Config) *sdk.Tool {
	return &sdk.Tool{
		Name:  "retrieve",
		Title: "Retrieve passages",
		Description: "Finds the passages that answer a query. The query is split at connectors (and, or, commas, question marks, new lines) into needs; " +
			"each need gets a share of recallBudget by its weight and is ranked on its own. " +
			"Ask for all that a task needs at once. hits are best first; each names the needs that picked it, with its rank and score (0 to 1) there. " +
			"verdict is answered, weak, or no_answer with a reason; omitted says what was left out. " +
			"The same query, seed and corpus give the same bytes; the result can be checked with replay.",
		InputSchema:  stdjson.RawMessage(settle(retrieveIn, c)),
		OutputSchema: stdjson.RawMessage(retrieveOut),
		Annotations:  annotations(),
	}
}

// settle puts the settings into a schema. The seed stands inside a string there.
func settle(schema []byte, c *config.Config) []byte {
	number := func(n int64) string { return string(json.AppendInt(nil, n)) }
	seed := json.AppendString(nil, json.Quote(c.DefaultSeed))
	return []byte(strings.NewReplacer(
		"{maxQueryLen}", number(c.MaxQueryLen),
		"{defaultRecall}", number(c.DefaultRecall),
		"{maxRecall}", number(c.MaxRecall),
		"{defaultSeed}", string(seed[1:len(seed)-1]),
	).Replace(string(schema)))
}

var replayTool = &sdk.Tool{
	Name:  "replay",
	Title: "Replay a stored result",
	Description: "Checks a result that retrieve gave earlier: runs its request again, with the engine that it names, over the corpus of now. " +
		"verdict is MATCH (the engine gives this very reply), MISMATCH (at says where it differs first: the result was altered, or the engine is at fault) " +
		"or UNVERIFIABLE (missing says what is not here, or has changed since: the engine or the corpus).",
	InputSchema:  stdjson.RawMessage(replayIn),
	OutputSchema: stdjson.RawMessage(replayOut),
	Annotations:  annotations(),
}

func success(reply []byte) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		StructuredContent: stdjson.RawMessage(reply),
		Content:           []sdk.Content{&sdk.TextContent{Text: string(reply)}},
	}
}

func failure(err error) *sdk.CallToolResult {
	var e *abi.Error
	if !errors.As(err, &e) {
		e = &abi.Error{Code: abi.Internal, Sentence: err.Error()}
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: e.Error()}}}
}

// retrieve is the tool of that name.
func (s *Server) retrieve(ctx context.Context, arguments []byte) ([]byte, error) {
	q := service.Request(s.Service.Config())
	if err := readArguments(arguments, &q); err != nil {
		return nil, err
	}
	reply, err := s.Service.Retrieve(ctx, &q)
	return reply, asArgument(err)
}

// retrieveArguments are the members of a Request that an agent may give: not
// scores, which are for programs with a scorer, nor workLimit, which is for hosts
// that meter.
var retrieveArguments = []string{"query", "recallBudget", "seed", "needs", "profile", "representation", "fill", "explain", "text"}

func readArguments(in []byte, q *abi.Request) error {
	asked := false
	err := members(in, retrieveArguments, func(r *json.Reader, name string) {
		switch name {
		case "query":
			q.Query, asked = r.String(), true
		case "recallBudget":
			q.RecallBudget = integer(r)
		case "seed":
			q.Seed = r.String()
		case "needs":
			q.Needs = []string{}
			for range r.Array() {
				q.Needs = append(q.Needs, r.String())
			}
		case "profile":
			q.Profile = r.String()
		case "representation":
			q.Representation = r.String()
		case "fill":
			q.Fill = r.Bool()
		case "explain":
			q.Explain = r.Bool()
		case "text":
			q.Text = r.String()
		}
	})
	if err == nil && !asked {
		err = abi.Errorf(abi.ArgumentInvalid, `the argument "query" is missing`)
	}
	return err
}

// integer reads an integer as JSON Schema has it: 3.0 and 3e0 are 3. Models and
// their libraries write such. It is exact, and what is beyond the engine's integers
// is refused in the engine's words.
func integer(r *json.Reader) int64 {
	if r.Kind() != json.Number {
		return r.Int() // which refuses it
	}
	spelt := r.Raw()
	if n, ok := integral(string(spelt)); ok {
		return n
	}
	own := json.NewReader(spelt)
	own.Int()
	var e *json.Error
	if errors.As(own.End(), &e) {
		r.Fail(e.Problem)
	}
	return 0
}

// integral returns the value of a number that has no fraction, however it is spelt.
func integral(spelt string) (int64, bool) {
	mantissa, power, _ := strings.Cut(strings.ToLower(spelt), "e")
	digits, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	significant := strings.TrimRight(digits, "0")
	if significant == "" {
		return 0, true
	}
	exponent := 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return 0, false
		}
	}
	zeros := exponent - len(fraction) + len(digits) - len(significant)
	if zeros < 0 || zeros > 16 {
		return 0, false
	}
	n, err := strconv.ParseInt(significant+strings.Repeat("0", zeros), 10, 64)
	if err != nil || n > json.MaxInt {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// replay is the tool of that name. The reply is given as text, which keeps its
// bytes, or as the object itself.
func (s *Server) replay(ctx context.Context, arguments []byte) ([]byte, error) {
	var stored []byte
	err := members(arguments, []string{"reply"}, func(r *json.Reader, name string) {
		if r.Kind() == json.Object {
			stored = r.Raw()
		} else {
			stored = []byte(r.String())
		}
	})
	switch {
	case err != nil:
		return nil, err
	case len(stored) == 0:
		return nil, abi.Errorf(abi.ArgumentInvalid, `the argument "reply" is missing or empty`)
	}
	return s.Service.Replay(ctx, stored, nil)
}

// members reads the arguments of a call, and words what is wrong with them.
func members(in []byte, known []string, read func(r *json.Reader, name string)) error {
	if len(in) == 0 {
		in = []byte("{}")
	}
	r := json.NewReader(in)
	for name := range r.Object() {
		if !contains(known, name) {
			r.Skip()
			if r.Err() == nil {
				return unknown(name, known)
			}
			break
		}
		read(r, name)
	}
	var e *json.Error
	if err := r.End(); !errors.As(err, &e) {
		return err
	}
	switch e.Reason {
	case json.BadSyntax, json.BadEncoding, json.DuplicateMember, json.TooDeep:
		return &abi.Error{Code: abi.JSONInvalid, Sentence: "arguments: " + e.Error()}
	}
	return &abi.Error{Code: abi.ArgumentInvalid, Sentence: e.Path + ": " + e.Problem}
}

func contains(list []string, s string) bool {
	for _, t := range list {
		if s == t {
			return true
		}
	}
	return false
}

func unknown(name string, known []string) error {
	if near := nearest(name, known); near != "" {
		return abi.Errorf(abi.ArgumentUnknown, "unknown argument %q, did you mean %q?", name, near)
	}
	return abi.Errorf(abi.ArgumentUnknown, "unknown argument %q", name)
}

// asArgument gives the failure of a member its name at this door, where members
// are arguments.
func asArgument(err error) error {
	var e *abi.Error
	if errors.As(err, &e) && e.Code == abi.RequestInvalid {
		return &abi.Error{Code: abi.ArgumentInvalid, Sentence: e.Sentence}
	}
	return err
}

// others are names that users of similar tools know.
var others = map[string]string{
	"k": "recallBudget", "n": "recallBudget", "limit": "recallBudget", "top_k": "recallBudget", "topK": "recallBudget",
	"max_results": "recallBudget", "maxResults": "recallBudget", "budget": "recallBudget", "recall_budget": "recallBudget",
	"q": "query", "question": "query", "search": "query", "subqueries": "needs",
}

func nearest(name string, known []string) string {
	if other := others[name]; contains(known, other) {
		return other
	}
	return json.Nearest(name, known)
}
