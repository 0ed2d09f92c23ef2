package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

const (
	maxLine = 8 << 20 // bytes of a message; the greatest request of the engine, written in escapes, is far below
	maxOpen = 256     // calls that are read before the first of them is answered
)

// A stdio is the transport: one message a line, on a pair of streams.
//
// It stands between the streams and the SDK, which ends the connection at the
// first line that it does not understand, drops what is unanswered at the end of
// the input, and carries ids through float64. Here a line that is no message is
// answered as JSON-RPC demands, the input's end is passed on when every call is
// answered, and ids are kept as they were spelt.
type stdio struct {
	in       io.Reader
	out      io.Writer
	log      *slog.Logger
	answered func()      // after the first answer
	stuck    func() bool // whether the engine does not stop: after that answer there is none
}

// Connect is called by the SDK, once.
func (t *stdio) Connect(context.Context) (sdk.Connection, error) {
	c := &conn{stdio: t, lines: make(chan line), closed: make(chan struct{}), calls: map[int64]*call{}, changed: make(chan struct{}, 1)}
	go c.readLines()
	return c, nil
}

// A line is what stood between two line ends; long says that it was too long and
// is not kept.
type line struct {
	text []byte
	long bool
}

type conn struct {
	*stdio
	lines     chan line // closed at the end of the input
	closed    chan struct{}
	closeOnce sync.Once
	queue     []jsonrpc.Message // of a batch, read and not passed on

	mu      sync.Mutex // guards out and what follows
	next    int64
	calls   map[int64]*call // open, by the id that the SDK knows
	batches bool            // the negotiated revision has batches
	greeted bool            // the SDK was sent an initialize
	implied bool            // it was ours: a client's own is still to come
	hello   []byte          // the result of ours
	once    bool            // something was answered
	changed chan struct{}   // a call was answered
}

// A call is a request that is not answered yet.
type call struct {
	id        []byte
	batch     *batch
	initial   bool // initialize
	silent    bool // it is ours: nobody waits for the answer
	version   string
	hello     bool // initialize after ours: the answer is made from that
	parked    bool // it ends when the client goes, not before
	cancelled bool
}

// A batch is an array of messages, answered by an array.
type batch struct {
	open    int
	answers [][]byte
}

// SessionID is for transports that have one.
func (c *conn) SessionID() string { return "" }

// Close is called by the SDK, several times.
func (c *conn) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// readLines reads the input until it ends. It may stay behind when the connection
// is closed: a read from a terminal cannot be ended.
func (c *conn) readLines() {
	defer close(c.lines)
	r := bufio.NewReaderSize(c.in, 1<<16)
	for {
		l, err := readLine(r)
		if len(bytes.TrimSpace(l.text)) > 0 || l.long {
			select {
			case c.lines <- l:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func readLine(r *bufio.Reader) (line, error) {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if len(l.text)+len(part) > maxLine+1 {
			l = line{long: true}
		} else if !l.long {
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l, err
		}
	}
}

// Read returns the next message for the SDK.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		if !c.wait(ctx, maxOpen) {
			return nil, io.EOF
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l, ok := <-c.lines:
			if !ok {
				c.wait(ctx, 1)
				return nil, io.EOF
			}
			c.take(l)
		}
	}
	m := c.queue[0]
	c.queue = c.queue[1:]
	return m, nil
}

// wait waits until fewer than n calls are open. It gives up when the context
// ends, the connection is closed, or nobody reads the output any more.
func (c *conn) wait(ctx context.Context, n int) bool {
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for c.open() >= n {
		select {
		case <-ctx.Done():
			return false
		case <-c.closed:
			return false
		case <-c.changed:
		case <-look.C:
			if hungUp(c.out) {
				return false
			}
		}
	}
	return true
}

func (c *conn) open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, call := range c.calls {
		if !call.parked {
			n++
		}
	}
	return n
}

// take turns a line into messages for the SDK, or answers it at once.
func (c *conn) take(l line) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("panic", "where", "line", "value", p, "stack", string(debug.Stack()))
			c.reply(nil, appendError(nil, nil, internalError, "internal error"))
		}
	}()
	if l.long {
		c.reply(nil, appendError(nil, nil, invalidRequest, "the line is longer than 8388608 bytes"))
		return
	}
	if bytes.TrimLeft(l.text, " \t\r\n")[0] == '[' {
		c.takeBatch(l.text)
		return
	}
	m, f := parse(l.text)
	c.pass(m, f, nil)
}

// takeBatch takes an array of messages, which some revisions of the protocol have.
func (c *conn) takeBatch(in []byte) {
	r := json.NewReader(in)
	var list [][]byte
	for range r.Array() {
		list = append(list, r.Raw())
	}
	err := r.End()
	c.mu.Lock()
	allowed := c.batches
	c.mu.Unlock()
	switch {
	case err != nil:
		c.reply(nil, appendError(nil, nil, parseError, err.Error()))
		return
	case !allowed:
		c.reply(nil, appendError(nil, nil, invalidRequest, "this revision of the protocol has no batches"))
		return
	case len(list) == 0 || len(list) > maxOpen:
		c.reply(nil, appendError(nil, nil, invalidRequest, "a batch has 1 to 256 messages"))
		return
	}
	b := &batch{open: 1} // held until all are passed on
	for _, in := range list {
		m, f := parse(in)
		c.pass(m, f, b)
	}
	c.reply(b, nil)
}

