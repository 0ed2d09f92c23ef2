// Package clientfile writes rookhaven into the configuration files of MCP
// clients, and takes it out again.
//
// Such a file belongs to its user: what is in it stays as it is, with its order,
// its comments and its line ends; only the entry named rookhaven is written,
// replaced or removed. A file that cannot be parsed, or whose form leaves no safe
// place for the entry, is refused and not touched. After each edit the file is
// parsed again and compared with the one before: all but our entry must be equal.
// See TestEditKeepsTheRest.
package clientfile

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Client is a program that starts MCP servers.
type Client struct {
	Name  string
	Title string
	// Project says that the file belongs to a project and is shared with others
	// who work on it; else it is the user's own.
	Project bool

	after func(Command) string
	toml  bool
	path  func(Place) string
	keys  []string // the object that holds the entries
	entry func(Command) []member
}

// A Place is where files are looked for.
type Place struct {
	GOOS   string
	Home   string
	Dir    string // the project
	Env    func(string) string
	Exists func(path string) bool
}

// A Command is how a client starts rookhaven.
type Command struct {
	Path string
	Args []string
}

// A member is a name and a string, a list of strings, a bool, or an object
// without members (nil).
type member struct {
	name  string
	value any
}

// After says what the user does when the entry is written. The command is the one
// that works for this user alone, in any folder.
func (c *Client) After(cmd Command) string { return c.after(cmd) }

func say(text string) func(Command) string { return func(Command) string { return text } }

func claudeCode(cmd Command) string {
	words := []string{shell(cmd.Path)}
	for _, arg := range cmd.Args {
		words = append(words, shell(arg))
	}
	return "Start claude in this folder and allow the server; or instead, for yourself only: claude mcp add rookhaven -- " + strings.Join(words, " ")
}

// shell writes a word as a shell reads it.
func shell(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/\\:._-+@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Path returns the file of the client, "" where it has none on this system.
func (c *Client) Path(p Place) string { return c.path(p) }

// Clients returns all, by name.
func Clients() []Client { return slices.Clone(clients) }

// Names returns the names of all clients.
func Names() []string {
	names := make([]string, len(clients))
	for i := range clients {
		names[i] = clients[i].Name
	}
	return names
}

// Find returns the client with a name.
func Find(name string) (*Client, bool) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, false
	}
	return &clients[i], true
}

var clients = []Client{
	{
		Name: "claude-desktop", Title: "Claude Desktop", keys: []string{"mcpServers"}, entry: plain, path: claudeDesktop,
		after: say("Quit Claude Desktop and start it again."),
	},
	{
		Name: "claude-code", Title: "Claude Code", Project: true, keys: []string{"mcpServers"}, entry: plain, path: inProject(".mcp.json"),
		after: claudeCode,
	},
	{
		Name: "cursor", Title: "Cursor", keys: []string{"mcpServers"}, entry: plain, path: inHome(".cursor", "mcp.json"),
		after: say("Open Cursor's settings, section MCP, and switch rookhaven on."),
	},
	{
		Name: "vscode", Title: "VS Code", Project: true, keys: []string{"servers"}, entry: typed("stdio"), path: inProject(".vscode", "mcp.json"),
		after: say("Open .vscode/mcp.json in VS Code and choose Start above the entry."),
	},
	{
		Name: "codex", Title: "Codex", toml: true, keys: []string{"mcp_servers"}, entry: plain, path: codex,
		after: say("Start codex again."),
	},
	{
		Name: "opencode", Title: "OpenCode", Project: true, keys: []string{"mcp"}, entry: openCode, path: openCodePath,
		after: say("Start opencode again."),
	},
	{
		Name: "windsurf", Title: "Windsurf", keys: []string{"mcpServers"}, entry: plain, path: windsurf,
		after: say("Open Windsurf's settings, section MCP servers, and refresh."),
	},
	{
		Name: "jetbrains", Title: "JetBrains (Junie)", keys: []string{"mcpServers"}, entry: plain, path: inHome(".junie", "mcp", "mcp.json"),
		after: say("Start the IDE again. For AI Assistant, paste the output of --print under Settings, Tools, AI Assistant, MCP."),
	},
	{
		Name: "copilot", Title: "Copilot CLI", keys: []string{"mcpServers"}, entry: copilot, path: inHome(".copilot", "mcp-config.json"),
		after: say("Start copilot again."),
	},
}

func plain(c Command) []member {
	return []member{{"command", c.Path}, {"args", c.Args}}
}

func typed(kind string) func(Command) []member {
	return func(c Command) []member { return append([]member{{"type", kind}}, plain(c)...) }
}

func openCode(c Command) []member {
	return []member{{"type", "local"}, {"command", append([]string{c.Path}, c.Args...)}, {"enabled", true}}
}

func copilot(c Command) []member {
	return append(typed("local")(c), member{"tools", []string{"*"}})
}

func inHome(parts ...string) func(Place) string {
	return func(p Place) string {
		if p.Home == "" {
			return ""
		}
		return filepath.Join(append([]string{p.Home}, parts...)...)
	}
}

func inProject(parts ...string) func(Place) string {
	return func(p Place) string { return filepath.Join(append([]string{p.Dir}, parts...)...) }
}

func claudeDesktop(p Place) string {
	const file = "claude_desktop_config.json"
	switch p.GOOS {
	case "darwin":
		return inHome("Library", "Application Support", "Claude", file)(p)
	case "windows":
		if dir := p.Env("APPDATA"); dir != "" {
			return filepath.Join(dir, "Claude", file)
		}
		return ""
	}
	return inHome(".config", "Claude", file)(p)
}

func codex(p Place) string {
	if dir := p.Env("CODEX_HOME"); dir != "" {
		return filepath.Join(dir, "config.toml")
	}
	return inHome(".codex", "config.toml")(p)
}

func openCodePath(p Place) string {
	if path := inProject("opencode.jsonc")(p); p.Exists(path) {
		return path
	}
	return inProject("opencode.json")(p)
}

// windsurf returns the documented file, or the other one that some versions read
// where that is there.
func windsurf(p Place) string {
	if other := inHome(".windsurf", "mcp.json")(p); other != "" && p.Exists(other) {
		return other
	}
	return inHome(".codeium", "windsurf", "mcp_config.json")(p)
}
