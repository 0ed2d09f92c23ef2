package service

import (
	"context"

	"github.com/rookhaven-project/rookhaven/hosts/internal/corpusfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/logging"
)

// Watch takes a changed corpus file up as soon as it is left alone, until the
// context ends. Without it, or where the system gives no notice of changes, the
// next request looks at the file.
func (s *Service) Watch(ctx context.Context) {
	path := s.now().file.Path
	if path == "" {
		return
	}
	if err := corpusfile.Watch(ctx, path, func() { s.reload(true) }); err != nil {
		s.log.Debug("corpus_not_watched", "path", path, "reason", err.Error())
	}
}

// fresh returns the generation of now, after a look at the file. A file that is
// being written in place is left for later.
func (s *Service) fresh() *generation {
	g := s.now()
	if g.file.Path == "" {
		return g
	}
	stamp, seen := corpusfile.Stat(g.file.Path), s.lastSeen()
	if stamp.Equal(seen) || !stamp.Replaces(seen) && !stamp.Quiet(corpusfile.Pause) {
		return g
	}
	s.reload(false)
	return s.now()
}

func (s *Service) lastSeen() corpusfile.Stamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

func (s *Service) see(stamp corpusfile.Stamp) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = stamp
}

// reload reads the file again if it changed. Where the old corpus is open in the
// engine, the new one is opened before it takes its place, so that a corpus which
// the engine refuses never does.
func (s *Service) reload(written bool) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	old := s.now()
	stamp := corpusfile.Stat(old.file.Path)
	same := stamp.Equal(s.lastSeen())
	if same && !written {
		return
	}
	file, err := corpusfile.Read(old.file.Path, s.config.MaxCorpusDocs)
	if err != nil && same {
		return // it was told
	}
	if err != nil {
		s.see(stamp)
		s.log.Error("corpus_reload_failed", "path", old.file.Path, logging.Failure(err))
		return
	}
	defer s.see(file.Stamp) // at the end: a request that comes meanwhile waits for the new corpus
	if file.Same(old.file) {
		return
	}
	next := &generation{file: file}
	if old.opened() != nil {
		if _, err := next.open(s.life, s); err != nil {
			s.log.Error("corpus_reload_failed", "path", file.Path, logging.Failure(err))
			return
		}
	}
	s.mu.Lock()
	s.current = next
	s.mu.Unlock()
	s.log.Info("corpus_reloaded", "path", file.Path, "documents", len(file.Documents), "bytes", file.Bytes)
	if corpus := old.opened(); corpus != nil {
		go func() { _ = corpus.Close(context.Background()) }() // once its last request is answered
	}
}
