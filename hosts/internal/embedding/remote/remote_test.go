package remote

import (
	"bytes"
	"context"
	"encoding/json/jsontext"
	"encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/embedding"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

var _ embedding.Embedder = (*embedder)(nil)

// What no failure may repeat.
const (
	secretKey  = "sk-harbour-0a1b2c"
	secretText = "the pilot of the Antares is ill"
)

// each runs a test for both kinds, in a bubble whose time passes only where all wait for it.
func each(t *testing.T, f func(t *testing.T, kind Kind)) {
	for _, kind := range []Kind{Ollama, OpenAI} {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, kind) })
		})
	}
}

// options of a kind, with three dimensions, so that opening asks nothing.
func options(kind Kind) Options {
	return Options{Kind: kind, Model: "tide", Address: "http://embedder.example/v1", Dimensions: 3}
}

// opened returns an Embedder whose connections all lead to a handler.
func opened(t *testing.T, o Options, handler http.HandlerFunc) *embedder {
	t.Helper()
	server := httptest.NewTestServer(t, handler)
	e, err := open(t.Context(), o, server.Client().Transport.(*http.Transport).DialContext)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

// body returns what a request asks.
func body(r *http.Request) (q struct {
	Model      string
	Input      []string
	Dimensions int
}) {
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &q, json.MatchCaseInsensitiveNames(true))
	}
	if err != nil {
		panic(err)
	}
	return q
}

// answer writes vectors as a server of a kind does, those of OpenAI's kind the last one first.
func answer(w io.Writer, kind Kind, vectors ...string) {
	if kind == Ollama {
		_, _ = fmt.Fprintf(w, `{"model":"tide","embeddings":[%s],"total_duration":1}`, strings.Join(vectors, ","))
		return
	}
	var data []string
	for i, v := range vectors {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	slices.Reverse(data)
	_, _ = fmt.Fprintf(w, `{"object":"list","data":[%s],"usage":{"total_tokens":1}}`, strings.Join(data, ","))
}

// lengths is a server whose vectors tell texts apart by their lengths.
func lengths(kind Kind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var vectors []string
		for _, text := range body(r).Input {
			vectors = append(vectors, fmt.Sprintf("[%d,-127,0]", len(text)))
		}
		answer(w, kind, vectors...)
	}
}

func codeOf(err error) abi.Code {
	var e *abi.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestRequest(t *testing.T) {
	want := map[Kind]string{
		Ollama: `POST /v1/api/embed {"model":"tide","input":["passage: fog","passage: <tide>"],"truncate":false,"dimensions":3}`,
		OpenAI: `POST /v1/embeddings {"model":"tide","input":["passage: fog","passage: <tide>"],"dimensions":3,"encoding_format":"float"}`,
	}
	each(t, func(t *testing.T, kind Kind) {
		t.Setenv("EMBEDDER_KEY", secretKey+"\n")
		o := options(kind)
		o.DocumentPrefix, o.QueryPrefix = "passage: ", "query: "
		o.KeyVariable, o.PlainKey = "EMBEDDER_KEY", true
		var got, key, contentType string
		e := opened(t, o, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			got = fmt.Sprintf("%s %s %s", r.Method, r.URL, raw)
			key, contentType = r.Header.Get("Authorization"), r.Header.Get("Content-Type")
			r.Body = io.NopCloser(bytes.NewReader(raw))
			lengths(kind)(w, r)
		})
		vectors, err := e.Embed(t.Context(), false, "fog", "<tide>")
		if err != nil {
			t.Fatal(err)
		}
		if got != want[kind] || key != "Bearer "+secretKey || contentType != "application/json" {
			t.Errorf("the request is %s, %q, %q", got, key, contentType)
		}
		if !slices.EqualFunc(vectors, [][]int8{{12, -127, 0}, {15, -127, 0}}, slices.Equal) {
			t.Errorf("vectors %v", vectors)
		}
		if _, err := e.Embed(t.Context(), true, "fog"); err != nil || !strings.Contains(got, `["query: fog"]`) {
			t.Errorf("the query is %s, %v", got, err)
		}
	})
}

