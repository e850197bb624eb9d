package gitstore

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// shapes are the kinds of repository people have.
var shapes = []struct {
	name   string
	native bool // the native engine is used for it
	make   func(w world) world
}{
	{"a fresh repository", true, func(w world) world { return w.populate(w.init("")) }},
	{"packed, 10,000 files", true, func(w world) world {
		w.init("").sh(`git config gc.auto 0; for d in $(seq 100); do mkdir -p memory/many/$d && for i in $(seq 100); do echo "file $d $i" > memory/many/$d/$i.md; done; done`)
		w.populate(w)
		w.sh("git gc -q && git pack-refs --all")
		return w
	}},
	{"many revisions in one pack with deltas", true, func(w world) world {
		w.populate(w.init(""))
		w.sh(`for i in $(seq 12); do seq 300 > memory/big.md; echo $i >> memory/big.md; git add -A; git commit -qm $i; done; git repack -adfq --depth=20`)
		return w
	}},
	{"a linked work tree", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git worktree add -q -b side ../linked")
		return w.in(filepath.Join(filepath.Dir(w.dir), "linked"))
	}},
	{"the git directory elsewhere", true, func(w world) world { return w.populate(w.init("--separate-git-dir=../elsewhere.git")) }},
	{"a submodule", true, func(w world) world {
		w.populate(w.init(""))
		outer := w.in(filepath.Join(filepath.Dir(w.dir), "outer")).init("")
		outer.sh("git -c protocol.file.allow=always submodule --quiet add ../repo sub && git commit -qm sub")
		outer.sh("git -C sub config user.name Pat && git -C sub config user.email pat@example.org")
		return w.in(filepath.Join(outer.dir, "sub"))
	}},
	{"a shared clone", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git gc -q && git clone -q --shared . ../clone")
		clone := w.in(filepath.Join(filepath.Dir(w.dir), "clone"))
		clone.sh("git config user.name Pat && git config user.email pat@example.org")
		return clone
	}},
	{"a branch that is a symbolic ref", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git symbolic-ref refs/heads/old refs/heads/main && git symbolic-ref HEAD refs/heads/old")
		return w
	}},
	{"a branch in folders, packed", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git switch -qc feature/x && git pack-refs --all")
		return w
	}},
	{"commit.gpgsign", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git config commit.gpgsign true && git config gpg.program false")
		return w
	}},
	{"a pre-commit hook that fails", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("mkdir -p .git/hooks && for h in pre-commit commit-msg reference-transaction post-index-change; do printf '#!/bin/sh\nexit 1\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done")
		return w
	}},
	{"our own attribute", true, func(w world) world {
		w.init("").write(".gitattributes", "*.md merge=cp-memory\n*.png filter=lfs\n")
		return w.populate(w)
	}},
	{"an untracked cache", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git config core.untrackedCache true && git update-index --force-untracked-cache && git status >/dev/null && git status > /dev/null")
		return w
	}},
	{"many files and a cached tree", true, func(w world) world {
		w.populate(w.init(""))
		w.sh("git config index.threads 2 && git config index.recordEndOfIndexEntries true && git config index.recordOffsetTable true && git reset -q --hard && git write-tree")
		return w
	}},
	{"an index of version 4", false, func(w world) world {
		w.populate(w.init(""))
		w.sh("git update-index --index-version 4")
		return w
	}},
	{"a split index", false, func(w world) world {
		w.populate(w.init(""))
		w.sh("git update-index --split-index")
		return w
	}},
	{"a sparse checkout with a sparse index", false, func(w world) world {
		w.init("").write("far/away.md", "far\n")
		w.populate(w)
		w.sh("git sparse-checkout init --cone --sparse-index && git sparse-checkout set memory")
		return w
	}},
	{"SHA-256", false, func(w world) world { return w.populate(w.init("--object-format=sha256")) }},
	{"core.autocrlf", false, func(w world) world {
		w.populate(w.init(""))
		w.sh("git config core.autocrlf true && git config core.safecrlf false && rm -rf memory && git checkout -q -- memory")
		return w
	}},
	{"a filter", false, func(w world) world {
		w.init("").sh(`git config filter.rev.clean rev && git config filter.rev.smudge rev`)
		w.write(".gitattributes", "*.md filter=rev\n")
		return w.populate(w)
	}},
	{"line endings by attribute", false, func(w world) world {
		w.init("").write(".gitattributes", "*.md text=auto\n")
		return w.populate(w)
	}},
	{"shared with a group", false, func(w world) world { return w.populate(w.init("--shared=group")) }},
	{"a partial clone", false, func(w world) world {
		w.populate(w.init(""))
		w.sh("git config uploadpack.allowFilter true && git clone -q --filter=blob:none file://$PWD ../partial")
		clone := w.in(filepath.Join(filepath.Dir(w.dir), "partial"))
		clone.sh("git config user.name Pat && git config user.email pat@example.org")
		return clone
	}},
}

