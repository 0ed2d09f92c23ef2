package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/internal/config"
	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/hosts/mcp"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type mcpVerb struct {
	corpus
	limits
}

func (mcpVerb) Help() string {
	return `Serves one client on stdin and stdout, one JSON-RPC message a line, until stdin ends. stderr is a log of JSON lines. The corpus file is read again when it changes.

	rookhaven mcp --corpus docs.jsonl
	rookhaven install --client claude-desktop --corpus docs.jsonl
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize"}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"tide windows"}}}' | rookhaven mcp --corpus docs.jsonl`
}

// leave is how long the end of a server may take.
const leave = 500 * time.Millisecond

func (v *mcpVerb) Run(r *run) error {
	c, err := r.config(v.corpus.given(), v.limits.given())
	if err != nil {
		return err
	}
	log := logging.JSON(r.Stderr, c.LogLevel)
	start := time.Now()
	file, err := corpusOf(c, log)
	if err != nil {
		return err
	}
	s := service.New(c, log, file)
	ctx, stop := context.WithCancel(r.ctx)
	defer stop()
	s.EndWith(ctx)
	s.Watch(ctx)
	log.Info("started", "version", r.Version, "product", "retrieval", "corpus", c.CorpusPath, "documents", len(file.Documents), "bytes", file.Bytes, "read_ms", time.Since(start).Milliseconds())
	out := r.protocol()
	err = (&mcp.Server{Service: s, Log: log, Version: r.Version}).Serve(ctx, r.Stdin, out)
	if service.Code(err) == abi.EngineStuck {
		log.Error("ended", logging.Failure(err)) // at once: see [mcp.Server.Serve]
		return exit(abi.Info(abi.EngineStuck).Exit)
	}
	end, done := context.WithTimeout(context.WithoutCancel(ctx), leave)
	defer done()
	s.Close(end)
	if err != nil && !errors.Is(err, context.Canceled) {
		log.Warn("connection_broken", "reason", err.Error())
	}
	log.Info("ended")
	return nil
}

// protocol returns the stream for the protocol. What else in this process prints
// to os.Stdout goes to stderr from here on. A client that goes away is an error of
// a write and no signal, so that the server ends in order.
func (r *run) protocol() io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	if r.Stdout == os.Stdout {
		os.Stdout = os.Stderr
	}
	return r.Stdout
}

func corpusOf(c *config.Config, log *slog.Logger) (*corpusfile.File, error) {
	if c.CorpusPath == "" {
		log.Warn("corpus_unset", "remedy", "give --corpus FILE or set ROOKHAVEN_CORPUS_PATH; every query answers no hits now")
		return corpusfile.Empty(), nil
	}
	return corpusfile.Read(c.CorpusPath, c.MaxCorpusDocs)
}

// fatal logs why the server does not start.
func fatal(log *slog.Logger, err error) exit {
	info := abi.Info(service.Code(err))
	log.Error("not_started", logging.Failure(err), "remedy", info.Remedy)
	return exit(info.Exit)
}
