package gitstore

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// bothEngines runs a story on each engine.
func bothEngines(t *testing.T, story func(t *testing.T, plumbing bool)) {
	for name, plumbing := range map[string]bool{"native": false, "plumbing": true} {
		t.Run(name, func(t *testing.T) {
			if plumbing {
				testlevel.Check(t)
			}
			story(t, plumbing)
		})
	}
}

func create(path, text string) vault.Edit {
	return vault.Edit{Path: vault.Path(path), Create: []byte(text)}
}

// The first commit of a repository may be ours; what the person has staged
// stays staged.
// Faults H9.
func TestUnbornBranch(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		r, state := w.open(plumbing)
		if head, err := r.Head(context.Background()); err != nil || head != (vault.Head{Branch: "refs/heads/main"}) {
			t.Fatalf("head: %+v, %v", head, err)
		}
		w.write("staged.txt", "staged\n")
		w.sh("git add staged.txt")
		w.write("a/b.md", "text\n")
		done := w.publish(r, state, newCommit("op-1", create("a/b.md", "text\n")))
		if done.Before != "" || done.Commit != strings.TrimSpace(w.sh("git rev-parse HEAD")) {
			t.Errorf("published %+v", done)
		}
		if got := strings.Join(w.status(), "|"); got != "A  staged.txt" {
			t.Errorf("status %q", got)
		}
		if got := w.sh("git ls-tree -r --name-only HEAD; git reflog --format=%gs"); got != "a/b.md\ncommit (initial): memory: test op-1\n" {
			t.Errorf("HEAD: %q", got)
		}
		w.sound(r, state)
		w.publish(r, state, newCommit("op-2", create("a/c.md", "text\n")))
		w.sound(r, state)
	})
}

// A repository without an index, as a script may make it.
func TestNoIndex(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		r, state := w.open(plumbing)
		w.write("b.md", "text\n")
		w.publish(r, state, newCommit("op-1", create("b.md", "text\n")))
		if got := w.status(); got[0] != "" {
			t.Errorf("status %q", got)
		}
		w.sound(r, state)
	})
}

// Nobody has told git a name: it never fails for that.
func TestNoIdentity(t *testing.T) {
	host, _ := os.Hostname()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	self := me.Username + "@" + host
	for agent, want := range map[string]string{"penfold": "penfold penfold", "": self + " " + self, "<\n>": self + " " + self, "a<b>c\n": "abc abc"} {
		w := newWorld(t).init("")
		w.sh("git config --unset user.name && git config --unset user.email")
		r, state := w.open(false)
		c := newCommit("op-1", create("b.md", "text\n"))
		c.Agent = agent
		w.publish(r, state, c)
		if got := strings.TrimSpace(w.sh("git log -1 --format='%an %cn %ae %ce'")); got != want+" "+self+" "+self {
			t.Errorf("agent %q: %s", agent, got)
		}
		w.sound(r, state)
	}
}

// Names given by the environment are those of git's own.
func TestIdentityFromEnvironment(t *testing.T) {
	w := newWorld(t).init("")
	r, state := w.open(false)
	t.Setenv("GIT_AUTHOR_NAME", "Ann")
	t.Setenv("GIT_AUTHOR_EMAIL", "ann@example.org")
	t.Setenv("GIT_COMMITTER_EMAIL", "com@example.org")
	c := newCommit("op-1", create("b.md", "text\n"))
	c.Agent = ""
	w.publish(r, state, c)
	if got := w.sh("git log -1 --format='%an <%ae> %cn <%ce> %ai'"); got != "Ann <ann@example.org> Pat <com@example.org> 2026-09-21 14:13:20 +0000\n" {
		t.Errorf("commit by %s", got)
	}
}

// Variables that point git elsewhere do not lead us there.
func TestForeignEnvironment(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		other := newWorld(t).init("")
		w := newWorld(t).init("")
		for name, value := range map[string]string{"GIT_DIR": other.dir + "/.git", "GIT_INDEX_FILE": other.dir + "/x", "GIT_WORK_TREE": other.dir, "GIT_OBJECT_DIRECTORY": other.dir} {
			t.Setenv(name, value)
		}
		r, state := w.open(plumbing)
		done := w.publish(r, state, newCommit("op-1", create("b.md", "text\n")))
		if _, err := os.Stat(filepath.Join(w.dir, ".git/refs/heads/main")); err != nil || done.Commit == "" {
			t.Errorf("not here: %+v, %v", done, err)
		}
	})
}