// populate commits the files that the story is about.
func (w world) populate(world) world {
	w.Helper()
	for _, name := range []string{"parent", "other", "deleted", "gone", "moved", "parent/one", "folder/a", "folder/deep/b"} {
		w.write("memory/"+name+".md", "The text of "+name+".\nIts second line.\n")
	}
	w.write("code.txt", "some code\nof many\nlines\nthat a rename\nkeeps\n")
	w.sh("git add -A && git commit -qm 'first files'")
	return w
}

// work is what a person has going on: staged, not staged, and not even added.
func (w world) work() {
	w.Helper()
	w.write("memory/parent.md", "Staged at the top.\n"+w.read("memory/parent.md"))
	w.write("notes.md", "a staged new file\n")
	w.sh("git add memory/parent.md notes.md && git rm -q --cached memory/deleted.md && rm memory/deleted.md && git mv code.txt renamed.txt")
	w.write("memory/parent.md", "Not staged.\n"+w.read("memory/parent.md"))
	w.write("memory/other.md", "Not staged either.\n"+w.read("memory/other.md"))
	w.write("memory/announced.md", "to be added later\n")
	w.sh("git add --intent-to-add memory/announced.md")
	w.write("scrap.txt", "never added\n")
	w.write("memory/hand.md", "made by hand\n")
}

// story is one commit with every form of edit.
func story(w world) vault.Commit {
	c := newCommit("op-story",
		vault.Edit{Path: "memory/parent/new.md", Create: []byte("A new memory.\n")},
		vault.Edit{Path: "memory/parent.md", Steps: appendStep("From cp, in the parent.\n")},
		vault.Edit{Path: "memory/other.md", Steps: appendStep("From cp, in the other.\n")},
		vault.Edit{Path: "memory/moved.md", To: "memory/parent/moved.md", Steps: appendStep("From cp, moved.\n")},
		vault.Edit{Path: "memory/folder", To: "memory/parent/folder", Tree: true},
		vault.Edit{Path: "memory/gone.md", Remove: true},
		vault.Edit{Path: "memory/hand.md", Adopt: true},
		vault.Edit{Path: "memory/deleted.md", Steps: appendStep("From cp, in a file whose deletion is staged.\n")},
		vault.Edit{Path: "memory/announced.md", Steps: appendStep("left out: HEAD has no version of it\n")},
	)
	c.Texts = map[vault.Path][]byte{"memory/hand.md": []byte(w.read("memory/hand.md"))}
	return c
}

// onDisk does what happens to the work tree before the commit; after it, what comes then.
func (w world) onDisk() (after func()) {
	w.Helper()
	w.write("memory/parent/new.md", "A new memory.\n")
	for _, name := range []string{"memory/parent.md", "memory/other.md", "memory/moved.md"} {
		i := slices.IndexFunc(story(w).Edits, func(e vault.Edit) bool { return string(e.Path) == name })
		b, err := vault.ApplySteps(story(w).Edits[i].Steps, []byte(w.read(name)))
		if err != nil {
			w.Fatal(err)
		}
		to := name
		if name == "memory/moved.md" {
			to = "memory/parent/moved.md"
		}
		w.write(to, string(b))
	}
	w.sh("mkdir -p memory/parent/folder && cp -al memory/folder/. memory/parent/folder/")
	return func() { w.sh("rm -r memory/folder memory/moved.md memory/gone.md") }
}

func TestConformance(t *testing.T) {
	for _, shape := range testlevel.Share(3, shapes) {
		for _, plumbing := range []bool{false, true} {
			name := shape.name + "/as chosen"
			if plumbing {
				name = shape.name + "/by plumbing"
			}
			if plumbing && !shape.native {
				continue // it was chosen
			}
			t.Run(name, func(t *testing.T) {
				if plumbing || strings.Contains(shape.name, "10,000") {
					testlevel.Check(t)
				}
				w := shape.make(newWorld(t))
				r, _ := w.open(plumbing)
				checkEngine(w, r, shape.native && !plumbing)
				runStory(w, plumbing)
			})
		}
	}
}

// checkEngine shows which engine is chosen.
func checkEngine(w world, r *Repo, inProcess bool) {
	w.Helper()
	e, err := r.engine(context.Background(), []string{"memory/parent.md"})
	if err != nil {
		w.Fatal(err)
	}
	defer e.Close()
	if _, is := e.stages.(native); is != inProcess {
		w.Fatalf("native engine: got %v, want %v", is, inProcess)
	}
}

