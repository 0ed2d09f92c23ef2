package wazero

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// cacheFolder returns the folder for one engine's compiled code, made when
// missing. What lies there is executed, so it is open to this user alone, and
// nobody else can put another in its place.
func cacheFolder(root, digest string) (string, error) {
	folder := filepath.Join(root, strings.TrimPrefix(digest, "sha256:"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
	}
	if err := errors.Join(private(root, 0o022), private(folder, 0o077)); err != nil {
		return "", abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
	}
	return folder, nil
}

// emptyCache removes what a cache folder holds, and keeps the folder.
func emptyCache(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
	}
	return nil
}
