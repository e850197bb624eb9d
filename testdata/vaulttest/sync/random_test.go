package sync_test

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// hand is a person who does to the files whatever comes to mind.
type hand struct {
	*world
	*rand.Rand
	typed []string // words that must still stand somewhere on disk
	n     int
}

// files returns the memories' files.
func (h *hand) files() []string {
	var names []string
	h.Check(filepath.WalkDir(h.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" || d.Name() == ".cp" {
			return filepath.SkipDir
		}
		if rel, _ := filepath.Rel(h.Root, name); strings.HasSuffix(rel, ".md") && d.Type().IsRegular() {
			names = append(names, rel)
		}
		return nil
	}))
	return names
}

// file picks one of them.
func (h *hand) file() string {
	names := h.files()
	if len(names) == 0 {
		h.create()
		return h.file()
	}
	return names[h.Intn(len(names))]
}

// folder picks the root or the folder of some file's children.
func (h *hand) folder() string {
	if h.Intn(3) == 0 {
		return ""
	}
	return strings.TrimSuffix(h.file(), ".md") + "/"
}

func (h *hand) name() string { h.n++; return fmt.Sprintf("n%d", h.n) }

func (h *hand) word() string { h.n++; return fmt.Sprintf("typed%dword", h.n) }

func (h *hand) create() {
	word := h.word()
	h.typed = append(h.typed, word)
	h.Write(h.folder()+h.name()+".md", "# "+word+"\n")
}

func (h *hand) edit() {
	name, word := h.file(), h.word()
	h.typed = append(h.typed, word)
	h.Write(name, h.Disk(name)+"\n"+word+"\n")
}

func (h *hand) rename() {
	from, to := h.file(), h.folder()+h.name()+".md"
	if strings.HasPrefix(to, strings.TrimSuffix(from, ".md")+"/") {
		return
	}
	h.Rename(from, to)
	if dir := strings.TrimSuffix(from, ".md"); h.Intn(2) == 0 && h.isFolder(dir) {
		h.Rename(dir, strings.TrimSuffix(to, ".md"))
	}
}

func (h *hand) isFolder(name string) bool {
	info, err := os.Stat(filepath.Join(h.Root, name))
	return err == nil && info.IsDir()
}

func (h *hand) duplicate() { h.Write(h.folder()+h.name()+".md", h.Disk(h.file())) }

// throw deletes a file; what only it held is gone with the person's will.
func (h *hand) throw() {
	name := h.file()
	text := h.Disk(name)
	h.Unlink(name)
	h.typed = slices.DeleteFunc(h.typed, func(word string) bool { return strings.Contains(text, word) })
}

// scribble changes a line of some block or front matter.
func (h *hand) scribble() {
	name := h.file()
	lines := strings.SplitAfter(h.Disk(name), "\n")
	i := h.Intn(len(lines))
	switch line := lines[i]; {
	case strings.HasPrefix(line, "  {") && h.Intn(2) == 0:
		lines[i] = strings.Replace(line, `"summary": "`, `"summary": "`+h.word()+" ", 1)
	case strings.HasPrefix(line, "  {") && h.Intn(2) == 0:
		lines[i] = line + line
	case strings.HasPrefix(line, "  {"), strings.HasPrefix(line, "["), strings.HasPrefix(line, "<!--"):
		lines[i] = ""
	case strings.HasPrefix(line, "id:") && !strings.Contains(h.Disk(name), "\nsummary:"):
		lines[i] += "summary: " + h.word() + "\n"
	}
	h.Write(name, strings.Join(lines, ""))
}

func (h *hand) commitAll() {
	if h.Porcelain() != "" {
		h.Commit("by hand")
	}
}

// agree checks what sync promises: ids are unique, every block names the
// children and no one else, and nothing a person typed is gone.
func (h *hand) agree() {
	h.T.Helper()
	seen := make(map[vault.ID]bool)
	all := ""
	for _, name := range h.files() {
		text := h.Disk(name)
		all += text
		m := vault.Parse(vault.Path(name), []byte(text))
		if m.ID == "" || seen[m.ID] || len(m.Problems) > 0 {
			h.T.Errorf("%s has the id %q, problems %+v", name, m.ID, m.Problems)
		}
		seen[m.ID] = true
	}
	for _, word := range h.typed {
		if !strings.Contains(all, word) {
			h.T.Errorf("%s is gone", word)
		}
	}
	h.Check(h.Mirror.Parents(h.Ctx, "", func(f vault.Family) error {
		var points, children []string
		for _, e := range f.Entries {
			points = append(points, e.ID)
		}
		for _, c := range f.Children {
			children = append(children, string(c.ID))
		}
		slices.Sort(points)
		slices.Sort(children)
		if !slices.Equal(points, children) {
			h.T.Errorf("%s points to %q and has the children %q", f.Parent.Path, points, children)
		}
		return nil
	}))
}

// Whatever a person does by hand, one sync brings files, blocks and HEAD into
// agreement, a second one finds nothing, and no typed word is lost.
func TestSyncAfterAnything(t *testing.T) {
	testlevel.Check(t)
	rounds := 8
	if !testlevel.IsCheck() {
		rounds = 3
	}
	for seed := range int64(rounds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			h := &hand{world: newWorld(t), Rand: rand.New(rand.NewSource(seed))}
			acts := []func(){h.create, h.create, h.create, h.edit, h.edit, h.rename, h.rename, h.duplicate, h.throw, h.scribble, h.scribble, h.scribble, h.commitAll}
			for range 5 {
				for range 1 + h.Intn(10) {
					acts[h.Intn(len(acts))]()
				}
				h.sync(sync.Options{})
				h.agree()
				if t.Failed() {
					t.Fatal(h.Git("status", "--short"))
				}
			}
		})
	}
}
