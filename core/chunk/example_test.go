package chunk_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/core/chunk"
)

func ExampleMarkdown() {
	text := `---
tags: [pumps]
---
# Handbook

## Start-up

Open valve V-17 slowly.

## Parts

| part | price |
| --- | --- |
| PX-1001 | 45.50 |
`
	d, err := chunk.Markdown(text, chunk.Options{Levels: chunk.AllLevels})
	if err != nil {
		panic(err)
	}
	fmt.Println(d.Title, d.Front.Meta)
	for _, c := range d.Chunks {
		fmt.Printf("lines %d to %d, %q: %q\n", c.FirstLine, c.LastLine, c.Headings, d.Text[c.Body:c.End])
	}
	// Output:
	// Handbook {"tags":["pumps"]}
	// lines 4 to 4, ["Handbook"]: ""
	// lines 6 to 8, ["Handbook" "Start-up"]: "Open valve V-17 slowly.\n\n"
	// lines 10 to 14, ["Handbook" "Parts"]: "| part | price |\n| --- | --- |\n| PX-1001 | 45.50 |\n"
}
