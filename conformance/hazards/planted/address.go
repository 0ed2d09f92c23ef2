package planted

import (
	"strconv"
	"unsafe"
)

func address(question []string) string {
	here := make([]byte, 4096+len(question))
	return strconv.FormatUint(uint64(uintptr(unsafe.Pointer(&here[0]))), 16)
}
