package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"unicode"

	_ "modernc.org/sqlite"

	"github.com/rookhaven-project/rookhaven/conformance/ir"
)

// fts5 is SQLite's FTS5 with porter over unicode61, without the text, on disk.
// A query is the OR of its words, each quoted, ordered by bm25(). With stop,
// the query's stop words are left out unless nothing else is there.
type fts5 struct {
	stop  bool
	db    *sql.DB
	ids   []string
	query *sql.Stmt
}

func (e *fts5) Build(documents []ir.Document, folder string) (int64, error) {
	path := filepath.Join(folder, "index.db")
	var err error
	if e.db, err = sql.Open("sqlite", path); err != nil {
		return 0, err
	}
	e.db.SetMaxOpenConns(1)
	if _, err := e.db.Exec(`CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter unicode61')`); err != nil {
		return 0, err
	}
	if err := e.fill(documents); err != nil {
		return 0, err
	}
	if e.query, err = e.db.Prepare(`SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?`); err != nil {
		return 0, err
	}
	return size(folder)
}

func (e *fts5) fill(documents []ir.Document) error {
	tx, err := e.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing to undo after Commit
	insert, err := tx.Prepare(`INSERT INTO t(rowid, text) VALUES(?, ?)`)
	if err != nil {
		return err
	}
	for i, d := range documents {
		if _, err := insert.Exec(i, d.Whole()); err != nil {
			return err
		}
		e.ids = append(e.ids, d.ID)
	}
	return tx.Commit()
}

func (e *fts5) Query(text string, k int) ([]string, error) {
	match := e.match(text)
	if match == "" {
		return nil, nil
	}
	rows, err := e.query.Query(match, k)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var row int
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		ids = append(ids, e.ids[row])
	}
	return ids, rows.Err()
}

func (e *fts5) match(text string) string {
	var all, kept []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		all = append(all, `"`+w+`"`)
		if !stopWords[strings.ToLower(w)] {
			kept = append(kept, `"`+w+`"`)
		}
	}
	if e.stop && len(kept) > 0 {
		all = kept
	}
	return strings.Join(all, " OR ")
}

// Lucene's 33 English stop words.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with") {
		words[w] = true
	}
	return words
}()
