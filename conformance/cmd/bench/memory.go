package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
)

// memory prints what a process holds when a corpus of 100 MB is open.
func memory(b *bench) error {
	fmt.Println("\nresident memory of one process")
	fmt.Printf("%12s %14s %14s %18s\n", "corpus", "shards", "resident", "per 100 MB corpus")
	for _, mb := range []int{10, b.choose(100, 20)} {
		cmd := exec.Command(os.Args[0], "-resident", fmt.Sprint(mb))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return err
		}
		fmt.Print(string(out))
	}
	return nil
}

func openAndPrint(ctx context.Context, mb int) error {
	engine, err := builtEngine()
	if err != nil {
		return err
	}
	l, err := newLanguage()
	if err != nil {
		return err
	}
	documents := l.corpus(mb * 1_000_000 / 640)
	size := float64(len(documents)) / 1e6
	corpus, end, err := openPool(ctx, engine, 2, documents)
	if err != nil {
		return err
	}
	defer end()
	if _, err := ask(ctx, corpus, l.queries(20)); err != nil {
		return err
	}
	debug.FreeOSMemory()
	resident := status("VmRSS")
	fmt.Printf("%9.1f MB %14d %11.0f MB %15.0f MB\n", size, 2, resident, resident/size*100)
	return nil
}

// status returns a line of /proc/self/status in MB.
func status(name string) float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if value, ok := strings.CutPrefix(scan.Text(), name+":"); ok {
			kB, _ := strconv.ParseFloat(strings.Fields(value)[0], 64)
			return kB * 1024 / 1e6
		}
	}
	return 0
}
