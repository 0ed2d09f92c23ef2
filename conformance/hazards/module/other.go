//go:build !wasip1

// Command module is built for wasip1 only.
package main

func main() { panic("this program is built for wasip1 only") }
