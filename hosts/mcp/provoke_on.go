//go:build provoke

package mcp

import (
	"bytes"
	"fmt"
)

// provoke prints to where stdout was and panics, when a test asks for it: stdout
// must hold the protocol only. Binaries that are shipped lack this file.
func provoke(arguments []byte) {
	if bytes.Contains(arguments, []byte("provoke a panic")) {
		fmt.Println("a stray line")
		println("another one")
		panic("provoked")
	}
}
