package planted

import (
	"math/rand/v2"
	"strconv"
)

func random([]string) string { return strconv.FormatUint(rand.Uint64(), 16) }
