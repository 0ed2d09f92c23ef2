package adapters

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// patience is how long a page may take for its cases.
const patience = 5 * time.Minute

func chromium(ctx context.Context, e *Env) (Session, error) {
	program, err := look("Chromium", "chromium", "chromium-browser", "google-chrome")
	if err != nil {
		return nil, err
	}
	return page(ctx, e, func(profile, url string) *exec.Cmd {
		args := []string{"--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile}
		if os.Getuid() == 0 {
			args = append(args, "--no-sandbox") // Chromium refuses to run as root otherwise
		}
		return exec.CommandContext(ctx, program, append(args, url)...)
	}), nil
}

func firefox(ctx context.Context, e *Env) (Session, error) {
	program, err := look("Firefox", "firefox-esr", "firefox")
	if err != nil {
		return nil, err
	}
	return page(ctx, e, func(profile, url string) *exec.Cmd {
		return exec.CommandContext(ctx, program, "--headless", "--no-remote", "--profile", profile, url)
	}), nil
}

// page returns a session that opens a page for each run. The page is served on
// the loopback interface to this browser and closed with it.
func page(ctx context.Context, e *Env, command func(profile, url string) *exec.Cmd) Session {
	return batch(func(cases []byte) (*bufio.Reader, error) {
		s := &site{e: e, cases: cases, answer: make(chan []byte, 1), trouble: make(chan string, 1)}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		server := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
		go func() { _ = server.Serve(listener) }()
		defer func() { _ = server.Close() }()
		profile, err := os.MkdirTemp(e.Cache, "profile-*")
		if err != nil {
			return nil, err
		}
		cmd := command(profile, "http://"+listener.Addr().String()+"/conformance/adapters/js/page.html")
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		cmd.Env = append(os.Environ(), "HOME="+profile)
		group(cmd)
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		defer func() {
			end(cmd)
			_ = cmd.Wait()
			os.RemoveAll(profile)
		}()
		select {
		case results := <-s.answer:
			return bufio.NewReader(bytes.NewReader(results)), nil
		case trouble := <-s.trouble:
			return nil, fmt.Errorf("the page failed: %s", trouble)
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(patience):
			return nil, fmt.Errorf("no results within %s; the browser said:\n%.3000s", patience, said.String())
		}
	})
}

// A site serves the page, what it imports, the engine and the cases, and takes the
// results.
type site struct {
	e       *Env
	cases   []byte
	answer  chan []byte
	trouble chan string
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/engine.wasm":
		w.Header().Set("Content-Type", "application/wasm")
		_, _ = w.Write(s.e.Wasm)
	case "/cases":
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(s.cases)
	case "/results", "/trouble":
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if r.URL.Path == "/results" {
			s.answer <- body
		} else {
			s.trouble <- string(body)
		}
	default:
		s.file(w, r)
	}
}

// file serves what lies in the two folders of scripts.
func (s *site) file(w http.ResponseWriter, r *http.Request) {
	path, err := url.PathUnescape(r.URL.EscapedPath())
	dir, name := filepath.Split(path)
	if err != nil || dir != "/js/src/" && dir != "/conformance/adapters/js/" {
		http.NotFound(w, r)
		return
	}
	types := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript"}
	data, err := os.ReadFile(filepath.Join(s.e.Root, dir, name))
	if errors.Is(err, os.ErrNotExist) || types[filepath.Ext(name)] == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", types[filepath.Ext(name)])
	_, _ = w.Write(data)
}
