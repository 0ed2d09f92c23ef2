package peer

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has used so far. It is read from /proc, and zero on
// systems that have none. CPU counts all threads, in steps of 10 ms.
type Usage struct {
	CPU            time.Duration
	Resident, Peak int64 // bytes
}

// Usage returns what the peer has used so far.
func (p *Process) Usage() Usage {
	process := fmt.Sprintf("/proc/%d/", p.cmd.Process.Pid)
	var u Usage
	if stat, err := os.ReadFile(process + "stat"); err == nil {
		u.CPU = processorTime(string(stat))
	}
	if status, err := os.ReadFile(process + "status"); err == nil {
		u.Resident, u.Peak = statusBytes(string(status), "VmRSS"), statusBytes(string(status), "VmHWM")
	}
	return u
}

// processorTime returns fields 14 and 15 of proc(5)'s stat, of 1/100 s each.
// Field 2 is the name in parentheses and may hold anything.
func processorTime(stat string) time.Duration {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

func statusBytes(status, name string) int64 {
	for line := range strings.Lines(status) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			kB, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
			return kB * 1024
		}
	}
	return 0
}
