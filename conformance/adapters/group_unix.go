//go:build unix

package adapters

import (
	"os/exec"
	"syscall"
)

// group makes a browser the head of a process group, so that end reaches what it starts.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
