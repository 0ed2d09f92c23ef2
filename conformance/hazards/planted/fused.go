package planted

import (
	"math"
	"strconv"
)

func fused(question []string) string {
	sum, bits := 0.1*float64(len(question)), uint64(0)
	for i := range 2000 {
		sum = sum*0.999 + 1/float64(i+3)
		bits = bits*31 + math.Float64bits(sum)
	}
	return strconv.FormatUint(bits, 16)
}
