package planted

import (
	"hash/maphash"
	"strconv"
)

func hashSeed([]string) string {
	return strconv.FormatUint(maphash.String(maphash.MakeSeed(), "crane"), 16)
}
