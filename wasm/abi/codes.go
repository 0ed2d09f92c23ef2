package abi

// A Code says what kind of failure this is. Codes are part of the contract:
// they are added, never renamed. There is one for each decision that a caller
// can make.
type Code string

// The codes that exports answer (ABI.md §7).
const (
	JSONInvalid      Code = "JSON_INVALID"
	RequestInvalid   Code = "REQUEST_INVALID"
	QueryEmpty       Code = "QUERY_EMPTY"
	QueryTooLong     Code = "QUERY_TOO_LONG"
	BudgetOutOfRange Code = "BUDGET_OUT_OF_RANGE"
	NeedsInvalid     Code = "NEEDS_INVALID"
	ScoresInvalid    Code = "SCORES_INVALID"
	ProfileUnknown   Code = "PROFILE_UNKNOWN"
	CorpusInvalid    Code = "CORPUS_INVALID"
	HandleUnknown    Code = "HANDLE_UNKNOWN"
	RoundsInvalid    Code = "ROUNDS_INVALID"
	ReplyInvalid     Code = "REPLY_INVALID"
	WorkLimit        Code = "WORK_LIMIT"
	Cancelled        Code = "CANCELLED"
	OverBudget       Code = "OVER_BUDGET"
	ExportUnknown    Code = "EXPORT_UNKNOWN"
	SettingsInvalid  Code = "SETTINGS_INVALID"
	IndexAbsent      Code = "INDEX_ABSENT"
	FilterInvalid    Code = "FILTER_INVALID"
	CursorInvalid    Code = "CURSOR_INVALID"
	CursorStale      Code = "CURSOR_STALE"
	SegmentCorrupt   Code = "SEGMENT_CORRUPT"
	SegmentVersion   Code = "SEGMENT_VERSION"
	ModelCorrupt     Code = "MODEL_CORRUPT"
	ModelVersion     Code = "MODEL_VERSION"
	ModelAbsent      Code = "MODEL_ABSENT"
	VectorsCorrupt   Code = "VECTORS_CORRUPT"
	VectorsVersion   Code = "VECTORS_VERSION"
)

// The codes that hosts add.
const (
	ArgumentUnknown   Code = "ARGUMENT_UNKNOWN"
	ArgumentInvalid   Code = "ARGUMENT_INVALID"
	ConfigInvalid     Code = "CONFIG_INVALID"
	ClientRefused     Code = "CLIENT_FILE_REFUSED"
	CorpusUnreadable  Code = "CORPUS_UNREADABLE"
	CorpusTooLarge    Code = "CORPUS_TOO_LARGE"
	FileUnreadable    Code = "FILE_UNREADABLE"
	FileUnwritable    Code = "FILE_UNWRITABLE"
	StorageFailed     Code = "STORAGE_FAILED"
	DataLocked        Code = "DATA_LOCKED"
	EngineAbsent      Code = "ENGINE_ABSENT"
	EngineUnknown     Code = "ENGINE_UNKNOWN"
	EngineRefused     Code = "ENGINE_REFUSED"
	EngineFailed      Code = "ENGINE_FAILED"
	EngineStuck       Code = "ENGINE_STUCK"
	IndexDamaged      Code = "INDEX_DAMAGED"
	GenerationUnknown Code = "GENERATION_UNKNOWN"
	GenerationMoved   Code = "GENERATION_MOVED"
	StorageFull       Code = "STORAGE_FULL"
	BaselineRefused   Code = "BASELINE_REFUSED"
	EmbedderFailed    Code = "EMBEDDER_FAILED"
	EmbedderRefused   Code = "EMBEDDER_REFUSED"
	EmbedderMismatch  Code = "EMBEDDER_MISMATCH"
	Internal          Code = "INTERNAL"
)

// An RPC says how a failure of a tool call looks to a JSON-RPC client.
type RPC int

const (
	// ToolError is a result with isError and the text "CODE: sentence".
	ToolError RPC = iota
	// InvalidParams is the protocol error −32602.
	InvalidParams
)

// A CodeInfo is what doors need to know about a code. Doors look up, they
// never invent.
type CodeInfo struct {
	Code   Code
	Remedy string // what the reader of the failure can do
	Exit   int    // exit code of the command line
	HTTP   int    // status of REST
	RPC    RPC
	Export bool // whether an export of the module answers it
}