// pass hands a message on to the SDK, under an id of our own, or answers it.
func (c *conn) pass(m message, f *fault, b *batch) {
	if f == nil {
		f = m.prepare()
	}
	if f != nil {
		if b != nil {
			c.mu.Lock()
			b.open++
			c.mu.Unlock()
		}
		c.reply(b, f.answer())
		return
	}
	if m.method == "" {
		return // an answer to a request that we never made
	}
	c.greet(&m)
	req := &jsonrpc.Request{Method: m.method, Params: m.params}
	if m.id != nil {
		req.ID = c.begin(m, b)
	}
	if m.method == "notifications/cancelled" {
		c.cancel(req)
	}
	c.queue = append(c.queue, req)
}

// greet initializes the session where a client calls a tool before it does so
// itself: the first thing that people try is a single line. An initialize that comes
// later is answered in full, by way of a ping, since the SDK takes one only.
func (c *conn) greet(m *message) {
	switch {
	case m.method == "initialize" && m.id != nil && c.implied:
		c.implied = false
		m.method, m.params, m.hello = "ping", []byte("{}"), true
	case m.method == "initialize":
		c.greeted = true
	case !c.greeted && m.early():
		c.greeted, c.implied = true, true
		first := message{method: "initialize", params: initializeParams("")}
		c.queue = append(c.queue, &jsonrpc.Request{ID: c.begin(first, nil), Method: first.method, Params: first.params})
	}
}

func (c *conn) begin(m message, b *batch) jsonrpc.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	c.calls[c.next] = &call{
		id: m.id, batch: b, version: m.version, hello: m.hello,
		initial: m.method == "initialize", silent: m.id == nil, parked: m.method == "subscriptions/listen",
	}
	if b != nil {
		b.open++
	}
	id, _ := jsonrpc.MakeID(float64(c.next))
	return id
}

// cancel puts our id into a cancellation, and marks the call: it gets no answer.
func (c *conn) cancel(req *jsonrpc.Request) {
	v, err := json.Parse(req.Params)
	if err != nil {
		return
	}
	id := v.Member("requestId").String()
	c.mu.Lock()
	defer c.mu.Unlock()
	own := int64(0)
	for n, call := range c.calls {
		if spelt, err := json.Canonicalize(call.id); err == nil && string(spelt) == id && n > own && !call.initial {
			own = n
		}
	}
	if own != 0 {
		c.calls[own].cancelled = true
	}
	req.Params = append(json.AppendInt([]byte(`{"requestId":`), own), '}')
}

// Write is called by the SDK with the answer to a call.
func (c *conn) Write(_ context.Context, m jsonrpc.Message) error {
	resp, ok := m.(*jsonrpc.Response)
	if !ok {
		line, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.writeLine(line)
	}
	n, _ := resp.ID.Raw().(int64)
	c.mu.Lock()
	call := c.calls[n]
	delete(c.calls, n)
	result := resp.Result
	switch {
	case call == nil:
	case call.silent:
		c.hello = result
	case call.hello:
		result = helloTo(call.version, c.hello)
		c.negotiated(result)
	case call.initial:
		c.negotiated(result)
	}
	c.mu.Unlock()
	defer c.wake()
	if c.stuck() && bytes.Contains(result, []byte(`"`+string(abi.EngineStuck)+`: `)) {
		defer func() { _ = c.Close() }()
	}
	switch {
	case call == nil || call.silent:
		return nil
	case call.cancelled:
		return c.answer(call.batch, nil)
	case resp.Error != nil:
		code, text := wireError(resp.Error)
		var e *jsonrpc.Error
		if errors.As(resp.Error, &e) && len(e.Data) > 0 {
			return c.answer(call.batch, appendErrorData(call.id, code, text, e.Data))
		}
		return c.answer(call.batch, appendError(nil, call.id, code, text))
	}
	return c.answer(call.batch, appendResult(call.id, result))
}

// revisions are those with a handshake.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// helloTo returns the result of an initialize for the revision that is asked for;
// one that nobody knows is answered with the newest, as the SDK does.
func helloTo(version string, hello []byte) []byte {
	if !contains(revisions, version) {
		return hello
	}
	newest := `"protocolVersion":"` + revisions[len(revisions)-1] + `"`
	return bytes.Replace(hello, []byte(newest), []byte(`"protocolVersion":"`+version+`"`), 1)
}

// reply writes an answer that is ours. An output that takes none ends the
// connection, as it does for those of the SDK.
func (c *conn) reply(b *batch, answer []byte) {
	if err := c.answer(b, answer); err != nil {
		_ = c.Close()
	}
}

// negotiated notes what the revision of the protocol allows.
func (c *conn) negotiated(result []byte) {
	if v, err := json.Parse(result); err == nil {
		version := v.Member("protocolVersion").Text()
		c.batches = version == "2024-11-05" || version == "2025-03-26"
	}
}

// answer writes an answer, or keeps it until its batch is complete. A nil answer
// only counts.
func (c *conn) answer(b *batch, answer []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b == nil {
		if answer == nil {
			return nil
		}
		return c.writeLine(answer)
	}
	if answer != nil {
		b.answers = append(b.answers, answer)
	}
	if b.open--; b.open > 0 || len(b.answers) == 0 {
		return nil
	}
	return c.writeLine(append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']'))
}

func (c *conn) writeLine(line []byte) error {
	_, err := c.out.Write(append(line, '\n'))
	if !c.once {
		c.once = true
		c.answered()
	}
	return err
}

func (c *conn) wake() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}
