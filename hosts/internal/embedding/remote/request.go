package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// newClient returns a client that goes where it is told and nowhere else. Certificates are
// verified: there is no option for it.
func newClient(o *Options, dial dialer) *http.Client {
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, cancel := context.WithTimeout(ctx, o.ConnectTimeout)
			defer cancel()
			return dial(ctx, network, address)
		},
		TLSHandshakeTimeout:    o.ConnectTimeout,
		MaxIdleConnsPerHost:    o.Concurrent,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
	}
	if o.EnvironmentProxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// A failure is an attempt that gave no vectors.
type failure struct {
	code     abi.Code
	sentence string
	again    bool          // whether another attempt may do better
	after    time.Duration // how long the server wants to be left alone
}

// ask returns the vectors of the texts of one request, which it sends again where that may help.
func (e *embedder) ask(ctx context.Context, texts []string) ([][]int8, error) {
	body := requestBody(&e.Options, texts)
	deadline := time.Now().Add(e.Patience)
	for attempt := 1; ; attempt++ {
		vectors, failed := e.attempt(ctx, deadline, body, texts)
		if failed == nil {
			return vectors, nil
		}
		wait := max(backoff(attempt), failed.after)
		switch {
		case ctx.Err() != nil:
			return nil, runner.Cancelled(ctx)
		case !failed.again:
			return nil, abi.Errorf(failed.code, "%s", failed.sentence)
		case attempt == e.Attempts:
			return nil, abi.Errorf(failed.code, "%s; attempts: %d", failed.sentence, attempt)
		case time.Until(deadline) <= wait:
			return nil, abi.Errorf(failed.code, "%s; attempts: %d, the next one after %s would be out of the patience of %s",
				failed.sentence, attempt, wait.Round(time.Millisecond).String(), e.Patience.String())
		}
		if !sleep(ctx, wait) {
			return nil, runner.Cancelled(ctx)
		}
	}
}

// The bounds of what is waited before an attempt, unless the server wants more.
const (
	leastWait = 500 * time.Millisecond
	mostWait  = 30 * time.Second
)

// backoff returns how long to wait after an attempt. Half of it is chance, so that those who
// failed together do not come back together.
func backoff(attempt int) time.Duration {
	wait := mostWait
	if attempt < 8 { // from there on leastWait doubled is beyond mostWait
		wait = min(leastWait<<(attempt-1), mostWait)
	}
	return wait/2 + rand.N(wait/2)
}

// sleep reports whether it could sleep through.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// attempt sends a request once.
func (e *embedder) attempt(ctx context.Context, deadline time.Time, body []byte, texts []string) ([][]int8, *failure) {
	if end := time.Now().Add(e.RequestTimeout); end.Before(deadline) {
		deadline = end
	}
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url.String(), bytes.NewReader(body))
	if err != nil {
		panic("remote: BUG: the address was settled")
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "rookhaven")
	if e.key != "" {
		q.Header.Set("Authorization", "Bearer "+e.key)
	}
	reply, err := e.client.Do(q)
	if err != nil {
		return nil, e.broken(err)
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.StatusCode != http.StatusOK {
		return nil, e.status(reply, texts)
	}
	most := e.mostAnswer(len(texts))
	answer, err := io.ReadAll(io.LimitReader(reply.Body, most+1))
	if err != nil {
		return nil, e.broken(err)
	}
	if int64(len(answer)) > most {
		return nil, e.mismatch(fmt.Sprintf("an answer of more than %d bytes", most))
	}
	vectors, what := readAnswer(e.Kind, answer, len(texts), e.dimensions)
	if what != "" {
		return nil, e.mismatch(what)
	}
	return vectors, nil
}

// mostAnswer returns how many bytes an answer may have, unpacked: 64 for a number, on a line
// of its own and with all its digits, and a megabyte for what is around them.
func (e *embedder) mostAnswer(texts int) int64 {
	dimensions := e.dimensions
	if dimensions == 0 {
		dimensions = abi.MaxDimensions
	}
	return int64(texts)*int64(dimensions)*64 + 1<<20
}

func (e *embedder) mismatch(what string) *failure {
	return &failure{code: abi.EmbedderMismatch, sentence: fmt.Sprintf("the embedder at %s gives %s", e.url.Host, what)}
}

// broken says what became of a connection. The error's own words stay here: they may repeat
// what the server sent.
func (e *embedder) broken(err error) *failure {
	f := &failure{code: abi.EmbedderFailed, again: true}
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	var slow net.Error
	what := "the connection to the embedder at %s broke"
	switch {
	case errors.As(err, &certificate):
		what, f.again = "the certificate of the embedder at %s is none that this machine trusts for that name", false
	case errors.As(err, &name) && name.IsNotFound:
		what, f.again = "there is no host of the name in %s, the address of the embedder", false
	case errors.Is(err, syscall.ECONNREFUSED):
		what = "nothing listens at %s, the address of the embedder"
	case errors.As(err, &slow) && slow.Timeout():
		what = "the embedder at %s does not answer in time"
	}
	f.sentence = fmt.Sprintf(what, e.url.Host)
	return f
}

// status says what a status other than 200 means.
func (e *embedder) status(reply *http.Response, texts []string) *failure {
	f := &failure{code: abi.EmbedderRefused}
	var why string
	switch status := reply.StatusCode; {
	case status == http.StatusTooManyRequests || status >= 500:
		f.code, f.again, f.after = abi.EmbedderFailed, true, retryAfter(reply.Header.Get("Retry-After"), time.Now())
	case status/100 == 3:
		why = ", a redirect, which is not followed: give the address that it leads to"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		why = ": it takes no request without a key, and none is configured"
		if e.key != "" {
			why = ": it does not take the key"
		}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		why = fmt.Sprintf(": it does not know the model %q, or %s is not its address", e.Options.Model, e.url.EscapedPath())
	case status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity:
		why = fmt.Sprintf(": %d texts, %d bytes at most; they may be too many, or one too long for the model", len(texts), longest(texts))
		if e.Options.Dimensions > 0 {
			why += fmt.Sprintf(", or the model cannot give %d dimensions", e.Options.Dimensions)
		}
	}
	f.sentence = fmt.Sprintf("the embedder at %s answers %d%s", e.url.Host, reply.StatusCode, why)
	return f
}

func longest(texts []string) int {
	most := 0
	for _, t := range texts {
		most = max(most, len(t))
	}
	return most
}

// retryAfter reads the header: seconds, or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