// Every state of the repository in which we must not write has a name, and the
// refusal changes nothing.
// Faults H8.
func TestBusy(t *testing.T) {
	conflict := `git switch -qc side && echo side > f && git commit -qam side && git switch -q main && echo main > f && git commit -qam main`
	for _, row := range []struct{ name, line, busy string }{
		{"merge", conflict + " && ! git merge side", "merge"},
		{"rebase", conflict + " && ! git rebase side", "rebase"},
		{"rebase by patches", conflict + " && ! git rebase --apply side", "rebase"},
		{"am", conflict + " && git format-patch -q -1 side && git reset -q --hard && ! git am -3 0001*", "am"},
		{"cherry-pick", conflict + " && ! git cherry-pick side", "cherry-pick"},
		{"revert", conflict + " && git commit -q --allow-empty -m e && ! git revert --no-edit HEAD~2", "revert"},
		{"bisect", "git bisect start", "bisect"},
		{"detached", "git switch -q --detach", "detached HEAD"},
		{"stash that conflicts", "echo s > f && git stash -q && echo t > f && git commit -qam t && ! git stash pop", "unmerged index"},
		{"the same, index v4", "git update-index --index-version 4 && echo s > f && git stash -q && echo t > f && git commit -qam t && ! git stash pop", "unmerged index"},
		{"nothing", "true", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.write("f", "first\n")
			w.sh("git add f && git commit -qm 1 && echo first2 >> f && git commit -qam 2")
			w.sh(row.line)
			r, state := w.open(false)
			head, err := r.Head(context.Background())
			if err != nil || head.Busy != row.busy {
				t.Fatalf("busy %q, want %q (%v)", head.Busy, row.busy, err)
			}
			before := w.sh("git status --porcelain=v2 --branch")
			_, err = r.Publish(context.Background(), newCommit("op-1", create("b.md", "text\n")), state)
			if row.busy == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if vault.CodeOf(err) != vault.CodeBusy || !strings.Contains(err.Error(), row.busy) {
				t.Errorf("publish: %v", err)
			}
			if after := w.sh("git status --porcelain=v2 --branch"); after != before {
				t.Errorf("status changed:\n%s\n%s", before, after)
			}
		})
	}
}

// A lock of another program is waited for, named, and left alone.
// Faults M6.
func TestForeignLock(t *testing.T) {
	for _, name := range []string{"index.lock", "HEAD.lock", "refs/heads/main.lock"} {
		bothEngines(t, func(t *testing.T, plumbing bool) {
			w := newWorld(t).init("")
			w.write("f", "first\n")
			w.sh("git add f && git commit -qm 1")
			r, state := w.open(plumbing)
			r.wait = 20 * time.Millisecond
			w.write(".git/"+name, "")
			index := w.read(".git/index")
			_, err := r.Publish(context.Background(), newCommit("op-1", create("b.md", "text\n")), state)
			if vault.CodeOf(err) != vault.CodeBusy || !strings.Contains(err.Error(), name) {
				t.Errorf("publish: %v", err)
			}
			if err := r.Recover(context.Background(), state); err != nil && name != "index.lock" {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(w.dir, ".git", name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if w.read(".git/index") != index {
				t.Error("the index changed")
			}
			w.sh("rm .git/" + name)
			w.publish(r, state, newCommit("op-1", create("b.md", "text\n")))
			w.sound(r, state)
		})
	}
}

// Publish does nothing when HEAD holds the edits already, not even to the index.
func TestNothingToDo(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("a.md", "text\n")
		w.write("x/b.md", "text\n")
		w.sh("git add . && git commit -qm 1")
		r, state := w.open(plumbing)
		index, head := w.read(".git/index"), strings.TrimSpace(w.sh("git rev-parse HEAD"))
		done := w.publish(r, state, newCommit("op-1",
			create("a.md", "text\n"),
			vault.Edit{Path: "old.md", To: "a.md"},
			vault.Edit{Path: "old", To: "x", Tree: true},
			vault.Edit{Path: "gone.md", Remove: true},
			vault.Edit{Path: "y", Remove: true, Tree: true},
			vault.Edit{Path: "never.md", Steps: appendStep("x")},
		))
		if done.Before != head || done.Commit != head || w.read(".git/index") != index {
			t.Errorf("published %+v on %s", done, head)
		}
		if got := w.sh("git count-objects"); !strings.HasPrefix(got, "4 objects") && !plumbing {
			t.Errorf("objects were written: %s", got)
		}
	})
}

