package service

import (
	"context"
	"errors"

	"github.com/rookhaven-project/rookhaven/hosts/runner/pool"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

// Replay compares a stored reply with what its engine answers now, over the
// corpus of now, and returns the bytes of a ReplayReply.
//
// The engine is found by the digest that the reply names: the built-in one, a
// released one, one kept in the data folder, or offered, a file that the caller
// gives (nil: none). Where there is none, the built-in engine judges: a reply
// that was altered is a MISMATCH, any other is UNVERIFIABLE.
func (s *Service) Replay(ctx context.Context, stored, offered []byte) ([]byte, error) {
	named, corpus := names(stored)
	wasm := s.find(named, offered)
	replay := s.replayHere
	if wasm != nil {
		replay = func(ctx context.Context, stored, leaves []byte) ([]byte, error) {
			return s.replayWith(ctx, wasm, stored, leaves)
		}
	}
	leaves := s.keeper.leaves(corpus)
	reply, err := replay(ctx, stored, leaves)
	if leaves != nil && err != nil && ctx.Err() == nil {
		// The file of the leaves may not be what the engine wrote. They only help.
		reply, err = replay(ctx, stored, nil)
	}
	if err == nil && offered != nil && artifact.Digest(offered) != named {
		err = refused(reply, named, offered)
	}
	return reply, err
}

// replayHere replays in the built-in engine.
func (s *Service) replayHere(ctx context.Context, stored, leaves []byte) ([]byte, error) {
	corpus, release, err := s.hold(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return corpus.Replay(ctx, stored, leaves)
}

// names returns what a stored reply calls its engine and its corpus; "" where it
// is no reply, about which the engine has the word.
func names(stored []byte) (engine, corpus string) {
	v, err := json.Parse(stored)
	if err != nil {
		return "", ""
	}
	return v.Member("engine").Text(), v.Member("corpus").Text()
}

// find returns the engine with a digest; nil for the built-in one, which is open
// already, and where there is none.
func (s *Service) find(digest string, offered []byte) []byte {
	if !abi.IsDigest(digest) || digest == s.engine.digest {
		return nil
	}
	if offered != nil && artifact.Digest(offered) == digest {
		return offered
	}
	if wasm, ok := artifact.Release(digest); ok {
		return wasm
	}
	return s.keeper.engine(digest)
}

// replayWith builds the corpus anew with another engine and replays there.
func (s *Service) replayWith(ctx context.Context, wasm, stored, leaves []byte) ([]byte, error) {
	if err := artifact.Check(wasm, ""); err != nil {
		return nil, err
	}
	r, err := Compile(ctx, wasm, s.config.CacheDir, s.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close(context.WithoutCancel(ctx)) }()
	corpus, err := pool.Open(ctx, r, pool.Config{Shards: 1}, abi.Names{Engine: r.Engine()}, s.fresh().file.Documents)
	if err != nil {
		return nil, err
	}
	defer func() { _ = corpus.Close(context.WithoutCancel(ctx)) }()
	return corpus.Replay(ctx, stored, leaves)
}

// refused is the error of an offered engine that is not the one the reply names.
// That a reply was altered weighs more: its engine may be what was altered.
func refused(reply []byte, named string, offered []byte) error {
	verdict, err := abi.ReadReplayReply(reply)
	if err != nil || verdict.Verdict == abi.Mismatch {
		return err
	}
	return abi.Errorf(abi.EngineRefused, "the engine that was given is %s, the reply names %s", artifact.Digest(offered), named)
}

// Code returns the code of a failure, "" of none.
func Code(err error) abi.Code {
	var e *abi.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return abi.Internal
}
