package planted

import (
	"math"
	"strconv"
)

func nan(question []string) string {
	zero := float64(len(question) - len(question))
	return strconv.FormatUint(math.Float64bits(zero/zero), 16)
}
