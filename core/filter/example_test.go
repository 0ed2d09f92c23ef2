package filter_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/core/filter"
)

func Example() {
	f, err := filter.Parse([]byte(`{"tags":"crane","date":{"lt":"2026-06","gte":"2026-05"},"draft":{"neq":true}}`))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", f.Append(nil))
	document, err := filter.Flatten(nil, []byte(`{"tags":["berth","crane"],"date":"2026-05-17"}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(f.Holds(nil, document))
	// Output:
	// {"date":{"gte":"2026-05","lt":"2026-06"},"draft":{"neq":true},"tags":{"eq":"crane"}}
	// true
}