// The forms of an edit that the story does not tell.
func TestEdits(t *testing.T) {
	for _, row := range []struct {
		name   string
		before string // a line of shell, after a.md, dir/x.md, dir/y.md and s.md were committed
		edits  []vault.Edit
		texts  map[vault.Path][]byte
		tree   string // what git ls-tree and then git status say
		status string
	}{
		{"whole commits the text on disk, whatever is staged",
			"echo staged > a.md; git add a.md; echo typed > a.md",
			[]vault.Edit{{Path: "a.md", Whole: true}}, map[vault.Path][]byte{"a.md": []byte("typed\n")},
			"a.md=typed dir/x.md=x dir/y.md=y s.md=s", ""},
		{"adopting what HEAD has takes nothing from the disk",
			"echo typed > a.md",
			[]vault.Edit{{Path: "a.md", Adopt: true}}, map[vault.Path][]byte{"a.md": []byte("typed\n")},
			"a.md=a dir/x.md=x dir/y.md=y s.md=s", " M a.md"},
		{"a staged new file stays staged",
			"echo n > n.md; git add n.md",
			[]vault.Edit{{Path: "n.md", Steps: appendStep("ours\n")}, {Path: "a.md", Remove: true}}, nil,
			"dir/x.md=x dir/y.md=y s.md=s", "?? a.md|AM n.md"},
		{"a staged new file that is adopted has no difference left",
			"echo n > n.md; git add n.md",
			[]vault.Edit{{Path: "n.md", Adopt: true}}, map[vault.Path][]byte{"n.md": []byte("n\n")},
			"a.md=a dir/x.md=x dir/y.md=y n.md=n s.md=s", ""},
		{"an announced file that is adopted is announced no more",
			"echo n > n.md; git add -N n.md",
			[]vault.Edit{{Path: "n.md", Adopt: true}}, map[vault.Path][]byte{"n.md": []byte("n\n")},
			"a.md=a dir/x.md=x dir/y.md=y n.md=n s.md=s", ""},
		{"a folder moves into one that is there",
			"mkdir to; cp -r dir/. to; echo z > to/z.md; git add to/z.md; git commit -qm z; rm -r dir",
			[]vault.Edit{{Path: "dir", To: "to", Tree: true}}, nil,
			"a.md=a s.md=s to/x.md=x to/y.md=y to/z.md=z", ""},
		{"a folder moves below itself's sibling and a child changes there",
			"mkdir -p a; cp -r dir a/; rm -r dir; echo >> a/dir/x.md; echo ours >> a/dir/x.md",
			[]vault.Edit{{Path: "dir", To: "a/dir", Tree: true}, {Path: "a/dir/x.md", Steps: appendStep("ours\n")}}, nil,
			"a.md=a a/dir/x.md=x,,ours a/dir/y.md=y s.md=s", ""},
		{"a staged deletion in a folder that moves stays one",
			"git rm -q dir/x.md; mkdir to; mv dir/y.md to/",
			[]vault.Edit{{Path: "dir", To: "to", Tree: true}, {Path: "to/x.md", Steps: appendStep("ours\n")}}, nil,
			"a.md=a s.md=s to/x.md=x,,ours to/y.md=y", "D  to/x.md"},
		{"a file made and moved in one commit",
			"mkdir -p to/n; echo n > to/n/n.md",
			[]vault.Edit{create("n/n.md", "n\n"), {Path: "n", To: "to/n", Tree: true}}, nil,
			"a.md=a dir/x.md=x dir/y.md=y s.md=s to/n/n.md=n", ""},
		{"a person moved it already, and staged that",
			"git mv a.md b.md; printf '\\nours\\n' >> b.md",
			[]vault.Edit{{Path: "a.md", To: "b.md", Steps: appendStep("ours\n")}}, nil,
			"b.md=a,,ours dir/x.md=x dir/y.md=y s.md=s", ""},
		{"a folder takes a file's place",
			"rm s.md; mkdir s.md; echo in > s.md/in.md",
			[]vault.Edit{create("s.md/in.md", "in\n")}, nil,
			"a.md=a dir/x.md=x dir/y.md=y s.md/in.md=in", ""},
		{"a file takes a folder's place",
			"rm -r dir; echo f > dir",
			[]vault.Edit{create("dir", "f\n")}, nil,
			"a.md=a dir=f s.md=s", ""},
		{"a folder of everything goes",
			"rm -r dir",
			[]vault.Edit{{Path: "dir", Remove: true, Tree: true}}, nil,
			"a.md=a s.md=s", ""},
		{"the last file goes",
			"rm -r a.md s.md dir",
			[]vault.Edit{{Path: "dir", Remove: true, Tree: true}, {Path: "a.md", Remove: true}, {Path: "s.md", Remove: true}}, nil,
			"", ""},
		{"another file is staged under the name of a new one",
			"echo theirs > n.md; git add n.md; echo ours > n.md",
			[]vault.Edit{create("n.md", "ours\n")}, nil,
			"a.md=a dir/x.md=x dir/y.md=y n.md=ours s.md=s", "MM n.md"},
		{"an executable file stays one",
			"chmod +x a.md; git add a.md; git commit -qm x; printf '\\nours\\n' >> a.md",
			[]vault.Edit{{Path: "a.md", Steps: appendStep("ours\n")}}, nil,
			"a.md*=a,,ours dir/x.md=x dir/y.md=y s.md=s", ""},
		{"names that sort oddly",
			"mkdir a; echo 1 > a/1.md; echo 2 > a-b.md; echo 3 > a0.md",
			[]vault.Edit{create("a/1.md", "1\n"), create("a-b.md", "2\n"), create("a0.md", "3\n")}, nil,
			"a-b.md=2 a.md=a a/1.md=1 a0.md=3 dir/x.md=x dir/y.md=y s.md=s", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			bothEngines(t, func(t *testing.T, plumbing bool) {
				w := newWorld(t).init("")
				for path, text := range map[string]string{"a.md": "a\n", "dir/x.md": "x\n", "dir/y.md": "y\n", "s.md": "s\n"} {
					w.write(path, text)
				}
				w.sh("git add . && git commit -qm 1 && " + row.before)
				r, state := w.open(plumbing)
				c := newCommit("op-1", row.edits...)
				c.Texts = row.texts
				w.publish(r, state, c)
				if got := w.tree(); got != row.tree {
					t.Errorf("HEAD's tree\ngot  %s\nwant %s", got, row.tree)
				}
				if got := strings.Join(w.status(), "|"); got != row.status {
					t.Errorf("status\ngot  %s\nwant %s", got, row.status)
				}
				w.sh("git fsck --strict")
			})
		})
	}
}

