package worktree_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sandbox is a vault in a real repository, and what a person may do to it.
type sandbox struct {
	testing.TB
	top   string // of the repository
	root  string // of the vault
	store *worktree.Store
}

// newSandbox makes a repository with the vault in its folder sub, and commits
// the files: pairs of a name and a text.
func newSandbox(t testing.TB, sub string, files ...string) *sandbox {
	t.Helper()
	vaulttest.NeedsGit(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &sandbox{TB: t, top: top, root: filepath.Join(top, sub)}
	must(t, os.MkdirAll(w.root, 0o755))
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.name", "Person")
	w.git("config", "user.email", "person@example.com")
	for i := 0; i < len(files); i += 2 {
		w.save(files[i], files[i+1])
	}
	if len(files) > 0 {
		w.git("add", "-A")
		w.git("commit", "-q", "-m", "a person's beginning")
	}
	w.reopen()
	return w
}

// reopen opens the vault as a new process would.
func (w *sandbox) reopen() {
	w.Helper()
	repo, err := gitstore.FindRepo(w.top)
	must(w, err)
	w.store, err = worktree.Open(w.root, vaulttest.Ports(repo), worktree.Options{})
	must(w, err)
}

func (w *sandbox) path(name string) string { return filepath.Join(w.root, name) }

func (w *sandbox) save(name, text string) {
	w.Helper()
	must(w, os.MkdirAll(filepath.Dir(w.path(name)), 0o755))
	must(w, os.WriteFile(w.path(name), []byte(text), 0o644))
}

// text returns a file's text, or a word that says it is not there.
func (w *sandbox) text(name string) string {
	w.Helper()
	b, err := os.ReadFile(w.path(name))
	if os.IsNotExist(err) {
		return "(none)"
	}
	must(w, err)
	return string(b)
}

func (w *sandbox) git(args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.top
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.Fatalf("git %s: %v\n%s%s", strings.Join(args, " "), err, stderr.String(), out)
	}
	return strings.TrimRight(string(out), "\n")
}

// committed returns a file's text in HEAD.
func (w *sandbox) committed(name string) string {
	w.Helper()
	rel, err := filepath.Rel(w.top, w.path(name))
	must(w, err)
	cmd := exec.Command("git", "show", "HEAD:"+filepath.ToSlash(rel))
	cmd.Dir = w.top
	out, err := cmd.Output()
	if err != nil {
		return "(none)"
	}
	return string(out)
}

// commit locks, commits and unlocks.
func (w *sandbox) commit(c *vault.Change) (vault.Receipt, error) {
	w.Helper()
	unlock, err := w.store.Lock(context.Background(), c.Verb)
	must(w, err)
	defer unlock()
	return w.store.Commit(context.Background(), c)
}

// done commits what must succeed.
func (w *sandbox) done(c *vault.Change) vault.Receipt {
	w.Helper()
	r, err := w.commit(c)
	must(w, err)
	return r
}

// want compares two texts.
func (w *sandbox) want(what, got, want string) {
	w.Helper()
	if got != want {
		w.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}

// clean checks what must hold after every write: a sound repository, no
// leftovers, and of uncommitted things only those given, as git status prints them.
func (w *sandbox) clean(status ...string) {
	w.Helper()
	w.want("git fsck", w.git("fsck", "--no-dangling", "--no-progress"), "")
	w.want("git status", w.git("status", "--porcelain", "-uall"), strings.Join(status, "\n"))
	w.want("leftovers", strings.Join(w.leftovers(), "\n"), "")
}

// leftovers returns temporary files, intents, markers and git's locks.
func (w *sandbox) leftovers() []string {
	w.Helper()
	var found []string
	_ = filepath.WalkDir(w.top, func(name string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(w.top, name)
		base := filepath.Base(name)
		switch state := strings.HasPrefix(rel, ".git/cp/"); {
		case err != nil || d.IsDir() || strings.Contains(rel, "/displaced/"):
		case strings.HasSuffix(base, ".tmp"), strings.HasSuffix(base, ".lock"), base == "gc.pid", base == "holder",
			state && strings.Contains(rel, "/tx/") && !strings.HasSuffix(base, ".done"), state && strings.Contains(rel, "/mark/") && base != "cas": // the last commit's record
			found = append(found, rel)
		}
		return nil
	})
	return found
}

// state is everything that a write may change: files, index and HEAD's tree.
func (w *sandbox) state() map[string]string {
	w.Helper()
	state := map[string]string{
		"index": w.git("ls-files", "-s"), "HEAD": w.git("ls-tree", "-r", "HEAD"),
		"status": w.git("status", "--porcelain", "-uall", "--ignored"),
	}
	must(w, filepath.WalkDir(w.top, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			err = fs.SkipDir
		}
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(w.top, name)
		state[rel] = "folder"
		if !d.IsDir() {
			state[rel] = w.text(rel)
		}
		return nil
	}))
	return state
}

func entry(id string) *pointer.Entry {
	return &pointer.Entry{ID: id, Title: "T " + id, Summary: "when " + id}
}

func addPointer(path vault.Path, id string) vault.Edit {
	return vault.Edit{Path: path, Steps: []vault.Step{{Op: vault.OpAddPointer, Entry: entry(id)}}}
}

func removePointer(path vault.Path, id vault.ID) vault.Edit {
	return vault.Edit{Path: path, Steps: []vault.Step{{Op: vault.OpRemovePointer, ID: id}}}
}

// memory is the text of a memory with an id and prose.
func memory(id, prose string) string {
	return "---\nid: " + id + "\ntitle: " + id + "\n---\n" + prose + "\n"
}

// block is a pointer block as it is written after prose.
func block(ids ...string) string {
	lines := make([]string, len(ids))
	for i, id := range ids {
		lines[i] = `  {"id": "` + id + `", "title": "T ` + id + `", "summary": "when ` + id + `"}`
	}
	return "\n" + pointer.Start + "\n[\n" + strings.Join(lines, ",\n") + "\n]\n" + pointer.End + "\n"
}
