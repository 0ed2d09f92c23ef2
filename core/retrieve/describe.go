package retrieve

import (
	"github.com/rookhaven-project/rookhaven/core/index"
	"github.com/rookhaven-project/rookhaven/core/internal/ucd"
	"github.com/rookhaven-project/rookhaven/core/text"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
	"github.com/rookhaven-project/rookhaven/wasm/abi/json"
)

// describe says what this engine is and takes (ABI.md §4.2).
func describe() []byte {
	w := json.NewWriter(nil)
	w.BeginObject()
	w.Name("abi")
	w.Int(abi.Version)
	w.Name("codes")
	w.BeginArray()
	for _, c := range abi.Codes() {
		if c.Export {
			w.String(string(c.Code))
		}
	}
	w.EndArray()
	w.Name("defaults")
	defaults(w)
	w.Name("exports")
	w.BeginArray()
	for _, name := range abi.Exports() {
		w.String(name)
	}
	w.EndArray()
	w.Name("languages")
	w.BeginArray()
	for _, language := range index.Languages() {
		w.String(language)
	}
	w.EndArray()
	w.Name("limits")
	limits(w)
	w.Name("profiles")
	profiles(w)
	w.Name("searchDefaults")
	d := abi.DefaultSearch()
	w.Raw(d.Append(nil))
	w.Name("settings")
	settings := abi.DefaultSettings()
	w.Raw(settings.Append(nil))
	w.Name("unicode")
	w.String(ucd.Version)
	w.EndObject()
	return w.Bytes()
}

func profiles(w *json.Writer) {
	w.BeginArray()
	for _, p := range []struct {
		name, scorer string
		stopWords    int64
	}{
		{abi.ProfileCosine, "term-count cosine, in nano-units", text.StopVersion},
		{abi.ProfileJournal, "BM25 over headings and body, in nano-units", 0},
		{abi.ProfileStandard, "BM25 over title, headings and body, by stems and spellings, in nano-units", text.StandardStopVersion},
	} {
		w.BeginObject()
		w.Name("name")
		w.String(p.name)
		w.Name("scorer")
		w.String(p.scorer)
		w.Name("stopWords")
		w.Int(p.stopWords)
		w.EndObject()
	}
	w.EndArray()
}

func defaults(w *json.Writer) {
	d := abi.Default()
	w.BeginObject()
	w.Name("explain")
	w.Bool(d.Explain)
	w.Name("fill")
	w.Bool(d.Fill)
	w.Name("profile")
	w.String(d.Profile)
	w.Name("recallBudget")
	w.Int(d.RecallBudget)
	w.Name("representation")
	w.String(d.Representation)
	w.Name("seed")
	w.String(d.Seed)
	w.Name("text")
	w.String(d.Text)
	w.Name("workLimit")
	w.Int(d.WorkLimit)
	w.EndObject()
}

func limits(w *json.Writer) {
	w.BeginObject()
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"budget", abi.MaxTokens},
		{"dimensions", abi.MaxDimensions},
		{"expand", abi.MaxExpand},
		{"id", abi.MaxID},
		{"limit", abi.MaxLimit},
		{"minEvidence", abi.MaxEvidence},
		{"name", abi.MaxName},
		{"needs", abi.MaxNeeds},
		{"offset", abi.MaxOffset},
		{"query", abi.MaxQuery},
		{"recallBudget", abi.MaxBudget},
		{"score", abi.MaxScore},
		{"selection", abi.MaxSelection},
		{"text", abi.MaxText},
		{"texts", abi.MaxTexts},
		{"workLimit", abi.MaxWorkLimit},
	} {
		w.Name(l.name)
		w.Int(l.value)
	}
	w.EndObject()
}
