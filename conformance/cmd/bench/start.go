package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":"crane faults and tide windows"}}}` + "\n"

// start prints how long a new process takes to answer initialize and a first call.
func start(b *bench) error {
	fmt.Println("\nstart of rookhaven mcp on the bundled corpus, from exec; milliseconds")
	fmt.Printf("%12s %24s %24s\n", "cache", "initialize p50 / max", "first call p50 / max")
	for _, warm := range []bool{false, true} {
		var first, answered sample
		folder, err := os.MkdirTemp("", "rookhaven-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		for i := range b.choose(10, 3) + 1 {
			home := folder
			if !warm {
				home = filepath.Join(folder, fmt.Sprint(i))
			}
			a, c, err := startOnce(home)
			if err != nil {
				return err
			}
			if i > 0 { // the first run warms the caches of the machine, and ours where it is kept
				first.add(a)
				answered.add(c)
			}
		}
		fmt.Printf("%12s %13.1f / %8.1f %13.1f / %8.1f\n", map[bool]string{false: "empty", true: "warm"}[warm], first.at(.5), first.at(1), answered.at(.5), answered.at(1))
	}
	return nil
}

func startOnce(home string) (first, answered time.Duration, err error) {
	cmd := exec.Command("bin/rookhaven", "mcp", "--corpus", example)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "XDG_DATA_HOME="+filepath.Join(home, "data"), "ROOKHAVEN_LOG_LEVEL=error")
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	from := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	lines := bufio.NewReader(out)
	if first, err = timed(in, lines, initialize, from); err == nil {
		answered, err = timed(in, lines, call, from)
	}
	in.Close()
	_, _ = io.Copy(io.Discard, lines)
	if err := cmd.Wait(); err != nil {
		return 0, 0, err
	}
	return first, answered, err
}

func timed(in io.Writer, out *bufio.Reader, message string, from time.Time) (time.Duration, error) {
	if _, err := io.WriteString(in, message); err != nil {
		return 0, err
	}
	_, err := out.ReadBytes('\n')
	return time.Since(from), err
}
