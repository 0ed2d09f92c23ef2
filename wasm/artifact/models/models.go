// Package models holds the encoder of texts that a binary carries, as data for the
// engine. README.md says where its weights come from and how the file is made.
package models

import (
	_ "embed"
)

// MiniLM is all-MiniLM-L6-v2 in the form of core/embed/model.
//
//go:embed minilm-l6-v2.rkm
var MiniLM []byte

// MiniLMDigest is the SHA-256 of MiniLM, which is what the model is called by.
const MiniLMDigest = "sha256:a65bb1267886caea0212f496c5e0af3e40c2071056b493faeefe691b90a5504b"
