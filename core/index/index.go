// Package index makes one index of segments: it builds them from documents,
// opens them with what was removed from them, and knows the exact statistics of
// what is live.
//
// An index answers as if it had been built at once from its live documents, in
// any order, in any number of segments: see TestLayoutFree. A removed document
// stays in its segment, and its tokens are made again from the kept text when the
// index opens, so that every statistic counts live documents only. A term whose
// live count is 0 does not occur.
package index

import (
	"encoding/binary"

	"github.com/rookhaven-project/rookhaven/core/audit"
	"github.com/rookhaven-project/rookhaven/core/index/segment"
	"github.com/rookhaven-project/rookhaven/core/internal/meter"
	"github.com/rookhaven-project/rookhaven/core/text"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// LanguageNone is the language of an index without stems.
const LanguageNone = "none"

// Build makes a segment of documents. It fails with [abi.SettingsInvalid],
// [abi.CorpusInvalid], [abi.OverBudget] or [abi.Cancelled].
func Build(documents []abi.Document, settings abi.Settings, a *meter.Account, m *meter.Meter) ([]byte, error) {
	an, err := checkSettings(settings)
	if err != nil {
		return nil, err
	}
	digests := make([]audit.Digest, len(documents))
	seed, size := uint64(len(documents)), 0
	for i := range documents {
		digests[i] = audit.Document(&documents[i])
		size += len(documents[i].Text) + len(documents[i].Blocks)
		seed = seed*0x9e3779b97f4a7c15 ^ binary.LittleEndian.Uint64(digests[i][:])
		if err := m.Add(1000 + 4*len(documents[i].Text)); err != nil {
			return nil, err
		}
	}
	b := segment.NewBuilder(seed, size, text.IsStandardStop, a, m)
	defer func() { a.Give(b.Taken()) }()
	for i := range documents {
		if err := add(b, an, settings, &documents[i], digests[i], m); err != nil {
			return nil, err
		}
	}
	return b.Encode(an.stem)
}

func checkSettings(s abi.Settings) (*analyzer, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	an, ok := newAnalyzer(s.Language)
	if !ok {
		return nil, abi.Errorf(abi.SettingsInvalid, "there is no stemmer for the language %q", s.Language)
	}
	return an, nil
}

// add adds a document with its chunks and their tokens.
func add(b *segment.Builder, an *analyzer, settings abi.Settings, d *abi.Document, digest audit.Digest, m *meter.Meter) error {
	parts, err := cut(d, settings, m)
	if err != nil {
		return err
	}
	attributes, err := attributes(d, &parts)
	if err != nil {
		return err
	}
	title := titleOf(d, &parts)
	if err := b.Document(d, title, parts.Text, digest, attributes); err != nil {
		return err
	}
	for i := range parts.Chunks {
		c := &parts.Chunks[i]
		record := segment.Chunk{
			Start: uint32(c.Start), Body: uint32(c.Body), End: uint32(c.End), Overlap: uint32(c.Overlap),
			FirstLine: uint32(c.FirstLine), LastLine: uint32(c.LastLine),
		}
		if err := b.Chunk(record, c.Headings); err != nil {
			return err
		}
		an.tokens(title, &parts, i, b.Token)
		if err := b.EndChunk(); err != nil {
			return err
		}
	}
	return nil
}
