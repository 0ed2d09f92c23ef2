//go:build !wasmtime

// Command worker is built with the tag wasmtime only.
package main

func main() { panic("build with -tags wasmtime") }
