package wazero

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// A seal is a file beside the compiled code that says what lies there: each file's
// name, size and CRC-32C. wazero checks the code itself only, and not the table of
// where its functions begin: one changed bit there runs something else, or asks for
// all the memory there is. A checksum is enough, since who may write in the folder
// could write the seal, too.
const sealName = "seal"

// seal writes what lies in a folder into its seal.
func seal(folder string) error {
	content, err := inventory(folder)
	if err == nil {
		path := filepath.Join(folder, sealName)
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, content) {
			return nil
		}
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		return abi.Errorf(abi.StorageFailed, "the cache of compiled engines: %s", err.Error())
	}
	return nil
}

// sealIntact reports whether a folder is empty or holds what its seal says.
func sealIntact(folder string) bool {
	found, err := inventory(folder)
	if err != nil {
		return false
	}
	sealed, err := os.ReadFile(filepath.Join(folder, sealName))
	if err != nil {
		return len(found) == 0
	}
	return bytes.Equal(found, sealed)
}

// inventory lists the files of a folder by name, but for its seal and what another
// process is writing.
func inventory(folder string) ([]byte, error) {
	var list []byte
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == sealName || strings.HasSuffix(d.Name(), ".tmp") {
			return err
		}
		size, sum, err := checksum(path)
		list = fmt.Appendf(list, "%s %d %08x\n", d.Name(), size, sum)
		return err
	})
	return list, err
}

func checksum(path string) (size int64, sum uint32, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err = io.Copy(h, f)
	return size, h.Sum32(), err
}
