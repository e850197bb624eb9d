package setup

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/vault"
)

// Place is where agents are set up.
type Place struct {
	Home    string                       // the person's folder
	Dir     string                       // the project's
	Vault   string                       // the vault of agents that have no working folder; may be empty
	Program string                       // the absolute path of this program, whatever its name
	System  string                       // darwin, linux
	Env     func(string) string          // the environment
	Look    func(string) (string, error) // finds a program on the PATH

	Prompts  bool // memories are looked up for each prompt
	Captures bool // the end of a session is kept
	NoFiles  bool // what is known of a file is not told where an agent reads or changes it

	tools bool // the agent that is looked at has our tools, or will have them

	Access Access // the tools that agents may call without asking; empty leaves what is there, else all
}

// moved are the folders that a variable of the environment puts elsewhere.
var moved = [...]struct{ path, variable, name string }{
	{"~/.claude.json", "CLAUDE_CONFIG_DIR", ".claude.json"},
	{"~/.claude", "CLAUDE_CONFIG_DIR", ""},
	{"~/.codex", "CODEX_HOME", ""},
	{"~config", "XDG_CONFIG_HOME", ""},
}

// path returns a path of the table on this machine: absolute, links as they are. It is empty
// where there is none.
func (p Place) path(text string) string {
	if text == "" {
		return ""
	}
	all := strings.Split(text, "|")
	for _, one := range all[:len(all)-1] {
		if at := p.expandPath(one); at != "" && exists(at) {
			return at
		}
	}
	return p.expandPath(all[len(all)-1])
}

func (p Place) expandPath(text string) string {
	for _, m := range moved {
		rest, ok := strings.CutPrefix(text, m.path)
		if dir := p.Env(m.variable); ok && (rest == "" || rest[0] == '/') && filepath.IsAbs(dir) {
			return filepath.Join(dir, m.name, rest)
		}
	}
	head, rest, _ := strings.Cut(text, "/")
	switch {
	case !strings.HasPrefix(head, "~"):
		return filepath.Join(p.Dir, text)
	case p.Home == "":
		return ""
	case head == "~":
		return filepath.Join(p.Home, rest)
	case head == "~desktop" && p.System == "darwin":
		return filepath.Join(p.Home, "Library", "Application Support", rest)
	}
	return filepath.Join(p.Home, ".config", rest) // ~config, and ~desktop elsewhere
}

// HasAgent reports whether an agent is on this machine.
func (p Place) HasAgent(a Agent) bool {
	for _, sign := range a.Signs {
		if at := p.path(sign); at != "" && exists(at) {
			return true
		}
	}
	for _, program := range a.Programs {
		if p.Look == nil {
			break
		}
		if p.finds(program) {
			return true
		}
	}
	return false
}

// command is how an agent of a scope calls the program. Files that are committed name no path
// of this machine.
func (p Place) command(s Scope) string {
	if s == Project {
		return "cp-memory"
	}
	return p.Program
}

// words are how an agent of a scope calls the program as a memory. Only cp-memory is one by
// its name.
func (p Place) words(s Scope) []string {
	command := p.command(s)
	if strings.TrimSuffix(filepath.Base(command), ".exe") == Name {
		return []string{command}
	}
	return []string{command, "memory"}
}

// ways are how the agent that is looked at reaches the memory.
func (p Place) ways(s Scope) guide.Ways {
	return guide.Ways{Tools: p.tools, Program: p.hookCommand(s)}
}

// hookCommand is the same as a shell reads it.
func (p Place) hookCommand(s Scope) string {
	words := p.words(s)
	words[0] = QuotePath(words[0])
	return strings.Join(words, " ")
}

// check refuses a place in which a request cannot be carried out.
func (p Place) check(r Request) error {
	switch {
	case r.Scope == User && p.Home == "":
		return vault.Errorf(vault.CodeConfig, "set HOME, or use --project", "there is no home folder")
	case p.Program == "":
		return vault.Errorf(vault.CodeConfig, "run it by its absolute path", "this program cannot tell its own path")
	case r.Scope == User && !r.Remove:
		return Install{Program: p.Program}.checkLasts()
	}
	return nil
}

// finds reports whether a program is on the PATH.
func (p Place) finds(program string) bool {
	_, err := p.Look(program)
	return err == nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
