// Package wordpiece cuts texts into the pieces of words that uncased BERT models read.
//
// The ids are those of the reference, Hugging Face's tokenizers 0.23.3 with BertNormalizer
// (clean_text, handle_chinese_chars, lowercase, and strip_accents with it),
// BertPreTokenizer and WordPiece (TestEveryCharacter, TestVectors). What it does:
//
//   - Controls (Cc but tab, line feed and carriage return), Cf, Co, U+FFFD and whatever
//     is not UTF-8 are dropped. White_Space ends a word.
//   - Each character of the blocks of Chinese ideographs is a word, whose canonical
//     decomposition is looked up: U+3400–4DBF, 4E00–9FFF, F900–FAFF, 20000–2A6DF,
//     2A700–2B81F, 2B920–2CEAF, 2F800–2FA1F. U+2B820–2B91F are not among them.
//   - Canonical decomposition (NFD), then characters of Mn are dropped, then each is
//     replaced by its simple lower case. That order makes İ an i. Sigma has one lower
//     case, and ß stays.
//   - Characters of P, and ASCII's $ + < = > ^ ` | ~, are words.
//   - A word is cut greedily: the longest piece that it begins with, then the longest
//     that begins with ## and goes on there. One that cannot be cut to its end, or has
//     more than 100 characters after normalization, is [UNK].
//
// The reference takes each of these properties from a Unicode version of its own, and so
// does this package: general categories from 8.0, decompositions and combining classes
// from 9.0, lower case from 17.0. A mark that is newer than 8.0 is kept like a letter.
// The tables are string constants written by gen/gen.py; gen/README.md says how.
//
// The names of special tokens have no meaning in a text: "[SEP]" is three words, so that
// no text can end itself. The reference does so with encode_special_tokens.
//
// Words depend on nothing outside themselves: the tokens of two texts with a space
// between are those of the first, then those of the second (FuzzAppend). Time is linear in
// the text, since no word is looked at beyond its hundredth character.
package wordpiece

import "errors"

// A Token is a piece of a word.
type Token struct {
	ID    int32
	First bool // whether a word begins with it
	End   int  // where its word ends in the text, in bytes: after what is dropped from it
}

// A Vocabulary knows the pieces of words by their ids. It never changes.
type Vocabulary struct {
	trie          trie
	inner         uint32 // the node of ##, from where the pieces go that begin no word
	unk, cls, sep int32
}

// New makes a Vocabulary of pieces in the order of their ids. It fails when one is
// empty or stands twice, or when [UNK], [CLS] or [SEP] is missing.
func New(pieces []string) (*Vocabulary, error) {
	v := &Vocabulary{trie: newTrie()}
	for id, piece := range pieces {
		if piece == "" {
			return nil, errors.New("vocabulary: an empty piece")
		}
		at := &v.trie.ids[v.trie.add(piece)]
		if *at != none {
			return nil, errors.New("vocabulary: " + piece + " stands twice")
		}
		*at = int32(id)
	}
	v.inner = v.trie.add("##")
	for _, special := range []struct {
		name string
		id   *int32
	}{{"[UNK]", &v.unk}, {"[CLS]", &v.cls}, {"[SEP]", &v.sep}} {
		if *special.id = v.trie.ids[v.trie.add(special.name)]; *special.id == none {
			return nil, errors.New("vocabulary: " + special.name + " is missing")
		}
	}
	return v, nil
}

// CLS returns the id of [CLS], which stands before a text.
func (v *Vocabulary) CLS() int32 { return v.cls }

// SEP returns the id of [SEP], which stands after a text.
func (v *Vocabulary) SEP() int32 { return v.sep }

// Append appends the tokens of a text, without [CLS] and [SEP].
func (v *Vocabulary) Append(dst []Token, text string) []Token {
	split(text, func(word []byte, chars, end int) {
		dst = v.appendWord(dst, word, chars, end)
	})
	return dst
}

// appendWord appends the tokens of a normalized word.
func (v *Vocabulary) appendWord(dst []Token, word []byte, chars, end int) []Token {
	first, node := len(dst), uint32(0)
	for at := 0; at < len(word); node = v.inner {
		id, n := v.trie.longest(node, word[at:])
		if id == none || chars > maxChars {
			return append(dst[:first], Token{v.unk, true, end})
		}
		dst = append(dst, Token{id, at == 0, end})
		at += n
	}
	return dst
}
