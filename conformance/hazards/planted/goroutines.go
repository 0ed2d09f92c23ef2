package planted

import (
	"runtime"
	"sync"
)

func goroutines([]string) string {
	var wait sync.WaitGroup
	var mu sync.Mutex
	s := ""
	for i := range 26 {
		wait.Go(func() {
			for range 100 * (i % 5) {
				runtime.Gosched()
			}
			mu.Lock()
			s += string(rune(0x61 + i))
			mu.Unlock()
		})
	}
	wait.Wait()
	return s
}
