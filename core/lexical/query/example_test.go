package query_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/core/lexical/query"
)

func ExampleParse() {
	for _, c := range query.Parse(`title:tide "high water" -fog`).Clauses {
		fmt.Print(c.Kind, c.Field, c.Exclude)
		for _, t := range c.Terms {
			fmt.Printf(" %d %s", t.Position, t.Text)
		}
		fmt.Println()
	}
	// Output:
	// 0 1 false 0 tide
	// 4 0 false 0 high 1 water
	// 0 0 true 0 fog
}
