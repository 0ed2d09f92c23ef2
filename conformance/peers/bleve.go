package main

import (
	"io/fs"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/analyzer/standard"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// bleveEngine is bleve over scorch on disk, one field, documents in batches of
// 1,000. The index keeps neither the text nor columns for sorting, and positions
// only if told: bleve's are an option that makes the index three times as large
// and serves phrases alone. A query matches any term.
type bleveEngine struct {
	scoring, analyzer string
	positions         bool
	index             bleve.Index
}

func (e *bleveEngine) mapping() *mapping.IndexMappingImpl {
	field := bleve.NewTextFieldMapping()
	field.Analyzer = e.analyzer
	field.Store, field.DocValues, field.IncludeInAll, field.IncludeTermVectors = false, false, false, e.positions
	document := bleve.NewDocumentStaticMapping()
	document.AddFieldMappingsAt("text", field)
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.ScoringModel = document, e.scoring
	return m
}

func (e *bleveEngine) Build(documents []ir.Document, folder string) (int64, error) {
	path := filepath.Join(folder, "index")
	index, err := bleve.NewUsing(path, e.mapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return 0, err
	}
	if err := fill(index, documents); err != nil {
		return 0, err
	}
	if err := index.Close(); err != nil { // what is on disk is all there is
		return 0, err
	}
	if e.index, err = bleve.Open(path); err != nil {
		return 0, err
	}
	return size(path)
}

func fill(index bleve.Index, documents []ir.Document) error {
	batch := index.NewBatch()
	for i, d := range documents {
		if err := batch.Index(d.ID, map[string]any{"text": d.Whole()}); err != nil {
			return err
		}
		if batch.Size() == 1000 || i == len(documents)-1 {
			if err := index.Batch(batch); err != nil {
				return err
			}
			batch.Reset()
		}
	}
	return nil
}

func (e *bleveEngine) Query(text string, k int) ([]string, error) {
	query := bleve.NewMatchQuery(text)
	query.SetField("text")
	result, err := e.index.Search(bleve.NewSearchRequestOptions(query, k, 0, false))
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(result.Hits))
	for i, hit := range result.Hits {
		ids[i] = hit.ID
	}
	return ids, nil
}

// size returns the bytes of the files in a folder.
func size(folder string) (total int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