// tree returns the files of HEAD with their texts, lines joined by commas.
func (w world) tree() string {
	w.Helper()
	var files []string
	for _, line := range strings.Split(strings.TrimSpace(w.sh("git ls-tree -r HEAD")), "\n") {
		info, name, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		text := strings.ReplaceAll(strings.TrimSuffix(w.sh("git show 'HEAD:"+name+"'"), "\n"), "\n", ",")
		if strings.HasPrefix(info, "100755") {
			name += "*"
		}
		files = append(files, name+"="+text)
	}
	return strings.Join(files, " ")
}

// A path in a submodule, or one that a sparse checkout left out, is refused in words.
func TestRefusals(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		inner := newWorld(t).init("")
		inner.sh("git commit -q --allow-empty -m 1")
		w := newWorld(t).init("")
		w.write("far/away.md", "far\n")
		w.write("near/by.md", "near\n")
		w.sh("git add . && git -c protocol.file.allow=always submodule --quiet add " + inner.dir + " sub && git commit -qm 1")
		w.sh("git sparse-checkout set near")
		r, state := w.open(plumbing)
		for path, want := range map[vault.Path]string{"sub/in.md": "submodule", "far/away.md": "outside the sparse checkout"} {
			edit := vault.Edit{Path: path, Steps: appendStep("x")}
			if path == "sub/in.md" {
				edit = create(string(path), "x")
			}
			_, err := r.Publish(context.Background(), newCommit("op-"+string(path.Dir()), edit), state)
			if vault.CodeOf(err) != vault.CodeInvalid || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", path, err)
			}
		}
		w.sh("git fsck --strict && git diff --cached --quiet")
	})
}

