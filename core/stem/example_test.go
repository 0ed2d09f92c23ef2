package stem_test

import (
	"fmt"

	"github.com/rookhaven-project/rookhaven/core/stem"
)

func ExampleStemmer_Stem() {
	s, _ := stem.New("en-GB")
	for _, word := range []string{"connect", "connected", "connections", "inv-004"} {
		fmt.Println(s.Stem(word))
	}
	// Output:
	// connect
	// connect
	// connect
	// inv-004
}
