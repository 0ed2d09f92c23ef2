//go:build !unix

package adapters

import "os/exec"

func group(*exec.Cmd) {}

func end(cmd *exec.Cmd) { cmd.Process.Kill() }
