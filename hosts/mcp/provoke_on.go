//go:build provoke

package mcp

import (
	"bytes"
	"fmt"

	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

// provoke prints to where stdout was and panics, when a test asks for it: stdout
// must hold the protocol only. Binaries that are shipped lack this file.
func provoke(arguments []byte) error {
	if bytes.Contains(arguments, []byte("provoke a panic")) {
		fmt.Println("a stray line")
		println("another one")
		panic("provoked")
	}
	if bytes.Contains(arguments, []byte("provoke a stuck engine")) {
		return abi.Errorf(abi.EngineStuck, "provoked")
	}
	return nil
}
