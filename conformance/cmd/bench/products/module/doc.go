//go:build !wasip1

// Command module is package products as a module, multiply(n), whose host holds the clock.
package main

func main() { panic("build with GOOS=wasip1 GOARCH=wasm -buildmode=c-shared") }