// table is the one table of codes.
var table = [...]CodeInfo{
	{JSONInvalid, "Send one JSON document in UTF-8, without repeated members, nested at most 64 deep.", 2, 400, ToolError, true},
	{RequestInvalid, "Compare the member that the sentence names with the list of members in wasm/ABI.md.", 2, 400, ToolError, true},
	{QueryEmpty, "Ask for something: a query has at least one character.", 2, 400, ToolError, true},
	{QueryTooLong, "Shorten the query, or raise ROOKHAVEN_MAX_QUERY_LEN (at most 65536).", 2, 413, ToolError, true},
	{BudgetOutOfRange, "Choose a recall budget between 1 and the limit that the sentence names.", 2, 400, ToolError, true},
	{NeedsInvalid, "Give 1 to 1000 needs, none of them empty, or none at all.", 2, 400, ToolError, true},
	{ScoresInvalid, "Give one object per need, from ids of the corpus to integers of nano-units.", 2, 400, ToolError, true},
	{ProfileUnknown, "Choose a profile that the engine lists in describe.", 2, 400, ToolError, true},
	{CorpusInvalid, "Mend the corpus where the sentence says: one JSON array of documents or one document a line, each with a unique, non-empty id and a text.", 2, 422, ToolError, true},
	{HandleUnknown, "Open the corpus first, and use the handle that open returned.", 2, 404, ToolError, true},
	{RoundsInvalid, "Hand the plans and partials of all instances on as they came.", 2, 400, ToolError, true},
	{ReplyInvalid, "Give a stored reply of retrieve or search, whole and as one JSON document.", 2, 400, ToolError, true},
	{WorkLimit, "Narrow the request, or raise its workLimit.", 2, 422, ToolError, true},
	{Cancelled, "Nothing: the caller went away or its time was up. Ask again if the answer is still wanted.", 2, 503, ToolError, true},
	{OverBudget, "Open a smaller corpus, or spread it over more instances.", 2, 413, ToolError, true},
	{ExportUnknown, "Use an export of ABI version 1.", 2, 404, ToolError, true},
	{SettingsInvalid, "Correct the setting of the index that the sentence names.", 2, 400, ToolError, true},
	{IndexAbsent, "Build the index first: rookhaven index DIR; a host opens the corpus with settings or from segments.", 2, 409, ToolError, true},
	{FilterInvalid, "Write filters as the grammar in wasm/ABI.md says: field to value, or to eq, neq, in, exists, gt, gte, lt, lte.", 2, 400, ToolError, true},
	{CursorInvalid, "Begin again without a cursor; a cursor is handed back as it came.", 2, 400, ToolError, true},
	{CursorStale, "Begin again without a cursor: the corpus or the request is another one.", 2, 409, ToolError, true},
	{SegmentCorrupt, "Build the index again from its documents: a file is damaged. rookhaven doctor names it.", 2, 500, ToolError, true},
	{SegmentVersion, "Build the index again with this engine, or use the engine that made it.", 2, 409, ToolError, true},
	{ModelCorrupt, "Get the model's file again: rookhaven doctor names what is damaged.", 2, 500, ToolError, true},
	{ModelVersion, "Use a model of this engine's version, or the engine that it was made for.", 2, 409, ToolError, true},
	{ModelAbsent, "Open a model first: a host calls open_model before embed.", 2, 409, ToolError, true},
	{VectorsCorrupt, "Make the vectors again: a file is damaged, or is of another segment or model. rookhaven doctor names it.", 2, 500, ToolError, true},
	{VectorsVersion, "Make the vectors again with this engine, or use the engine that made them.", 2, 409, ToolError, true},

	{ArgumentUnknown, "Use the name that the sentence suggests, or see the list of arguments.", 2, 400, ToolError, false},
	{ArgumentInvalid, "Give the argument the type and the bounds that the sentence names.", 2, 400, ToolError, false},
	{ConfigInvalid, "Correct the setting that the sentence names; rookhaven config show --origin tells where it comes from.", 2, 500, ToolError, false},
	{ClientRefused, "Mend the client's file, or write there by hand what --print shows.", 2, 500, ToolError, false},
	{CorpusUnreadable, "Check that the corpus file exists and may be read.", 2, 500, ToolError, false},
	{CorpusTooLarge, "Use a smaller corpus, or raise ROOKHAVEN_MAX_CORPUS_DOCS.", 2, 413, ToolError, false},
	{FileUnreadable, "Check that the file exists and may be read.", 2, 404, ToolError, false},
	{FileUnwritable, "Check the path and its rights, and the space on its disk.", 2, 500, ToolError, false},
	{StorageFailed, "Check the data folder: its rights, and the space on its disk.", 2, 500, ToolError, false},
	{DataLocked, "Wait for the process that the sentence names, or end it.", 10, 503, ToolError, false},
	{EngineAbsent, "Build the engine: run make build.", 2, 500, ToolError, false},
	{EngineUnknown, "Give the engine with --engine FILE, or add it with rookhaven engine add FILE.", 2, 404, ToolError, false},
	{EngineRefused, "Use an engine file that a rookhaven release published, unchanged.", 2, 500, ToolError, false},
	{EngineFailed, "Ask again; if it happens twice, report it with the request: it is a fault of ours.", 2, 500, ToolError, false},
	{EngineStuck, "Ask again; a fresh instance answers. Please report it with the request: it is a fault of ours.", 2, 500, ToolError, false},
	{IndexDamaged, "Run rookhaven doctor; it names the damaged files. Build the index again, or restore them.", 2, 500, ToolError, false},
	{GenerationUnknown, "Choose one of the generations that the sentence lists.", 2, 404, ToolError, false},
	{GenerationMoved, "Begin again from the current generation.", 2, 409, ToolError, false},
	{StorageFull, "Free space on the disk of the data folder, or prune; then do it again.", 2, 507, ToolError, false},
	{BaselineRefused, "Make a new baseline with --write-baseline, or measure over the corpus it names.", 2, 409, ToolError, false},
	{EmbedderFailed, "Check that the server of embeddings runs and can be reached, then do it again; what was embedded is kept, and search by words needs no server.", 2, 503, ToolError, false},
	{EmbedderRefused, "Correct what the sentence names, in the settings of the external embedder or at its server; asking again changes nothing.", 2, 502, ToolError, false},
	{EmbedderMismatch, "Check that the address, the model and the dimensions of the external embedder belong together; vectors of another model need an index of their own.", 2, 502, ToolError, false},
	{Internal, "Report it with what you did: it is a fault of ours.", 2, 500, ToolError, false},
}

// Codes returns the table of codes, those of the exports first.
func Codes() []CodeInfo { return append([]CodeInfo(nil), table[:]...) }

// Info returns the row of a code. An unknown code, which a newer engine may
// answer, is treated as [Internal] under its own name.
func Info(c Code) CodeInfo {
	for _, info := range table {
		if info.Code == c {
			return info
		}
	}
	info := table[len(table)-1]
	info.Code = c
	return info
}
