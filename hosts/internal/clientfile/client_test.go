package clientfile

import (
	"bytes"
	"strings"
	"testing"
)

var command = Command{Path: `/opt/rook haven/bin/rookhaven`, Args: []string{"mcp", "--corpus", "/data/docs.jsonl"}}

// Each row is a file of the client, and what is in it afterwards.
var editTests = []struct{ name, client, before, after string }{
	{"no file", "claude-desktop", "", `{
  "mcpServers": {
    "rookhaven": {
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    }
  }
}
`},
	{"an empty object", "cursor", "{}", `{
  "mcpServers": {
    "rookhaven": {
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    }
  }
}`},
	{"another server, four spaces, a comment", "vscode", `{
    // what we use
    "servers": {
        "other": { "command": "x" } // keep me
    },
    "inputs": []
}
`, `{
    // what we use
    "servers": {
        "other": { "command": "x" }, // keep me
        "rookhaven": {
            "type": "stdio",
            "command": "/opt/rook haven/bin/rookhaven",
            "args": ["mcp", "--corpus", "/data/docs.jsonl"]
        }
    },
    "inputs": []
}
`},
	{"a trailing comma stays one", "vscode", `{
  "servers": {
    "other": { "command": "x" }, /* , */
  },
}
`, `{
  "servers": {
    "other": { "command": "x" }, /* , */
    "rookhaven": {
      "type": "stdio",
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    },
  },
}
`},
	{"an older entry is replaced where it stands", "copilot", `{
  "mcpServers": {
    "rookhaven": { "command": "old" },
    "other": { "command": "x" }
  }
}
`, `{
  "mcpServers": {
    "rookhaven": {
      "type": "local",
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"],
      "tools": ["*"]
    },
    "other": { "command": "x" }
  }
}
`},
	{"one line", "windsurf", `{"a":1}`, `{"a":1,
  "mcpServers": {
    "rookhaven": {
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    }
  }
}`},
	{"line ends and a byte order mark stay", "jetbrains", "\xef\xbb\xbf{\r\n\t\"mcpServers\": {}\r\n}\r\n",
		"\xef\xbb\xbf{\r\n\t\"mcpServers\": {\r\n\t\t\"rookhaven\": {\r\n\t\t\t\"command\": \"/opt/rook haven/bin/rookhaven\",\r\n\t\t\t\"args\": [\"mcp\", \"--corpus\", \"/data/docs.jsonl\"]\r\n\t\t}\r\n\t}\r\n}\r\n"},
	{"numbers keep their spelling", "claude-code", `{
  "big": 12345678901234567890.10
}
`, `{
  "big": 12345678901234567890.10,
  "mcpServers": {
    "rookhaven": {
      "command": "/opt/rook haven/bin/rookhaven",
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    }
  }
}
`},
	{"a command as a list", "opencode", `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {}
}
`, `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "rookhaven": {
      "type": "local",
      "command": ["/opt/rook haven/bin/rookhaven", "mcp", "--corpus", "/data/docs.jsonl"],
      "enabled": true
    }
  }
}
`},
	{"TOML, no file", "codex", "", `[mcp_servers.rookhaven]
command = "/opt/rook haven/bin/rookhaven"
args = ["mcp", "--corpus", "/data/docs.jsonl"]
`},
	{"TOML, other tables and comments", "codex", `model = "o9" # mine

[mcp_servers.other]
command = "x"
note = """
[mcp_servers.rookhaven]
"""
# the end`, `model = "o9" # mine

[mcp_servers.other]
command = "x"
note = """
[mcp_servers.rookhaven]
"""
# the end

[mcp_servers.rookhaven]
command = "/opt/rook haven/bin/rookhaven"
args = ["mcp", "--corpus", "/data/docs.jsonl"]
`},
	{"TOML, an older entry with a table below", "codex", `[mcp_servers.rookhaven]
command = "old"

[mcp_servers.rookhaven.env]
A = "1"

# about the other one
[mcp_servers.other]
command = "x"
`, `[mcp_servers.rookhaven]
command = "/opt/rook haven/bin/rookhaven"
args = ["mcp", "--corpus", "/data/docs.jsonl"]

[mcp_servers.rookhaven.env]
A = "1"

# about the other one
[mcp_servers.other]
command = "x"
`},
	{"TOML, members of the user's", "codex", `[mcp_servers.rookhaven]
startup_timeout_sec = 20 # slow disk
args = [
  "mcp",
]
env = { A = "1" }
# the end
`, `[mcp_servers.rookhaven]
startup_timeout_sec = 20 # slow disk
args = ["mcp", "--corpus", "/data/docs.jsonl"]
env = { A = "1" }
command = "/opt/rook haven/bin/rookhaven"
# the end
`},
	{"TOML, only a table below", "codex", `[mcp_servers.rookhaven.env]
A = "1"
`, `[mcp_servers.rookhaven]
command = "/opt/rook haven/bin/rookhaven"
args = ["mcp", "--corpus", "/data/docs.jsonl"]

[mcp_servers.rookhaven.env]
A = "1"
`},
	{"members of the user's", "cursor", `{
  "mcpServers": {
    "rookhaven": {
      "command": "old",
      "env": { "ROOKHAVEN_MAX_RECALL": "50" } // mine
    }
  }
}
`, `{
  "mcpServers": {
    "rookhaven": {
      "command": "/opt/rook haven/bin/rookhaven",
      "env": { "ROOKHAVEN_MAX_RECALL": "50" }, // mine
      "args": ["mcp", "--corpus", "/data/docs.jsonl"]
    }
  }
}
`},
}

