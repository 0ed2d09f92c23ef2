package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const safetensorsName = "model.safetensors"

// published are the files of an encoder.
type published struct {
	root    fs.FS
	weights string // the file of them
}

// open finds weights in a folder or an archive, or takes the file of a graph.
func open(name string) (p *published, done func() error, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	done = func() error { return nil }
	switch {
	case info.IsDir():
		p, err = find(os.DirFS(name))
	case strings.HasSuffix(name, ".onnx"):
		folder := filepath.Dir(name)
		if filepath.Base(folder) == graphs {
			folder = filepath.Dir(folder)
		}
		var weights string
		weights, err = filepath.Rel(folder, name)
		p = &published{os.DirFS(folder), filepath.ToSlash(weights)}
	default:
		var z *zip.ReadCloser
		if z, err = zip.OpenReader(name); err == nil {
			done = z.Close
			p, err = find(z)
		}
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), done())
	}
	return p, done, nil
}

// graphs is the folder in which graphs lie, beside config.json and the vocabulary.
const graphs = "onnx"

func find(root fs.FS) (*published, error) {
	var tensors, all []string
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == safetensorsName:
			tensors = append(tensors, p)
		case d.Name() == "model.onnx":
			all = append([]string{p}, all...)
		case strings.HasSuffix(p, ".onnx"):
			all = append(all, p)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(tensors) > 0:
		return &published{root, tensors[0]}, nil
	case len(all) == 0:
		return nil, errors.New("it has neither " + safetensorsName + " nor a file *.onnx")
	case len(all) > 1 && path.Base(all[0]) != "model.onnx":
		return nil, fmt.Errorf("it has %s: name the file itself", strings.Join(all, ", "))
	}
	return &published{root, all[0]}, nil
}

// beside reads a file that lies beside the weights, or above a folder of graphs.
func (p *published) beside(name string) ([]byte, error) {
	folder := path.Dir(p.weights)
	in, err := fs.ReadFile(p.root, path.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) && path.Base(folder) == graphs {
		return fs.ReadFile(p.root, path.Join(path.Dir(folder), name))
	}
	return in, err
}

// vocabulary reads the pieces of words, in the order of their ids: those of a tokenizer,
// which tells how words are cut, too, before a mere list.
func (p *published) vocabulary() ([]string, error) {
	for _, name := range []string{"tokenizer.json", strings.TrimSuffix(path.Base(p.weights), ".onnx") + "-tokenizer.json"} {
		in, err := p.beside(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var list []string
		if err == nil {
			list, err = pieces(in)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return list, nil
	}
	in, err := p.beside("vocab.txt")
	if err != nil {
		return nil, fmt.Errorf("there is neither tokenizer.json nor vocab.txt beside %s: %w", p.weights, err)
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(in), "\r\n", "\n"), "\n"), "\n"), nil
}

// pieces reads tokenizer.json, and refuses one that cuts otherwise than package wordpiece.
func pieces(in []byte) ([]string, error) {
	type token struct {
		ID      int    `json:"id"`
		Content string `json:"content"`
	}
	var t struct {
		Added      []token `json:"added_tokens"`
		Normalizer struct {
			Type      string `json:"type"`
			Clean     bool   `json:"clean_text"`
			Chinese   bool   `json:"handle_chinese_chars"`
			Strip     *bool  `json:"strip_accents"`
			Lowercase bool   `json:"lowercase"`
		} `json:"normalizer"`
		Before struct {
			Type string `json:"type"`
		} `json:"pre_tokenizer"`
		Model struct {
			Type     string         `json:"type"`
			Unknown  string         `json:"unk_token"`
			Continue string         `json:"continuing_subword_prefix"`
			Pieces   map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(in, &t); err != nil {
		return nil, err
	}
	n := t.Normalizer
	switch {
	case t.Model.Type != "WordPiece" || t.Model.Continue != "##" || t.Model.Unknown != "[UNK]" || t.Before.Type != "BertPreTokenizer":
		return nil, fmt.Errorf("words are cut by %s after %s; expected WordPiece with ## and [UNK] after BertPreTokenizer", t.Model.Type, t.Before.Type)
	case n.Type != "BertNormalizer" || !n.Clean || !n.Chinese || !n.Lowercase || n.Strip != nil && !*n.Strip:
		return nil, errors.New("the normalizer is another than BertNormalizer with clean_text, handle_chinese_chars, lowercase and strip_accents, which is the one that is computed: the model tells capitals or accents apart")
	}
	ids := map[string]int{}
	maps.Copy(ids, t.Model.Pieces)
	for _, a := range t.Added {
		ids[a.Content] = a.ID
	}
	list := make([]string, len(ids))
	for piece, id := range ids {
		if id < 0 || id >= len(list) || list[id] != "" || piece == "" || strings.Contains(piece, "\n") {
			return nil, fmt.Errorf("the piece %q has the id %d: expected lines with the ids 0 to %d", piece, id, len(list)-1)
		}
		list[id] = piece
	}
	return list, nil
}