// runStory publishes the story beside a person's work, and looks at everything.
func runStory(w world, plumbing bool) {
	w.Helper()
	w.work()
	staged, status := w.stagedLines(), w.status()
	r, state := w.open(plumbing)
	before := strings.TrimSpace(w.sh("git rev-parse HEAD"))
	after := w.onDisk()
	c := story(w)
	done := w.publish(r, state, c)
	after()

	if head := strings.TrimSpace(w.sh("git rev-parse HEAD")); done.Before != before || done.Commit != head || head == before {
		w.Errorf("published %+v; HEAD was %s and is %s", done, before, head)
	}
	status = slices.DeleteFunc(status, func(l string) bool { return l == "?? memory/hand.md" })
	if diff := cmp.Diff(status, w.status()); diff != "" {
		w.Errorf("git status shows more or less than the person's work (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(staged, w.stagedLines()); diff != "" {
		w.Errorf("staged work (-before +after):\n%s", diff)
	}
	w.sound(r, state)
	checkCommit(w)
	checkReads(w, r, state, done)

	again := w.publish(r, state, c)
	if again.Commit != done.Commit || again.Before != done.Commit {
		w.Errorf("publishing it again: %+v", again)
	}
	w.later(r, state)
}

// checkCommit looks at what the commit holds, and what it must not hold.
func checkCommit(w world) {
	w.Helper()
	want := strings.Join([]string{
		"M\tmemory/deleted.md", "D\tmemory/folder/a.md", "D\tmemory/folder/deep/b.md", "D\tmemory/gone.md", "A\tmemory/hand.md",
		"D\tmemory/moved.md", "M\tmemory/other.md", "M\tmemory/parent.md", "A\tmemory/parent/folder/a.md",
		"A\tmemory/parent/folder/deep/b.md", "A\tmemory/parent/moved.md", "A\tmemory/parent/new.md", "",
	}, "\n")
	if diff := cmp.Diff(want, w.sh("git show --no-renames --name-status --format= HEAD")); diff != "" {
		w.Errorf("the commit's files (-want +got):\n%s", diff)
	}
	for path, text := range map[string]string{"parent": "From cp, in the parent.", "other": "From cp, in the other.", "parent/moved": "From cp, moved.", "parent/new": "A new memory.", "hand": "made by hand"} {
		if got := w.committed("memory/" + path + ".md"); !strings.Contains(got, text) || strings.Contains(got, "taged") {
			w.Errorf("HEAD:memory/%s.md is\n%s", path, got)
		}
	}
	if got := w.sh("git log -1 --format='%an <%ae> %cn <%ce>%n%B'"); !strings.HasPrefix(got, "penfold <pat@example.org> Pat <pat@example.org>\nmemory: test op-story\n\nCp-Op: op-story\n") {
		w.Errorf("the commit says\n%s", got)
	}
	if got := w.sh("git reflog -1 --format=%gs HEAD; git reflog -1 --format=%gs $(git rev-parse --symbolic-full-name HEAD)"); got != strings.Repeat("commit: memory: test op-story\n", 2) {
		w.Errorf("the reflogs say\n%s", got)
	}
}

// checkReads asks the repository for what was just written.
func checkReads(w world, r *Repo, state string, done vault.Published) {
	w.Helper()
	ctx := context.Background()
	if head, err := r.Head(ctx); err != nil || head.Commit != done.Commit || head.Busy != "" {
		w.Errorf("head: %+v, %v", head, err)
	}
	if b, err := r.ReadAt(ctx, "HEAD", "memory/parent/new.md"); err != nil || strings.TrimSpace(string(b)) != "A new memory." {
		w.Errorf("read new.md: %q, %v", b, err)
	}
	if _, err := r.ReadAt(ctx, done.Before, "memory/parent/new.md"); vault.CodeOf(err) != vault.CodeNotFound {
		w.Errorf("read new.md in the commit before: %v", err)
	}
	var got []string
	err := r.Changes(ctx, done.Before, done.Commit, "memory", func(path, blob string) error {
		if want := strings.TrimSpace(w.sh("git rev-parse -q --verify HEAD:" + path + " || true")); blob != want {
			w.Errorf("changes: %s is %q, want %q", path, blob, want)
		}
		got = append(got, path)
		return nil
	})
	want := strings.Fields(w.sh("git diff --name-only --no-renames HEAD~1 HEAD -- memory"))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		w.Errorf("changes (-want +got): %v\n%s", err, diff)
	}
	var revisions []string
	err = r.History(ctx, []string{"memory/parent.md"}, func(rev vault.Revision) bool {
		revisions = append(revisions, rev.Author+" "+rev.Op+" "+rev.Verb)
		return true
	})
	if diff := cmp.Diff([]string{"penfold op-story test", "Pat  "}, revisions); diff != "" || err != nil {
		w.Errorf("history: %v\n%s", err, diff)
	}
	for op, want := range map[string]bool{"op-story": true, "op-stor": false, "op-other": false} {
		if got, err := r.Holds(ctx, op, state); got != want || err != nil {
			w.Errorf("holds %s: %v, %v", op, got, err)
		}
	}
}

// later goes on as people do: they commit, and git finds nothing odd.
func (w world) later(r *Repo, state string) {
	w.Helper()
	w.sh("git -c core.hooksPath=/dev/null commit -q --no-gpg-sign -m 'staged work' && git fsck --strict --no-dangling")
	if got := w.committed("memory/parent.md"); !strings.Contains(got, "Staged at the top.") || !strings.Contains(got, "From cp, in the parent.") || strings.Contains(got, "Not staged") {
		w.Errorf("after the person's commit HEAD:memory/parent.md is\n%s", got)
	}
	w.write("memory/last.md", "last\n")
	w.publish(r, state, newCommit("op-last", vault.Edit{Path: "memory/last.md", Create: []byte("last\n")}))
	w.sound(r, state)
	if got := w.status(); slices.Contains(got, "?? memory/last.md") {
		w.Errorf("git status: %q", got)
	}
}
