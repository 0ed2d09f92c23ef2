// Package ir measures ranking on test collections with judgements.
//
// A collection is a folder of three files:
//
//	corpus.jsonl   {"id":…,"title":…,"text":…} a line
//	queries.jsonl  {"id":…,"text":…} a line
//	qrels.tsv      query id, document id, grade, separated by tabs
//
// [Collection.Evaluate] gives for each query that has a relevant document the
// measures below, and their mean; a query without an answer counts as 0. With
// r the grade of the document at rank i (from 1; 0 if it is not judged or its
// grade is negative), as trec_eval:
//
//	DCG@10  = Σ r_i / log2(i+1) over the first ten ranks
//	nDCG@10 = DCG@10 / DCG@10 of the best possible ranking
//	R@k     = relevant documents in the first k / relevant documents
//	MRR@10  = 1 / rank of the first relevant document in the first ten, or 0
//
// trec_eval sorts equal scores by document id; here the order of the ranking is
// taken as it was given. A document that is listed twice counts once, at its
// first rank, and the second holds its rank: TestTwice.
//
// [Randomise] says how often chance alone would give two rankings a difference
// as large as was seen. Everything here is a function of its arguments:
// TestEvaluateIsDeterministic.
package ir

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Document is what a peer indexes, as one field: see [Document.Whole].
type Document struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Whole returns title and text as the one field that every peer gets.
func (d Document) Whole() string {
	if d.Title == "" {
		return d.Text
	}
	return d.Title + "\n" + d.Text
}

// A Query asks a collection. Kind groups queries in tables, and may be empty.
type Query struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	Kind string `json:"kind,omitempty"`
}

// A Collection holds documents, queries, and for each query the grades of the
// documents that were judged.
type Collection struct {
	Name      string
	Documents []Document
	Queries   []Query
	Qrels     map[string]map[string]int
}

// Read reads the collection in a folder and names it after the folder.
func Read(folder string) (*Collection, error) {
	documents, err := ReadDocuments(filepath.Join(folder, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := ReadQueries(filepath.Join(folder, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	qrels, err := readQrels(filepath.Join(folder, "qrels.tsv"))
	if err != nil {
		return nil, err
	}
	return &Collection{Name: filepath.Base(folder), Documents: documents, Queries: queries, Qrels: qrels}, nil
}

// ReadDocuments reads a file of documents, one in JSON a line.
func ReadDocuments(name string) ([]Document, error) { return readLines[Document](name) }

// TextBytes returns the bytes of titles and texts in a file of documents, which
// it does not keep.
func TextBytes(name string) (total int64, err error) {
	err = eachLine(name, func(line string) error {
		var d Document
		err := json.Unmarshal([]byte(line), &d)
		total += int64(len(d.Title) + len(d.Text))
		return err
	})
	return total, err
}

// ReadQueries reads a file of queries, one in JSON a line.
func ReadQueries(name string) ([]Query, error) { return readLines[Query](name) }

func readLines[T any](name string) ([]T, error) {
	var list []T
	err := eachLine(name, func(line string) error {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return err
		}
		list = append(list, v)
		return nil
	})
	return list, err
}

func readQrels(name string) (map[string]map[string]int, error) {
	qrels := map[string]map[string]int{}
	err := eachLine(name, func(line string) error {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return fmt.Errorf("%d fields, want query, document and grade", len(fields))
		}
		grade, err := strconv.Atoi(fields[2])
		if err != nil {
			return err
		}
		if qrels[fields[0]] == nil {
			qrels[fields[0]] = map[string]int{}
		}
		qrels[fields[0]][fields[1]] = grade
		return nil
	})
	return qrels, err
}

// eachLine calls f with each line that is not empty; its error says where.
func eachLine(name string, f func(line string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<26)
	for n := 1; scan.Scan(); n++ {
		if scan.Text() == "" {
			continue
		}
		if err := f(scan.Text()); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	if err := scan.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
