// Package mcp is the door for agents: the Model Context Protocol over a pair of
// streams, one message a line, with the tools retrieve and replay.
//
// Handlers only translate. A result's structuredContent is the engine's reply;
// its text block holds the same reply as canonical JSON, whose decoded string is
// the exact bytes that digest and replay are about. A known tool with bad
// arguments, or one that fails, answers isError with "CODE: sentence"; protocol
// errors are for what is no call of a known tool: see TestR25Protocol.
//
// initialize is answered before the engine is compiled; the first call waits. At
// the end of the input, what runs is finished and answered, then Serve returns.
package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
	"github.com/rookhaven-project/rookhaven/hosts/internal/service"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A Server is what a connection needs.
type Server struct {
	Service *service.Service
	Log     *slog.Logger
	Version string

	stuck atomic.Bool
}

// Serve answers the messages of one client until its input ends. It also ends after
// the answer ENGINE_STUCK, with that failure: what runs on in the engine never
// returns to Go, whose collector would wait for it, and everything for that.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	server := sdk.NewServer(&sdk.Implementation{Name: "rookhaven", Title: "Rookhaven retrieval", Version: s.Version}, &sdk.ServerOptions{
		Instructions: s.instructions(),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		SetCacheable: cacheable,
		Logger:       slog.New(slog.DiscardHandler), // it tells what we log ourselves, with less to go by
	})
	server.AddTool(retrieveTool(s.Service.Config()), s.tool(s.retrieve))
	server.AddTool(replayTool, s.tool(s.replay))
	server.AddReceivingMiddleware(s.guard)
	err := server.Run(ctx, &stdio{in: in, out: out, log: s.Log, answered: s.Service.Warm, stuck: s.stuck.Load})
	if s.stuck.Load() {
		return abi.Errorf(abi.EngineStuck, "the engine runs on and cannot be ended: its process ends")
	}
	return err
}

// instructions tell a model what there is to find.
func (s *Server) instructions() string {
	return fmt.Sprintf("Passages from a corpus of %d documents. Ask retrieve for everything a task needs in one query: "+
		"it is split at connectors into needs, each with a share of the recall budget. "+
		"Every result can be proved later: hand it to replay.", s.Service.Documents())
}

// cacheable lets clients keep the lists, which never change while a server runs.
func cacheable(_ context.Context, _ sdk.Request, c *sdk.Cacheable) {
	c.TTLMs = int(time.Hour.Milliseconds())
	c.CacheScope = "public"
}

// tool turns a function from arguments to the bytes of a result into a handler.
func (s *Server) tool(f func(ctx context.Context, arguments []byte) ([]byte, error)) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (result *sdk.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.Log.Error("panic", "where", req.Params.Name, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
				result = failure(abi.Errorf(abi.Internal, "the tool %s panicked", req.Params.Name))
			}
		}()
		reply, err := []byte(nil), provoke(req.Params.Arguments)
		if err == nil {
			reply, err = f(ctx, req.Params.Arguments)
		}
		if err != nil {
			s.told(req.Params.Name, err)
			return failure(err), nil
		}
		return success(reply), nil
	}
}

// told logs a failure: loudly where it is the host's, not the caller's.
func (s *Server) told(tool string, err error) {
	if service.Code(err) == abi.EngineStuck {
		s.stuck.Store(true)
	}
	level := slog.LevelDebug
	if abi.Info(service.Code(err)).HTTP >= 500 {
		level = slog.LevelError
	}
	s.Log.Log(context.Background(), level, "call_failed", "tool", tool, logging.Failure(err))
}

// guard answers a panic outside of the tools.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (result sdk.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				s.Log.Error("panic", "where", method, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
				result, err = nil, errInternal
			}
		}()
		return next(ctx, method, req)
	}
}
