// Package artifact holds the engines that a binary carries: the one built from
// this tree and those of earlier releases, kept so that their replies can be
// replayed for ever.
//
// The module is built by
//
//	GOOS=wasip1 GOARCH=wasm GOEXPERIMENT=simd go build -buildmode=c-shared \
//		-trimpath -buildvcs=false -o FILE \
//		-ldflags='-s -w -buildid= -X=runtime.godebugDefault=gcstoptheworld=1' ./wasm/module
//
// (see wasm/module for the last flag) and finished by wasm/artifact/link, which bounds its memory, compares it with
// surface.txt and puts it into built/. The same tree gives the same bytes
// wherever it is built: see TestReproducible. built/ is not committed; a binary
// made without it has no engine and says so.
//
// surface.txt lists what the module imports and exports, and its memory. A change
// there is a change of contract and is reviewed as one.
package artifact

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
	"sync"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

//go:embed all:built
var builtFiles embed.FS

//go:embed all:released
var releasedFiles embed.FS

// name is the file in built/ that link writes.
const name = "rookhaven.wasm"

// Digest returns "sha256:" and the 64 hexadecimal digits of the file's SHA-256,
// which is what an engine is called by.
func Digest(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Built returns the engine that this binary was built with and its digest. It is
// not ok where the binary was built without one.
func Built() (wasm []byte, digest string, ok bool) {
	e := built()
	return e.wasm, e.digest, e.wasm != nil
}

type engine struct {
	wasm   []byte
	digest string
}

var built = sync.OnceValue(func() engine {
	wasm, err := builtFiles.ReadFile("built/" + name)
	if err != nil {
		return engine{}
	}
	return engine{wasm, Digest(wasm)}
})

// Absent is the error of a binary without an engine.
func Absent() error {
	return abi.Errorf(abi.EngineAbsent, "this binary was built without an engine")
}

// Released returns the digests of the engines of earlier releases, in order.
func Released() []string {
	var digests []string
	entries, _ := fs.ReadDir(releasedFiles, "released")
	for _, e := range entries {
		if hex, ok := strings.CutSuffix(e.Name(), ".wasm"); ok {
			digests = append(digests, "sha256:"+hex)
		}
	}
	return digests
}

// Release returns the engine of an earlier release, or the built one, by digest.
// It is not checked: see [Check].
func Release(digest string) (wasm []byte, ok bool) {
	if wasm, d, ok := Built(); ok && d == digest {
		return wasm, true
	}
	hex, ok := strings.CutPrefix(digest, "sha256:")
	if !ok {
		return nil, false
	}
	wasm, err := releasedFiles.ReadFile("released/" + hex + ".wasm")
	return wasm, err == nil
}

// Known reports whether an engine is the built one or a released one. Others run
// in a way that lets them be ended from outside, which is slower.
func Known(digest string) bool {
	_, ok := Release(digest)
	return ok
}
