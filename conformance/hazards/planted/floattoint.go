package planted

import "strconv"

func floatToInt(question []string) string {
	huge := 1e30 * float64(len(question)+1)
	return strconv.FormatInt(int64(huge), 10)
}
