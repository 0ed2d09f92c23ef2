package planted

import "runtime"

func processor([]string) string {
	if runtime.GOARCH == "wasm" {
		return "slow path"
	}
	return "fast path"
}
