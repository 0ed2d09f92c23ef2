//go:build unix

package layout

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// X11: a server that gets a tenth of a processor gives the same bytes; nothing is
// ever cut by time.
func TestX11Throttled(t *testing.T) {
	binary, file := command(t, 500)
	want := digest(t, binary, file, "LANG=C", nil)
	if got := digest(t, binary, file, "LANG=C", throttle); got != want {
		t.Errorf("throttled: %s, else %s", got, want)
	}
}

// throttle lets a process run for one millisecond in ten.
func throttle(p *os.Process, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		_ = p.Signal(syscall.SIGSTOP)
		time.Sleep(9 * time.Millisecond)
		_ = p.Signal(syscall.SIGCONT)
		time.Sleep(time.Millisecond)
	}
}