// Batches are bounded by count and by bytes, and the vectors come in the order of the texts.
func TestBatches(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		o := options(kind)
		o.BatchTexts, o.BatchBytes, o.Concurrent = 3, 10, 2
		var mu sync.Mutex
		var batches []string
		e := opened(t, o, func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(raw))
			q := *r
			q.Body = io.NopCloser(bytes.NewReader(raw))
			mu.Lock()
			batches = append(batches, strings.Join(body(&q).Input, "|"))
			mu.Unlock()
			lengths(kind)(w, r)
		})
		texts := []string{"a", "bb", "", "ccc", "dddd", "eeeee", "ffffff", "ggggggggggggg", "h"}
		vectors, err := e.Embed(t.Context(), false, texts...)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			want := []int8{int8(len(text)), -127, 0}
			if text == "" {
				want = []int8{0, 0, 0}
			}
			if !slices.Equal(vectors[i], want) {
				t.Errorf("the vector of %q is %v", text, vectors[i])
			}
		}
		slices.Sort(batches)
		if want := []string{"a|bb|ccc", "dddd|eeeee", "ffffff", "ggggggggggggg", "h"}; !slices.Equal(batches, want) {
			t.Errorf("batches %q", batches)
		}
		if vectors, err := e.Embed(t.Context(), false); len(vectors) > 0 || err != nil {
			t.Errorf("no texts: %v, %v", vectors, err)
		}
	})
}

// No more requests are under way than Concurrent, calls of several goroutines together.
func TestConcurrent(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		o := options(kind)
		o.BatchTexts, o.Concurrent = 1, 3
		var now, most atomic.Int64
		release := make(chan struct{})
		e := opened(t, o, func(w http.ResponseWriter, r *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			<-release
			now.Add(-1)
			lengths(kind)(w, r)
		})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := e.Embed(t.Context(), false, "a", "b", "c", "d"); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if now.Load() != 3 {
			t.Errorf("%d requests are under way", now.Load())
		}
		close(release)
		wg.Wait()
		if most.Load() > 3 {
			t.Errorf("%d requests were under way", most.Load())
		}
	})
}

// Opening learns the dimensions by one text, or is told them and asks nothing.
func TestDimensions(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		o := options(kind)
		o.DocumentPrefix = "passage: "
		var inputs []string
		var asked []int
		dimensions := 3
		handler := func(w http.ResponseWriter, r *http.Request) {
			q := body(r)
			inputs, asked = append(inputs, q.Input...), append(asked, q.Dimensions)
			answer(w, kind, "[1"+strings.Repeat(",2", dimensions-1)+"]")
		}
		told := opened(t, o, handler)
		if len(inputs) > 0 || told.Dimensions() != 3 || !told.External() {
			t.Errorf("asked for %q, dimensions %d", inputs, told.Dimensions())
		}
		o.Dimensions = 0
		learnt := opened(t, o, handler)
		if learnt.Dimensions() != 3 || !slices.Equal(inputs, []string{"passage: dimensions"}) || !slices.Equal(asked, []int{0}) {
			t.Errorf("asked for %q, %v, dimensions %d", inputs, asked, learnt.Dimensions())
		}
		if told.Model() != learnt.Model() {
			t.Errorf("models %s, %s", told.Model(), learnt.Model())
		}
		dimensions = 4
		if _, err := learnt.Embed(t.Context(), false, "fog"); codeOf(err) != abi.EmbedderMismatch || !strings.Contains(err.Error(), "4 components, where 3") {
			t.Errorf("another number of dimensions: %v", err)
		}
	})
}

// A model's name is all that makes its vectors, and not where they are made.
func TestModel(t *testing.T) {
	base := options(Ollama)
	if got, want := base.digest(3), "sha256:972178405830b8908237e3ec3837aa3189bff84a246472d10917bca148cf2a5d"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	seen := map[string]string{}
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		same   bool
	}{
		{"nothing", func(*Options) {}, true},
		{"address", func(o *Options) { o.Address = "https://elsewhere.example/v1" }, true},
		{"times", func(o *Options) { o.Patience, o.Attempts, o.BatchTexts = time.Hour, 2, 7 }, true},
		{"kind", func(o *Options) { o.Kind = OpenAI }, false},
		{"model", func(o *Options) { o.Model = "tide2" }, false},
		{"dimensions", func(o *Options) { o.Dimensions = 4 }, false},
		{"prefix of documents", func(o *Options) { o.DocumentPrefix = "p" }, false},
		{"prefix of queries", func(o *Options) { o.QueryPrefix = "p" }, false},
	} {
		o := base
		tt.change(&o)
		got := o.digest(o.Dimensions)
		if same := got == base.digest(3); same != tt.same {
			t.Errorf("%s: the same: %v", tt.name, same)
		}
		if before, ok := seen[got]; ok && !tt.same {
			t.Errorf("%s and %s have the same digest", tt.name, before)
		}
		seen[got] = tt.name
	}
}

