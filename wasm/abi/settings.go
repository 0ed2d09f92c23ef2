package abi

import "github.com/rookhaven-project/rookhaven/wasm/abi/json"

// Settings say how documents become an index (ABI.md §3.4). They are part of what
// a reply depends on, and every reply over an index names them.
type Settings struct {
	Chunks   string // ChunksAuto or ChunksWhole
	Target   int64  // tokens of a chunk
	Min      int64
	Max      int64
	Overlap  int64
	Language string // a language with stems, or "none"
}

// The values of Settings' members.
const (
	ChunksAuto  = "auto"
	ChunksWhole = "whole"
)

// DefaultSettings returns Settings with every default.
func DefaultSettings() Settings {
	return Settings{Chunks: ChunksAuto, Target: 180, Min: 64, Max: 220, Overlap: 32, Language: "en"}
}

var settingsMembers = []string{"chunks", "target", "min", "max", "overlap", "language"}

func readSettings(r *json.Reader) Settings {
	s := DefaultSettings()
	members(r, settingsMembers, nil, func(member string) {
		switch member {
		case "chunks":
			s.Chunks = r.String()
		case "target":
			s.Target = r.Int()
		case "min":
			s.Min = r.Int()
		case "max":
			s.Max = r.Int()
		case "overlap":
			s.Overlap = r.Int()
		case "language":
			s.Language = r.String()
		}
	})
	return s
}

// maxChunkTokens bounds the sizes of chunks.
const maxChunkTokens = 100_000

// Check reports the first bound that Settings break. Whether there is a stemmer
// for the language, only the engine knows.
func (s *Settings) Check() error {
	if s.Chunks != ChunksAuto && s.Chunks != ChunksWhole {
		return Errorf(SettingsInvalid, "chunks is %q, it must be auto or whole", s.Chunks)
	}
	if s.Min < 0 || s.Target < max(s.Min, 1) || s.Max < s.Target || s.Max > maxChunkTokens {
		return Errorf(SettingsInvalid, "min, target and max are %d, %d and %d; they must ascend, up to %d", s.Min, s.Target, s.Max, int64(maxChunkTokens))
	}
	if s.Overlap < 0 || 2*s.Overlap > s.Target {
		return Errorf(SettingsInvalid, "overlap is %d, it must be at most half the target", s.Overlap)
	}
	return nil
}

func (s *Settings) write(w *json.Writer) {
	w.BeginObject()
	w.Name("chunks")
	w.String(s.Chunks)
	w.Name("language")
	w.String(s.Language)
	w.Name("max")
	w.Int(s.Max)
	w.Name("min")
	w.Int(s.Min)
	w.Name("overlap")
	w.Int(s.Overlap)
	w.Name("target")
	w.Int(s.Target)
	w.EndObject()
}

// Append appends Settings as canonical JSON.
func (s *Settings) Append(dst []byte) []byte {
	w := json.NewWriter(dst)
	s.write(w)
	return w.Bytes()
}

// ReadSettings reads Settings on their own.
func ReadSettings(in []byte) (Settings, error) {
	r := json.NewReader(orEmpty(in))
	s := readSettings(r)
	if err := done(r, SettingsInvalid); err != nil {
		return s, err
	}
	return s, s.Check()
}
