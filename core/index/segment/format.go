// Package segment is the form in which an index lies in memory and on disk: an
// immutable, checksummed run of bytes that holds documents, their chunks and the
// places of every term.
//
// A segment is a cache of its documents. It belongs to the engine that made it
// and is opened by being copied into memory: [Open] checks the whole once and
// reads a table of sections; nothing is parsed in proportion to the size. The
// same documents in the same order give the same bytes, see TestSameBytes.
//
// # The format, version 1
//
// Numbers are little-endian. u32 and u64 have a fixed width, a varint is LEB128
// in its shortest spelling, a string is a varint with its length and its bytes.
//
//	header     "rh.seg" 0x00, version (1 byte), u64 checksum of all that follows,
//	           u64 size of the segment, u32 × 4: documents, chunks, terms, stems,
//	           u64 × 4: the sums over all chunks of the content tokens in titles,
//	           in headings, in bodies, and of all tokens in headings and bodies
//	sections   u64 × 2 for each of the sections below: where it begins, its size
//
// The sections, in their order, each at a multiple of 8:
//
//	documents  u32 × (documents + 1): where in records each one begins
//	records    of each document: digest (32 bytes), u32 first chunk, u32 × 2
//	           where its text begins in texts and how long it is, strings id,
//	           key, title, path, collection, metadata (canonical JSON or empty),
//	           the title that is shown and searched, empty where that is title, and
//	           blocks (canonical JSON or empty)
//	texts      the texts of the documents, one after the other
//	tokens     of each chunk: u32 document, u16 content tokens in the title, u16 in
//	           headings, at most 65,535 each, u32 in the body
//	chunks     of each chunk, in blocks of 4, varints: where in the document's
//	           text it begins, where from there its body begins, where from there
//	           it ends, how many bytes at its front the chunk before has too, first
//	           line, lines after that, where in headings its path begins, all
//	           tokens in headings and body
//	chunkIndex u32 of each block: where it begins in chunks
//	headings   of each different path: varint count, strings
//	terms      the dictionary of terms: blocks of 16, each term as a varint of
//	           how many bytes it shares with the one before (0 for the first of
//	           a block), a string with the rest, a varint with the size of its
//	           list in postings
//	termIndex  u32 × 2 of each block: where it begins in terms, where the list
//	           of its first term begins in postings
//	stems      the dictionary of stems, in the same form
//	stemIndex  likewise
//	postings   the lists
//	fields     the metadata columns, see column.go
//
// What the dictionary of stems calls a list says which terms have the stem: varints
// of the gaps between their places in the dictionary of terms, the first from 0. A
// stem whose one term is spelt as it is has no entry.
//
// # Lists
//
// A list begins with a varint: how many chunks it has. More than 128 are cut into
// blocks of 128, and the count is followed by 12 bytes for each block: u32 last
// chunk, u32 where the block ends (from the first block on), the greatest count
// in a body, the greatest counts in a title and headings (as below), u16 the
// least length of a chunk in it, at most 65,535; the length of a chunk is the sum
// of its content tokens. A block is
//
//	1 byte    bits 0–4: the width of gaps in bits, at most 24; bit 5: all bodies
//	          have it once; bit 6: some title or heading has it; bit 7: some gap
//	          is wider
//	gaps      chunk − chunk before − 1, from the block before; the first chunk of
//	          a list counts from −1. The low bits of each, low ones first; the last
//	          byte is filled up. Then, where some are wider, a byte with how many
//	          less one, and of each a byte with its place in the block and a varint
//	          with its further bits
//	bodies    2 bits each: how often it stands in the body, 3 for more than 2; for
//	          each 3 a byte with the count, 255 for more. Left out where all are 1
//	others    a bit each: whether title or headings have it; for each that do a
//	          byte, title in the high half, headings in the low half, 15 for more.
//	          Left out where none has
//	places    not of stop words: of each chunk in turn the
//	          places in title, headings and body, as varints of the gaps (the first
//	          from 0); where a count stands at its maximum, the true count comes
//	          before, as a varint
package segment

// Version is the version of the format.
//
//	1  first
const Version = 1

const (
	magic      = "rh.seg\x00"
	headerSize = 8 + 8 + 8 + 4*4 + 4*8
	skipSize   = 12
	tokensSize = 12
	dictSize   = 16 // terms in a block of a dictionary
	chunksSize = 4  // chunks in a block of chunks
)

// MaxChunks is how many chunks a segment may hold.
const MaxChunks = 1<<24 - 1

// BlockSize is how many chunks a block holds.
const BlockSize = 128

// The sections, in their order.
const (
	sectionDocuments = iota
	sectionRecords
	sectionTexts
	sectionTokens
	sectionChunks
	sectionChunkIndex
	sectionHeadings
	sectionTerms
	sectionTermIndex
	sectionStems
	sectionStemIndex
	sectionPostings
	sectionFields
	sections
)

// A Field is a part of a chunk.
type Field uint8

// The fields, in the order of their places in a chunk.
const (
	Title Field = iota
	Heading
	Body
)

// The greatest counts that scores know; more count as these.
const (
	MaxBody  = 255
	MaxOther = 15
)