// In a repository shared with a group, others can read and replace what we wrote.
func TestSharedRepository(t *testing.T) {
	w := newWorld(t).init("--shared=group")
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	r, state := w.open(false)
	w.publish(r, state, newCommit("op-1", create("b.md", "b\n")))
	for path, want := range map[string]os.FileMode{"refs/heads/main": 0o664, "index": 0o660, "objects/" + w.sh("git rev-parse HEAD")[:2]: 0o770} {
		info, err := os.Stat(filepath.Join(r.GitDir(), path))
		if err != nil || info.Mode().Perm()&want != want {
			t.Errorf("%s: %v, want %o (%v)", path, info.Mode(), want, err)
		}
	}
}

// Find finds what there is, and says what there is not.
func TestFind(t *testing.T) {
	w := newWorld(t)
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := FindRepo(w.dir); vault.CodeOf(err) != vault.CodeNoGit {
		t.Errorf("nothing there: %v", err)
	}
	if err := Init(context.Background(), w.dir); err != nil {
		t.Fatal(err)
	}
	w.write("a/b/c.md", "")
	r, err := FindRepo(filepath.Join(w.dir, "a", "b"))
	if err != nil || r.Top() != w.dir || r.GitDir() != w.dir+"/.git" || r.CommonDir() != r.GitDir() {
		t.Errorf("sub-folder: %+v, %v", r, err)
	}
	w.sh("ln -s a/b link && mkdir a/.git && git init -q --bare bare")
	if r, err := FindRepo(filepath.Join(w.dir, "link")); err != nil || r.Top() != w.dir {
		t.Errorf("through a link: %+v, %v", r, err)
	}
	for dir, want := range map[string]string{"bare": "bare repository", ".git/objects": "bare repository or the inside"} {
		if _, err := FindRepo(filepath.Join(w.dir, dir)); vault.CodeOf(err) != vault.CodeNoGit || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	w.sh("git config core.bare true")
	if _, err := FindRepo(w.dir); vault.CodeOf(err) != vault.CodeNoGit {
		t.Errorf("core.bare: %v", err)
	}
	if _, err := FindRepo(filepath.Join(w.dir, "missing")); err == nil {
		t.Error("a folder that is not there was found")
	}
}

// An import of many files is one commit, however it is written.
func TestManyEdits(t *testing.T) {
	for _, autocrlf := range testlevel.Share(2, []string{"false", "input"}) {
		const many = gitindex.MaxPathspecs + 100
		w := newWorld(t).init("")
		w.write("staged.md", "x\n")
		w.sh("git add . && git config core.autocrlf " + autocrlf)
		r, state := w.open(false)
		var edits []vault.Edit
		for i := range many {
			path := fmt.Sprintf("d%d/f%d.md", i%7, i)
			w.write(path, path)
			edits = append(edits, create(path, path))
		}
		w.publish(r, state, newCommit("op-1", edits...))
		if got := strings.Join(w.status(), "|"); got != "A  staged.md" {
			t.Errorf("status %q", got)
		}
		if got := strings.Count(w.sh("git ls-tree -r HEAD"), "\n"); got != many {
			t.Errorf("HEAD holds %d files", got)
		}
		w.sound(r, state)
	}
}
