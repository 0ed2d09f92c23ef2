package planted

import (
	"runtime"
	"strconv"
)

// garbage is kept from being optimized away.
var garbage []byte

func collections([]string) string {
	var m runtime.MemStats
	for range 2000 {
		garbage = make([]byte, 1<<14)
	}
	runtime.ReadMemStats(&m)
	return strconv.Itoa(int(m.NumGC))
}
