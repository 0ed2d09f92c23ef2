package planted

import (
	"math"
	"strconv"
)

func exp([]string) string {
	sum := uint64(0)
	for i := range 2000 {
		sum = sum*31 + math.Float64bits(math.Exp(float64(i)/97))
	}
	return strconv.FormatUint(sum, 16)
}
