//go:build !wasip1

package main

func main() {
	panic("this program is built for wasip1 only: make wasm")
}
