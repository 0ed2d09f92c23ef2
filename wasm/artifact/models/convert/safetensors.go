package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// safetensors are the tensors of a file in the form of that name: u64 size of a header
// in JSON, the header, the bytes.
type safetensors struct {
	entries map[string]tensor
	prefix  string // of all names
}

func readSafetensors(in []byte) (*safetensors, error) {
	if len(in) < 8 || binary.LittleEndian.Uint64(in) > uint64(len(in)-8) {
		return nil, errors.New("it is cut off")
	}
	size := int(binary.LittleEndian.Uint64(in))
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(in[8:8+size], &raw); err != nil {
		return nil, err
	}
	s, data := &safetensors{entries: map[string]tensor{}}, in[8+size:]
	for name, entry := range raw {
		if name == "__metadata__" {
			continue
		}
		var e struct {
			Type    string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		if err := json.Unmarshal(entry, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > len(data) {
			return nil, fmt.Errorf("%s: it does not fit", name)
		}
		s.entries[name] = tensor{kind: e.Type, shape: e.Shape, data: data[e.Offsets[0]:e.Offsets[1]]}
		if strings.HasPrefix(name, "bert.") {
			s.prefix = "bert."
		}
	}
	return s, nil
}

func (s *safetensors) tensor(name string) (tensor, error) {
	t, ok := s.entries[s.prefix+name]
	if !ok {
		return t, fmt.Errorf("there is no %s", s.prefix+name)
	}
	return t, nil
}

func (s *safetensors) weights(layer string) (tensor, error) { return s.tensor(layer + ".weight") }
