package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
	"github.com/cp-memory/cp/vault"
)

// Switch is the setting by which an agent's own memory is off: false, at a path of keys in its
// JSON settings.
type Switch struct {
	File string
	Path []string
}

func (s Switch) state(text []byte) (State, error) {
	raw, err := splice.Get(text, s.Path)
	switch {
	case err != nil:
		return Broken, err
	case string(raw) == "false":
		return Current, nil
	}
	return Missing, nil
}

func (s Switch) apply(text []byte) ([]byte, error) {
	return splice.Set(text, s.Path, []byte("false"))
}

func (s Switch) remove(text []byte) ([]byte, error) { return splice.Delete(text, s.Path) }

func (s Switch) snippet() string {
	out, _ := s.apply([]byte("{}\n"))
	return string(out)
}

func (Switch) form() form { return form{blank: "{}\n", settings: true} }

func (Switch) says([]byte) said { return said{} }

// ownMemory says which is for what where an agent keeps a memory of its own, how that is switched
// off, and how what it holds comes here.
func (p Place) ownMemory(a Agent, scope Scope) (notes []string) {
	off := a.Forget
	if a.SiteFor(scope).Own.File != "" {
		off = "cp memory setup " + a.Name + " --" + string(scope) + " --only own"
	}
	if off != "" {
		notes = append(notes, a.Title+" may keep a memory of its own: that is for how it works with you, this one for what holds for the project. This switches the other off: "+off)
	}
	if dir, n := p.ownNotes(a); n > 0 {
		notes = append(notes, "it holds "+vault.Plural(n, "note", "notes")+" of this project. This brings them in: cp memory import --from "+strings.Split(a.Name, "-")[0]+" "+QuotePath(dir)+" --dry-run")
	}
	return notes
}

// ProjectFolder is how Claude Code and Qwen Code name the folder of a project.
func ProjectFolder(dir string) string { return noWord().ReplaceAllString(dir, "-") }

var noWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9]`) })

// ownNotes counts the notes of an agent's own memory: its files, or where all stands in one, the
// parts of that.
func (p Place) ownNotes(a Agent) (dir string, n int) {
	if a.Keeps == "" {
		return "", 0
	}
	dir = p.path(strings.Replace(a.Keeps, "*", ProjectFolder(p.Dir), 1))
	files, _ := filepath.Glob(filepath.Join(dir, "*.md"))
	index, _ := os.ReadFile(filepath.Join(dir, "MEMORY.md"))
	if groups := bytes.Count(append([]byte("\n"), index...), []byte("\n# Task Group")); groups > 0 {
		return dir, groups
	}
	if len(index) > 0 {
		n = -1
	}
	return dir, n + len(files)
}