// What Claude Code is told holds in any folder and shell.
func TestHintIsWhole(t *testing.T) {
	client, _ := Find("claude-code")
	cmd := command
	cmd.Args = append(cmd.Args[:2:2], "/data/it's here.jsonl")
	if got, want := client.After(cmd), `claude mcp add rookhaven -- '/opt/rook haven/bin/rookhaven' mcp --corpus '/data/it'\''s here.jsonl'`; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestEditKeepsTheRest(t *testing.T) {
	for _, tt := range editTests {
		client, ok := Find(tt.client)
		if !ok {
			t.Fatalf("no client %s", tt.client)
		}
		got, err := client.Install([]byte(tt.before), command)
		if err != nil || string(got) != tt.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.after)
			continue
		}
		if again, err := client.Install(got, command); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s, twice: %v\n%s", tt.name, err, again)
		}
		undone, err := client.Remove(got)
		if err != nil || strings.Contains(string(undone), "/opt/rook haven") {
			t.Errorf("%s, undone: %v\n%s", tt.name, err, undone)
		}
		if again, err := client.Remove(undone); err != nil || !bytes.Equal(again, undone) {
			t.Errorf("%s, undone twice: %v\n%s", tt.name, err, again)
		}
	}
}

// Undo gives the bytes of before back, where there was a place for the entry and
// none in it.
func TestUndo(t *testing.T) {
	for _, tt := range []struct{ client, text string }{
		{"vscode", "{\n  \"servers\": {\n    \"other\": { \"command\": \"x\" } // keep me\n  }\n}\n"},
		{"vscode", "{\n  \"servers\": {\n    \"other\": { \"command\": \"x\" }, // keep me\n  },\n}\n"},
		{"cursor", "{\n  \"mcpServers\": {}\n}\n"},
		{"codex", "a = 1\n\n[mcp_servers.other]\ncommand = \"x\"\n"},
		{"codex", ""},
	} {
		client, _ := Find(tt.client)
		in, err := client.Install([]byte(tt.text), command)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if out, err := client.Remove(in); err != nil || string(out) != tt.text {
			t.Errorf("%q became %q, then %q, %v", tt.text, in, out, err)
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, tt := range []struct{ name, client, text string }{
		{"no JSON", "cursor", `{"mcpServers": `},
		{"no object", "cursor", `[]`},
		{"entries of another type", "cursor", `{"mcpServers": []}`},
		{"the same member twice", "cursor", `{"mcpServers": {}, "mcpServers": {}}`},
		{"no TOML", "codex", `a = `},
		{"TOML with the entries in a line", "codex", `mcp_servers = { other = { command = "x" } }` + "\n"},
		{"TOML with our entry in a line", "codex", "[mcp_servers]\nrookhaven = { command = \"x\" }\n"},
	} {
		client, _ := Find(tt.client)
		if out, err := client.Install([]byte(tt.text), command); err == nil {
			t.Errorf("%s: %q became %q", tt.name, tt.text, out)
		}
	}
}

func TestPaths(t *testing.T) {
	none := func(string) bool { return false }
	linux := Place{GOOS: "linux", Home: "/home/ada", Dir: "/src/p", Env: func(string) string { return "" }, Exists: none}
	for _, tt := range []struct{ client, want string }{
		{"claude-desktop", "/home/ada/.config/Claude/claude_desktop_config.json"},
		{"claude-code", "/src/p/.mcp.json"},
		{"cursor", "/home/ada/.cursor/mcp.json"},
		{"vscode", "/src/p/.vscode/mcp.json"},
		{"codex", "/home/ada/.codex/config.toml"},
		{"opencode", "/src/p/opencode.json"},
		{"windsurf", "/home/ada/.codeium/windsurf/mcp_config.json"},
		{"jetbrains", "/home/ada/.junie/mcp/mcp.json"},
		{"copilot", "/home/ada/.copilot/mcp-config.json"},
	} {
		client, _ := Find(tt.client)
		if got := client.Path(linux); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.client, got, tt.want)
		}
	}
	mac := linux
	mac.GOOS, mac.Home = "darwin", "/Users/ada"
	client, _ := Find("claude-desktop")
	if got := client.Path(mac); got != "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json" {
		t.Errorf("claude-desktop on darwin: %s", got)
	}
	old := linux
	old.Exists = func(path string) bool { return strings.Contains(path, ".windsurf") }
	client, _ = Find("windsurf")
	if got := client.Path(old); got != "/home/ada/.windsurf/mcp.json" {
		t.Errorf("a windsurf with the other file: %s", got)
	}
}

// Whatever a file holds, it is refused or all but our entry is kept.
func FuzzEdit(f *testing.F) {
	for _, tt := range editTests {
		f.Add([]byte(tt.before))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, name := range []string{"cursor", "codex"} {
			client, _ := Find(name)
			out, err := client.Install(in, command)
			if err != nil {
				continue
			}
			if again, err := client.Install(out, command); err != nil || !bytes.Equal(again, out) {
				t.Errorf("%s: %q became %q, then %q, %v", name, in, out, again, err)
			}
			if _, err := client.Remove(out); err != nil {
				t.Errorf("%s: %q became %q, which cannot be undone: %v", name, in, out, err)
			}
		}
	})
}
