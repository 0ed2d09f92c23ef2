package cli

import (
	"strings"
	"time"

	"github.com/rookhaven-project/rookhaven/hosts/runner/store"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/artifact"
)

type engineVerb struct {
	List   engineList   `cmd:"" help:"List the engines that a replay finds."`
	Add    engineAdd    `cmd:"" help:"Keep an engine in the data folder; a damaged one is replaced."`
	Export engineExport `cmd:"" help:"Write an engine to a file."`
	Prune  enginePrune  `cmd:"" help:"Remove old engines and corpus roots from the data folder."`
}

// archive returns the store in the data folder.
func (r *run) archive(f *folders) (*store.Store, error) {
	c, err := r.config(f.given())
	switch {
	case err != nil:
		return nil, err
	case c.DataDir == "":
		return nil, abi.Errorf(abi.ConfigInvalid, "there is no data folder on this machine: give --data-dir or ROOKHAVEN_DATA_DIR")
	}
	return store.Open(c.DataDir), nil
}

type engineList struct {
	JSON bool `help:"As JSON."`
	folders
}

func (engineList) Help() string {
	return `A reply names its engine by the SHA-256 of the engine's file. An engine is kept in the data folder the first time it answers, so that its replies can be replayed after an upgrade.`
}

// A known is an engine and where it is.
type known struct {
	Engine string `json:"engine"`
	Where  string `json:"where"` // built-in, released or kept
	Size   int64  `json:"size"`
	Added  string `json:"added,omitempty"`
	// Damaged says that the file is not what its name says.
	Damaged bool `json:"damaged,omitempty"`
}

func (v *engineList) Run(r *run) error {
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	list, err := engines(s)
	if err != nil {
		return err
	}
	if v.JSON {
		return r.json(map[string]any{"engines": list})
	}
	for _, e := range list {
		damaged := ""
		if e.Damaged {
			damaged = "  damaged: give it again with rookhaven engine add FILE"
		}
		r.printf("%s  %-8s  %d bytes  %s%s", e.Engine, e.Where, e.Size, e.Added, damaged)
	}
	return nil
}

func engines(s *store.Store) ([]known, error) {
	list := []known{}
	if wasm, digest, ok := artifact.Built(); ok {
		list = append(list, known{Engine: digest, Where: "built-in", Size: int64(len(wasm))})
	}
	for _, digest := range artifact.Released() {
		wasm, _ := artifact.Release(digest)
		list = append(list, known{Engine: digest, Where: "released", Size: int64(len(wasm))})
	}
	kept, err := s.Engines()
	for _, e := range kept {
		list = append(list, known{e.Name, "kept", e.Size, e.Time.UTC().Format(time.RFC3339), !s.Intact(e.Name)})
	}
	return list, err
}

type engineAdd struct {
	File string `arg:"" help:"An engine, as a release or an export gave it."`
	folders
}

func (v *engineAdd) Run(r *run) error {
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	wasm, err := r.read(v.File)
	if err != nil {
		return err
	}
	digest, err := s.AddEngine(wasm)
	if err != nil {
		return err
	}
	r.printf("%s", digest)
	return nil
}

type engineExport struct {
	Engine string `arg:"" help:"Its digest, or the beginning of it; or built-in."`
	File   string `arg:"" help:"The file to write, which must not exist; - is stdout."`
	folders
}

func (v *engineExport) Run(r *run) error {
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	list, err := engines(s)
	if err != nil {
		return err
	}
	digest, err := match(list, v.Engine)
	if err != nil {
		return err
	}
	wasm, err := s.Engine(digest)
	if err != nil {
		return err
	}
	if r.isStdout(v.File) {
		return r.put("-", wasm, "")
	}
	if err := fresh(v.File, nil); err != nil {
		return err
	}
	if err := r.put(v.File, wasm, ""); err != nil {
		return err
	}
	r.printf("%s", digest)
	return nil
}

// match finds the one engine that a name means.
func match(list []known, name string) (string, error) {
	found := map[string]bool{}
	hex := strings.TrimPrefix(name, "sha256:")
	for _, e := range list {
		if e.Where == name || hex != "" && strings.HasPrefix(strings.TrimPrefix(e.Engine, "sha256:"), hex) {
			found[e.Engine] = true
		}
	}
	switch len(found) {
	case 0:
		return "", abi.Errorf(abi.EngineUnknown, "there is no engine %q; rookhaven engine list shows all", name)
	case 1:
		for digest := range found {
			return digest, nil
		}
	}
	return "", abi.Errorf(abi.ArgumentInvalid, "%q may be one of %d engines: give more of its digest", name, len(found))
}

type enginePrune struct {
	Keep   int  `default:"10" placeholder:"N" help:"How many of the newest to keep, of engines and of corpus roots. Default: 10."`
	Days   int  `default:"30" placeholder:"N" help:"Younger ones are kept, too. Default: 30."`
	DryRun bool `help:"Only show what would be removed."`
	folders
}

func (enginePrune) Help() string {
	return `A reply whose engine is removed can only be replayed with --engine FILE; one whose corpus root is removed no longer names the first document that changed.`
}

func (v *enginePrune) Run(r *run) error {
	if v.Keep < 0 || v.Days < 0 {
		return abi.Errorf(abi.ArgumentInvalid, "--keep and --days must not be negative")
	}
	s, err := r.archive(&v.folders)
	if err != nil {
		return err
	}
	for _, shelf := range []struct {
		what  string
		list  func() ([]store.Entry, error)
		prune func(int, func(string) bool) ([]store.Entry, error)
	}{{"engine", s.Engines, s.PruneEngines}, {"corpus root", s.Corpora, s.PruneLeaves}} {
		entries, err := shelf.list()
		if err != nil {
			return err
		}
		old := v.old(entries)
		removed := old
		if !v.DryRun {
			gone := map[string]bool{}
			for _, e := range old {
				gone[e.Name] = true
			}
			if removed, err = shelf.prune(v.Keep, func(name string) bool { return !gone[name] }); err != nil {
				return err
			}
		}
		for _, e := range removed {
			r.printf("%s  %s  %d bytes", e.Name, shelf.what, e.Size)
		}
	}
	return nil
}

// old returns what is neither among the newest nor young.
func (v *enginePrune) old(entries []store.Entry) []store.Entry {
	var list []store.Entry
	limit := time.Now().AddDate(0, 0, -v.Days)
	for i, e := range entries {
		if i >= v.Keep && e.Time.Before(limit) {
			list = append(list, e)
		}
	}
	return list
}
