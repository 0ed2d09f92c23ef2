//go:build ignore

// Command ccc writes ccc.json, the canonical combining classes, which the npm
// package does not have. Each entry is first character, last character, class.
//
//	go run ccc.go
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const version = "17.0.0"

func main() {
	if norm.Version != version {
		log.Fatalf("x/text is of Unicode %s, want %s: the toolchain decides", norm.Version, version)
	}
	var rows []string
	for first := rune(0); first <= unicode.MaxRune; {
		class := classOf(first)
		last := first
		for last < unicode.MaxRune && classOf(last+1) == class {
			last++
		}
		if class != 0 {
			rows = append(rows, fmt.Sprintf("[%d, %d, %d]", first, last, class))
		}
		first = last + 1
	}
	out := "[\n" + strings.Join(rows, ",\n") + "\n]\n"
	if err := os.WriteFile("ccc.json", []byte(out), 0o644); err != nil {
		log.Fatal(err)
	}
}

func classOf(r rune) uint8 {
	if r >= 0xd800 && r <= 0xdfff {
		return 0
	}
	return norm.NFC.PropertiesString(string(r)).CCC()
}
