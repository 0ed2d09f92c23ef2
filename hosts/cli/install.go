package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rookhaven-project/rookhaven/hosts/internal/atomicfile"
	"github.com/rookhaven-project/rookhaven/hosts/internal/clientfile"
	"github.com/rookhaven-project/rookhaven/wasm/abi"
)

type installVerb struct {
	Client string  `required:"" placeholder:"NAME" help:"claude-desktop, claude-code, cursor, vscode, codex, opencode, windsurf, jetbrains or copilot."`
	Corpus *string `placeholder:"FILE" help:"The corpus that the client's server opens."`
	File   string  `placeholder:"FILE" help:"The client's file, where it is not the usual one."`
	Print  bool    `xor:"do" help:"Only print what would be written, to be pasted by hand."`
	Undo   bool    `xor:"do" help:"Take the entry out again."`
}

func (installVerb) Help() string {
	return `Writes an entry named rookhaven into the client's file and leaves everything else in it as it is, comments too. The file as it was stays beside it, with .bak at its name's end. A file that cannot be parsed is not touched.

	rookhaven install --client claude-desktop --corpus docs.jsonl
	rookhaven install --client codex --print
	rookhaven install --client cursor --undo`
}

func (v *installVerb) Run(r *run) error {
	client, ok := clientfile.Find(v.Client)
	if !ok {
		return &abi.Error{Code: abi.ArgumentInvalid, Sentence: unknown("unknown client ", v.Client, clientfile.Names()).Sentence}
	}
	path := v.File
	if path == "" {
		path = client.Path(clientfile.Place{GOOS: r.GOOS, Home: r.Home, Dir: r.Dir, Env: r.Env, Exists: exists})
	}
	cmd, err := v.command(r, client)
	switch {
	case err != nil:
		return err
	case v.Print:
		if path != "" {
			_, _ = io.WriteString(r.Stderr, "for "+client.Title+", in "+path+":\n")
		}
		if _, err := io.WriteString(r.Stdout, client.Snippet(cmd)); err != nil {
			return unwritable(err)
		}
		return nil
	case path == "":
		return abi.Errorf(abi.ArgumentInvalid, "%s has no known file on this system: give it with --file", client.Title)
	}
	return v.write(r, client, path, cmd)
}

func (v *installVerb) write(r *run, client *clientfile.Client, path string, cmd clientfile.Command) error {
	// Who keeps the file elsewhere and links to it wants it to stay there.
	path = atomicfile.Target(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return abi.Errorf(abi.ClientRefused, "%s is not touched: it is no regular file; --print shows what to write there by hand", path)
	}
	if v.Corpus != nil {
		if err := spare(path, r.abs(*v.Corpus), "corpus"); err != nil {
			return err
		}
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &abi.Error{Code: abi.FileUnreadable, Sentence: err.Error()}
	}
	var edited []byte
	if v.Undo {
		edited, err = client.Remove(old)
	} else {
		edited, err = client.Install(old, cmd)
	}
	switch {
	case err != nil:
		return abi.Errorf(abi.ClientRefused, "%s is not touched: %s; --print shows what to write there by hand", path, err.Error())
	case bytes.Equal(old, edited):
		r.printf("%s is as it should be: nothing to do", path)
		return nil
	}
	if err := replace(path, old, edited); err != nil {
		return unwritable(err)
	}
	if v.Undo {
		r.printf("removed rookhaven from %s", path)
		return nil
	}
	r.printf("wrote rookhaven into %s", path)
	r.printf("  %s %s", cmd.Path, strings.Join(cmd.Args, " "))
	r.printf("%s", client.After(v.personal(r, cmd)))
	return nil
}

// replace writes the new content, and the old one beside it.
func replace(path string, old, edited []byte) error {
	mode := fs.FileMode(0o600) // such files may hold keys
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
		if err := atomicfile.Write(path+".bak", old, mode); err != nil {
			return err
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, edited, mode)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// command is how the client starts this program. In a file that is shared with
// others, the name alone is right where it finds this program.
func (v *installVerb) command(r *run, client *clientfile.Client) (clientfile.Command, error) {
	cmd := clientfile.Command{Path: r.Executable, Args: []string{"mcp"}}
	if client.Project && onPath(r.Executable) {
		cmd.Path = "rookhaven"
	}
	if v.Corpus != nil {
		path := r.abs(*v.Corpus)
		if !v.Undo && !exists(path) {
			return cmd, abi.Errorf(abi.CorpusUnreadable, "there is no file %s", path)
		}
		cmd.Args = append(cmd.Args, "--corpus", path)
	}
	return cmd, nil
}

// personal is the command as it works for this user in any folder.
func (v *installVerb) personal(r *run, cmd clientfile.Command) clientfile.Command {
	cmd.Path = r.Executable
	return cmd
}

func onPath(executable string) bool {
	found, err := exec.LookPath("rookhaven")
	if err != nil {
		return false
	}
	a, err1 := os.Stat(found)
	b, err2 := os.Stat(executable)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
