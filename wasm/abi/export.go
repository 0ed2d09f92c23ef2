package abi

// An Export is the number of an export of the module, as bulk_call takes it.
type Export int32

// The exports of ABI.md §2.
const (
	Abi Export = iota
	Describe
	Open
	Close
	Decompose
	Plan
	Partial
	Merge
	Retrieve
	Replay
	Search
	SearchPlans
	SearchStats
	SearchPartials
	SearchMerge
	Build
	Compact
	Remove
	Documents
	OpenModel
	CloseModel
	Embed
	ChunkTexts
	PackVectors
	AttachVectors
	Statistics
)

var exports = [...]string{"abi", "describe", "open", "close", "decompose", "plan", "partial", "merge", "retrieve", "replay",
	"search", "search_plan", "search_statistics", "search_partial", "search_merge", "build", "compact", "remove", "documents", "open_model", "close_model", "embed",
	"chunk_texts", "pack_vectors", "attach_vectors", "statistics"}

// Exports returns the names of the exports in the order of their numbers.
func Exports() []string { return append([]string(nil), exports[:]...) }

// Valid reports whether e is the number of an export.
func (e Export) Valid() bool { return e >= 0 && int(e) < len(exports) }

// String returns the name of the export.
func (e Export) String() string {
	if !e.Valid() {
		return "export " + itoa(int64(e))
	}
	return exports[e]
}