func TestFailures(t *testing.T) {
	status := func(status int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			dump, _ := httputil.DumpRequest(r, true) // as some servers do in their words for people
			_, _ = w.Write(dump)
		}
	}
	raw := func(reply func(request string) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			dump, _ := httputil.DumpRequest(r, true)
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			_, _ = io.WriteString(conn, reply(string(dump)))
			_ = conn.Close()
		}
	}
	silent := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-r.Context().Done()
	}
	const wrong, denied, failed = abi.EmbedderMismatch, abi.EmbedderRefused, abi.EmbedderFailed
	for _, tt := range []struct {
		name     string
		handler  http.HandlerFunc
		code     abi.Code
		says     string
		attempts int
		least    time.Duration // that passes
		most     time.Duration
	}{
		// Half a second, one, two and four are waited between five attempts, and of each half at least.
		{"500", status(500), failed, "answers 500; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"502", status(502), failed, "answers 502; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"503, come back in 20 s", status(503, "Retry-After", "20"), failed, "attempts: 5", 5, 80 * time.Second, 80 * time.Second},
		{"429", status(429), failed, "answers 429; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"429, come back in an hour", status(429, "Retry-After", "3600"), failed, "attempts: 1, the next one after 1h0m0s would be out of the patience of 5m0s", 1, 0, 0},
		{"429, come back in 100 s", status(429, "Retry-After", "100"), failed, "attempts: 3, ", 3, 200 * time.Second, 200 * time.Second},
		{"429, come back at a time", status(429, "Retry-After", "Sat, 01 Jan 2000 00:01:00 GMT"), failed, "attempts: 5", 5, 60 * time.Second, 70 * time.Second},
		{"429, come back sometime", status(429, "Retry-After", "soon"), failed, "attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"429, come back never", status(429, "Retry-After", "99999999999999999999"), failed, "attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"no answer", silent, failed, "does not answer in time; attempts: 3, ", 3, 4 * time.Minute, 5 * time.Minute},
		{"no answer's end", func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			silent(w, r)
		}, failed, "does not answer in time", 3, 4 * time.Minute, 5 * time.Minute},
		{"a connection that ends", raw(func(string) string { return "" }), failed, "broke; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"half an answer", raw(func(string) string { return "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{" }), failed, "broke; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"no HTTP", raw(func(q string) string { return q }), failed, "broke; attempts: 5", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"a wrong header", raw(func(string) string { return "HTTP/1.1 200 OK\r\n" + secretKey + " " + secretText + "\r\n\r\n" }), failed, "broke", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"a header without end", status(200, "X-Long", strings.Repeat("x", 1<<20)), failed, "broke", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},
		{"a wrong length", raw(func(string) string { return "HTTP/1.1 200 OK\r\nContent-Length: " + secretKey + "\r\n\r\n" }), failed, "broke", 5, 3750 * time.Millisecond, 7500 * time.Millisecond},

		{"400", status(400), denied, "answers 400: 2 texts, 31 bytes at most; they may be too many, or one too long for the model, or the model cannot give 3 dimensions", 1, 0, 0},
		{"401", status(401), denied, "answers 401: it does not take the key", 1, 0, 0},
		{"403", status(403), denied, "answers 403: it does not take the key", 1, 0, 0},
		{"404", status(404), denied, `does not know the model "tide", or /v1/`, 1, 0, 0},
		{"408", status(408), denied, "answers 408", 1, 0, 0},
		{"413", status(413), denied, "too many", 1, 0, 0},
		{"422", status(422), denied, "too many", 1, 0, 0},
		{"418", status(418), denied, "answers 418", 1, 0, 0},
		{"204", status(204), denied, "answers 204", 1, 0, 0},
		{"a redirect to another host", status(307, "Location", "http://elsewhere.example/"+secretKey), denied, "answers 307, a redirect, which is not followed", 1, 0, 0},
		{"a redirect to another path", status(308, "Location", "/v2/embeddings"), denied, "answers 308, a redirect", 1, 0, 0},
		{"a redirect that becomes GET", status(302, "Location", "/v2/embeddings"), denied, "answers 302, a redirect", 1, 0, 0},
		{"a redirect to a file", status(301, "Location", "file:///etc/passwd"), denied, "answers 301, a redirect", 1, 0, 0},

		{"no JSON", status(200), wrong, "no JSON at byte 0", 1, 0, 0},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<16)); err != nil {
					return
				}
			}
		}, wrong, "an answer of more than 1048960 bytes", 1, 0, 0},
		{"a text as a member", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"%s":{"%s":NaN}}`, secretText, secretKey)
		}, wrong, "no JSON at byte", 1, 0, 0},
		{"a text as a number", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"data":"%s","embeddings":"%s"}`, secretText, secretKey)
		}, wrong, "none of its kind at byte", 1, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, kind Kind) {
				t.Setenv("EMBEDDER_KEY", secretKey)
				o := options(kind)
				o.KeyVariable, o.PlainKey = "EMBEDDER_KEY", true
				var attempts atomic.Int64
				e := opened(t, o, func(w http.ResponseWriter, r *http.Request) {
					attempts.Add(1)
					tt.handler(w, r)
				})
				start := time.Now()
				vectors, err := e.Embed(t.Context(), false, secretText, "fog")
				took := time.Since(start)
				if vectors != nil || codeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "embedder.example") {
					t.Errorf("vectors %v, error %v", vectors, err)
				}
				if int(attempts.Load()) != tt.attempts || took < tt.least || took > tt.most {
					t.Errorf("%d attempts in %s", attempts.Load(), took)
				}
				leaks(t, err)
			})
		})
	}
}

