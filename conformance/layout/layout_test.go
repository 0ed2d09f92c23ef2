// Package layout tests the promise Layout-free on the compiled engine: how the
// documents lie, and how often everything is started anew, changes no byte.
// core/retrieve TestLayoutFree tests the same natively, on many small corpora.
package layout

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/hosts/runner/wazero"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

var vocabulary = strings.Fields("crane berth tide fog brake rope pilot quay ferry lamp buoy seal wreck dredge gate light mooring stevedore anchor winter")

func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(words, " ")
}

// corpus returns n documents, many of which say the same.
func corpus(n int) [][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([][]byte, n)
	for i := range list {
		list[i] = fmt.Appendf(nil, `{"id":"d%d","text":%q}`, i, sentence(r, 1+r.IntN(6)))
	}
	return list
}

func requests(n int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"query":%q,"recallBudget":%d,"seed":"s%d","explain":true,"text":"snippet","fill":%v}`,
			sentence(r, 2)+" and "+sentence(r, 3), 1+r.IntN(30), i%3, i%2 == 0)
	}
	return list
}

func engine(t *testing.T) runner.Runner {
	t.Helper()
	wasm, _, ok := artifact.Built()
	if !ok {
		t.Skip("the engine is absent: run make build")
	}
	r, err := wazero.Open(t.Context(), wasm, wazero.Config{Cache: cache(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

func cache(t *testing.T) string {
	t.Helper()
	base, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	return filepath.Join(base, "rookhaven")
}

// answers opens documents over shards and returns the replies, one after the other.
func answers(t *testing.T, r runner.Runner, shards int, documents [][]byte, requests []string) []byte {
	t.Helper()
	c, err := pool.Open(t.Context(), r, pool.Config{Shards: shards}, abi.Names{Engine: r.Engine()}, documents)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	var all []byte
	for _, request := range requests {
		reply, _, err := c.Retrieve(t.Context(), []byte(request))
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, reply...), '\n')
	}
	return all
}

func TestLayoutFreeUnderWazero(t *testing.T) {
	r, documents, asked := engine(t), corpus(600), requests(40)
	want := answers(t, r, 1, documents, asked)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shards := range []int{1, 2, 5} {
		shuffled := slices.Clone(documents)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := answers(t, r, shards, shuffled, asked); !bytes.Equal(got, want) {
			t.Errorf("%d shards, shuffled: %s", shards, firstDifference(got, want))
		}
	}
}

// X02: documents that came and went leave no trace, in an instance that lives on.
func TestX02AddedAndTakenAway(t *testing.T) {
	r, documents, asked := engine(t), corpus(300), requests(20)
	want := answers(t, r, 1, documents, asked)
	more := slices.Concat(corpus(300), [][]byte{[]byte(`{"id":"stranger","text":"crane tide"}`)})
	if got := answers(t, r, 1, more, asked); bytes.Equal(got, want) {
		t.Error("a document more changes nothing")
	}
	i, err := r.Instance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = i.Close(context.Background()) }()
	for n, list := range [][][]byte{more, documents, more, documents} {
		in := fmt.Appendf(nil, `{"engine":%q,"documents":[%s]}`, r.Engine(), bytes.Join(list, []byte(",")))
		if _, err := i.Call(t.Context(), abi.Open, in); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for _, request := range asked {
			reply, err := i.Call(t.Context(), abi.Retrieve, fmt.Appendf(nil, `{"handle":%d,"request":%s}`, n+1, request))
			if err != nil {
				t.Fatal(err)
			}
			got = append(append(got, reply...), '\n')
		}
		if equal := bytes.Equal(got, want); equal != (n%2 == 1) {
			t.Errorf("opening %d: equal to the first: %v", n, equal)
		}
		if n > 0 {
			if _, err := i.Call(t.Context(), abi.Close, fmt.Appendf(nil, `{"handle":%d}`, n)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// X04: with one need, the list for a budget is a prefix of the list for a larger one.
func TestX04PrefixStability(t *testing.T) {
	r, documents := engine(t), corpus(1200)
	var asked []string
	for _, k := range []int{1, 5, 10, 100, 1000} {
		asked = append(asked, fmt.Sprintf(`{"query":"crane tide fog","needs":["crane tide fog"],"recallBudget":%d}`, k))
	}
	var shorter []abi.Hit
	for _, line := range bytes.Split(bytes.TrimSpace(answers(t, r, 1, documents, asked)), []byte("\n")) {
		p, err := abi.ReadReply(line)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range shorter {
			if g := p.Hits[i]; g.ID != h.ID || g.Score != h.Score || g.Rank != h.Rank {
				t.Fatalf("hit %d of %d is %s, was %s of %d", i+1, len(p.Hits), g.ID, h.ID, len(shorter))
			}
		}
		shorter = p.Hits
	}
	if len(shorter) < 400 {
		t.Errorf("only %d hits", len(shorter))
	}
}

// X05 and X06: twins are ordered by the documented rule, which the explanation
// shows; renaming them moves that order only, and no score.
func TestX05Twins(t *testing.T) {
	r := engine(t)
	names := map[string]func(int) string{
		"numbers": func(i int) string { return fmt.Sprint(i) },
		"paths":   func(i int) string { return fmt.Sprintf("docs/%d.md", 50-i) },
		"uuids":   func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", i*2654435761&0xffffffff) },
	}
	for kind, name := range names {
		var twins [][]byte
		for i := range 50 {
			twins = append(twins, fmt.Appendf(nil, `{"id":%q,"text":"crane on the quay"}`, name(i)))
		}
		p, err := abi.ReadReply(bytes.TrimSpace(answers(t, r, 1, twins, []string{`{"query":"crane quay","recallBudget":50,"explain":true}`})))
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range p.Hits {
			if h.Score != 1_000_000_000 {
				t.Errorf("%s: a twin scores %d", kind, h.Score)
			}
			if i == 49 {
				break
			}
			next := p.Hits[i+1]
			if h.Explain.Rule != "key" && (h.Explain.Key != next.Explain.Key || h.ID >= next.ID) || h.Explain.Key > next.Explain.Key {
				t.Errorf("%s: hit %d stands above the next by %q: keys %d and %d", kind, i+1, h.Explain.Rule, h.Explain.Key, next.Explain.Key)
			}
		}
	}
}

// command builds the command, and writes a corpus of n documents beside it.
func command(t *testing.T, n int) (binary, file string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command and starts it several times: not in a short run")
	}
	if _, _, ok := artifact.Built(); !ok {
		t.Skip("the engine is absent: run make build")
	}
	folder := t.TempDir()
	binary, file = filepath.Join(folder, "rookhaven"), filepath.Join(folder, "corpus.jsonl")
	if out, err := exec.Command("go", "build", "-o", binary, "../../hosts/cmd/rookhaven").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(file, bytes.Join(corpus(n), []byte("\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return binary, file
}

// calls are the lines of a client that asks 40 questions.
func calls() string {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize"}` + "\n")
	for i, request := range requests(40) {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"retrieve","arguments":%s}}`+"\n", i+1, request)
	}
	return b.String()
}

// X01 and X03: five fresh processes, with one and two processors, give the same
// digest over all queries.
func TestX01RestartDigest(t *testing.T) {
	binary, file := command(t, 6000)
	seen := map[string][]int{}
	for run := range 5 {
		sum := digest(t, binary, file, fmt.Sprintf("GOMAXPROCS=%d", 1+run%2), nil)
		seen[sum] = append(seen[sum], run)
	}
	if len(seen) != 1 {
		t.Errorf("five processes gave %d digests: %v", len(seen), seen)
	}
}

// X09: where a corpus lies reaches no byte of a reply.
func TestX09NoPaths(t *testing.T) {
	binary, file := command(t, 300)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other name.json")
	lines := bytes.ReplaceAll(content, []byte("\n"), []byte(","))
	if err := os.WriteFile(other, slices.Concat([]byte("["), lines, []byte("]")), 0o600); err != nil {
		t.Fatal(err)
	}
	var replies [][]byte
	for _, corpus := range []string{file, other} {
		cmd := exec.Command(binary, "retrieve", "--corpus", corpus, "--json", "--explain", "crane tide and fog")
		cmd.Dir = filepath.Dir(corpus)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(out, []byte(filepath.Dir(corpus))) {
			t.Errorf("the reply holds %s", filepath.Dir(corpus))
		}
		replies = append(replies, out)
	}
	if !bytes.Equal(replies[0], replies[1]) {
		t.Errorf("the folder changes the reply: %s", firstDifference(replies[1], replies[0]))
	}
}

// digest runs the server once and digests its replies by id. Where there is one,
// hinder is told of the process and works on it until it is over.
func digest(t *testing.T, binary, file, env string, hinder func(p *os.Process, over <-chan struct{})) string {
	t.Helper()
	cmd := exec.Command(binary, "mcp", "--corpus", file)
	cmd.Env = append(os.Environ(), env, "XDG_DATA_HOME="+filepath.Dir(file), "ROOKHAVEN_LOG_LEVEL=error")
	cmd.Stdin = strings.NewReader(calls())
	var buf bytes.Buffer
	cmd.Stdout = &buf
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	if hinder != nil {
		go hinder(cmd.Process, over)
	}
	err := cmd.Wait()
	close(over)
	if err != nil {
		t.Fatal(err)
	}
	out := buf.Bytes()
	replies := map[int]string{}
	scan := bufio.NewScanner(bytes.NewReader(out))
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		var message struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(scan.Bytes(), &message); err != nil {
			t.Fatal(err)
		}
		if len(message.Result.Content) > 0 {
			replies[message.ID] = message.Result.Content[0].Text
		}
	}
	sum := sha256.New()
	for i := 1; i <= 40; i++ {
		if replies[i] == "" {
			t.Fatalf("no reply %d", i)
		}
		sum.Write([]byte(replies[i]))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// X47: every need with candidates has a place, also beside one that matches
// almost everything.
func TestX47ScopeCoverage(t *testing.T) {
	var documents [][]byte
	for i := range 3384 {
		text := "crane crane crane"
		if i%27 == 0 {
			text = []string{"neap tide", "slewing brake", "oil boom"}[i/27%3]
		}
		documents = append(documents, fmt.Appendf(nil, `{"id":"d%d","text":%q}`, i, text))
	}
	p, err := abi.ReadReply(bytes.TrimSpace(answers(t, engine(t), 2, documents, []string{`{"query":"crane crane crane crane, neap tide, slewing brake and oil boom","recallBudget":8}`})))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Audit.Subqueries {
		if len(s.Contributed) == 0 {
			t.Errorf("%q contributed nothing of its %d slots", s.Text, s.Budget)
		}
	}
	if len(p.Audit.Subqueries) != 4 {
		t.Errorf("%d needs", len(p.Audit.Subqueries))
	}
}

func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(g), len(w)) {
		if !bytes.Equal(g[i], w[i]) {
			return fmt.Sprintf("reply %d is\n%s\nwant\n%s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d replies, want %d", len(g), len(w))
}