// leaks fails where an error, or one behind it, holds what it may not.
func leaks(t *testing.T, err error) {
	t.Helper()
	for _, shown := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
		for _, secret := range []string{secretKey, secretText, "Antares"} {
			if strings.Contains(shown, secret) {
				t.Errorf("the error holds %q: %s", secret, shown)
			}
		}
	}
}

// A connection that is not there: no server is needed to fail.
func TestUnreachable(t *testing.T) {
	for _, tt := range []struct {
		name     string
		dial     dialer
		says     string
		attempts int
	}{
		{"nothing listens", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}, "nothing listens at embedder.example, the address of the embedder; attempts: 5", 5},
		{"no such host", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Name: "embedder.example", IsNotFound: true}
		}, "there is no host of the name in embedder.example", 1},
		{"names are not answered", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.DNSError{Name: "embedder.example", IsTimeout: true}
		}, "does not answer in time; attempts: 5", 5},
		{"no connection in time", func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, "does not answer in time; attempts: 5", 5},
		{"reset", func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNRESET}
		}, "broke; attempts: 5", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attempts := 0
				o := options(OpenAI)
				o.Dimensions = 0
				start := time.Now()
				_, err := open(t.Context(), o, func(ctx context.Context, network, address string) (net.Conn, error) {
					attempts++
					return tt.dial(ctx, network, address)
				})
				if codeOf(err) != abi.EmbedderFailed || !strings.Contains(err.Error(), tt.says) || attempts != tt.attempts {
					t.Errorf("%d attempts: %v", attempts, err)
				}
				if took := time.Since(start); took > 58*time.Second { // five connections of 10 s, and the waits
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

// A certificate that nobody trusts is refused, and not tried again.
func TestCertificate(t *testing.T) {
	asked := false
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	o := options(OpenAI)
	o.Address, o.Dimensions = server.URL, 0
	_, err := Open(t.Context(), o)
	if codeOf(err) != abi.EmbedderFailed || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "attempts") || asked {
		t.Errorf("%v", err)
	}
}

// What fails for a while is asked again, and the answer is whole.
func TestRecovers(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		attempts := 0
		e := opened(t, options(kind), func(w http.ResponseWriter, r *http.Request) {
			attempts++
			switch attempts {
			case 1:
				w.WriteHeader(http.StatusServiceUnavailable)
			case 2:
				w.Header().Set("Retry-After", "7")
				w.WriteHeader(http.StatusTooManyRequests)
			case 3:
				panic(http.ErrAbortHandler)
			default:
				lengths(kind)(w, r)
			}
		})
		start := time.Now()
		vectors, err := e.Embed(t.Context(), true, "fog")
		took := time.Since(start)
		if err != nil || attempts != 4 || !slices.Equal(vectors[0], []int8{3, -127, 0}) {
			t.Errorf("%d attempts: %v, %v", attempts, vectors, err)
		}
		if took < 8250*time.Millisecond || took > 9500*time.Millisecond { // ¼ to ½ s, 7 s, 1 to 2 s
			t.Errorf("it took %s", took)
		}
	})
}

// The first batch that fails ends the others.
func TestFirstFailureEnds(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		o := options(kind)
		o.BatchTexts = 1
		var requests atomic.Int64
		first := make(chan struct{})
		e := opened(t, o, func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			if body(r).Input[0] == "a" {
				close(first)
				<-r.Context().Done()
				return
			}
			<-first
			w.WriteHeader(http.StatusBadRequest)
		})
		start := time.Now()
		_, err := e.Embed(t.Context(), false, "a", "b", "c", "d")
		if codeOf(err) != abi.EmbedderRefused || requests.Load() != 2 || time.Since(start) > 0 {
			t.Errorf("%d requests, %s: %v", requests.Load(), time.Since(start), err)
		}
	})
}

// A caller that goes away is let go at once, wherever its call is.
func TestCancel(t *testing.T) {
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"in a request", func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			<-r.Context().Done()
		}},
		{"in an answer", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}},
		{"between attempts", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusServiceUnavailable)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			each(t, func(t *testing.T, kind Kind) {
				o := options(kind)
				o.BatchTexts = 1
				e := opened(t, o, tt.handler)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() {
					_, err := e.Embed(ctx, false, "a", "b", "c", "d", "e")
					done <- err
				}()
				synctest.Wait()
				start := time.Now()
				cancel()
				if err := <-done; codeOf(err) != abi.Cancelled || !errors.Is(err, context.Canceled) || time.Since(start) > 0 {
					t.Errorf("%s: %v", time.Since(start), err)
				}
			})
		})
	}
}

// Vectors that were packed on their way are unpacked within the same bound.
func TestPackedAnswer(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		e := opened(t, options(kind), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(zeros)
		})
		if _, err := e.Embed(t.Context(), false, "fog"); codeOf(err) != abi.EmbedderMismatch || !strings.Contains(err.Error(), "more than") {
			t.Error(err)
		}
	})
}

// A key that a server has no use for is not asked for, and one that is missing is said.
func TestKeyIsMissing(t *testing.T) {
	each(t, func(t *testing.T, kind Kind) {
		e := opened(t, options(kind), func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				t.Error("there is no key to send")
			}
			w.WriteHeader(http.StatusUnauthorized)
		})
		if _, err := e.Embed(t.Context(), false, "fog"); !strings.Contains(fmt.Sprint(err), "none is configured") {
			t.Error(err)
		}
	})
}

// Texts go straight unless the settings say that the environment decides.
func TestProxy(t *testing.T) {
	for _, proxied := range []bool{false, true} {
		o := options(OpenAI)
		o.EnvironmentProxy = proxied
		if got := newClient(&o, nil).Transport.(*http.Transport).Proxy != nil; got != proxied {
			t.Errorf("environmentProxy %v: the environment decides: %v", proxied, got)
		}
	}
}

// What is sent is JSON whatever the texts are.
func TestRequestBody(t *testing.T) {
	for _, kind := range []Kind{Ollama, OpenAI} {
		o := options(kind)
		raw := requestBody(&o, []string{"\"\\\x00\u2028😀", "bad \xff byte"})
		if !jsontext.Value(raw).IsValid() {
			t.Errorf("%s: %q", kind, raw)
		}
	}
}
