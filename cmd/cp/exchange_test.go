package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// hub makes a bare repository of the scene's vault and pushes to it.
func (s *scene) hub() string {
	s.t.Helper()
	hub := filepath.Join(s.t.TempDir(), "hub.git")
	s.must("git", "init", "-q", "--bare", "-b", "main", hub)
	s.must("git", "remote", "add", "origin", "file://"+hub)
	s.must(s.cp, "memory", "push")
	return hub
}

// clone is another person's clone of the hub.
func (s *scene) clone(hub string) *scene {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "vault")
	s.must("git", "clone", "-q", "file://"+hub, dir)
	return &scene{t: s.t, cp: s.cp, dir: dir, home: s.home}
}

const (
	racers   = 3
	raceEach = 2
)

// Three clones add children to one parent and push at the same time: every push
// succeeds, and in the end all have everything.
func TestRacingPushes(t *testing.T) {
	testlevel.Check(t)
	s := newScene(t)
	parent := s.add("Shared")
	hub := s.hub()
	var clones []*scene
	for range racers {
		clones = append(clones, s.clone(hub))
	}
	var mu sync.Mutex
	var ids []string
	var wg sync.WaitGroup
	for n, c := range clones {
		wg.Go(func() {
			for i := range raceEach {
				out, err := c.run(c.cp, "memory", "add-sub", parent, "--title", fmt.Sprintf("Child %d of %d", i, n),
					"--body", "text", "--summary", fmt.Sprintf("When %d of %d", i, n), "-o", "json")
				var added struct{ ID string }
				if err != nil || json.Unmarshal([]byte(out), &added) != nil {
					t.Errorf("clone %d: %v", n, err)
					return
				}
				mu.Lock()
				ids = append(ids, added.ID)
				mu.Unlock()
				if _, err := c.run(c.cp, "memory", "push"); err != nil {
					t.Errorf("clone %d: %v", n, err)
				}
			}
		})
	}
	wg.Wait()
	var first string
	for n, c := range clones {
		c.must(c.cp, "memory", "sync", "--remote")
		tree := strings.TrimSpace(c.must("git", "rev-parse", "HEAD^{tree}"))
		if n == 0 {
			first = tree
		} else if tree != first {
			t.Errorf("clone %d has another tree:\n%s", n, c.must("git", "diff", first, tree))
		}
		c.healthy()
	}
	block := clones[0].must("git", "show", "HEAD:shared.md")
	for _, id := range ids {
		if strings.Count(block, id) != 1 {
			t.Errorf("%s stands %d times in the block", id, strings.Count(block, id))
		}
	}
}

// pullPrep makes the vault a clone that is behind and ahead of its upstream, which
// has changed the file with typed prose in it.
const pullPrep = `
	git init -q --bare -b main ../hub.git; git remote add origin ../hub.git; git push -q origin main
	git clone -q ../hub.git ../other
	(cd ../other; sed -i 's/^title: A$/title: A from upstream/' a.md; sed -i 's/^Overview.$/Overview of x./' x.md
		git rm -q a/b/c.md; printf -- '---\nid: pf-nnn\ntitle: New\n---\nText.\n' >new.md
		git add -A; git commit -qm 'by hand'; git push -q)
	cp memory add-sub pf-xxx --title Ours --body text --summary 'When ours'`

// A pull that was killed in the middle, and a person who commits all before the
// next command: what they committed stays, and what came is all there.
func TestPullKilledAndCommittedOver(t *testing.T) {
	killPulls(t, "committed over", "rm -f .git/index.lock .git/HEAD.lock .git/refs/heads/main.lock; git commit -qam everything", func(s *scene, when string) {
		if disk, head := s.says("a.md", typedProse); !disk || !head {
			t.Errorf("%s: what was typed and committed: on disk %v, in HEAD %v", when, disk, head)
		}
		if disk, head := s.says("a/b/c.md", "Text."); disk || head {
			t.Errorf("%s: what was deleted upstream: on disk %v, in HEAD %v", when, disk, head)
		}
	})
}

// A pull that was killed once its intent was written, and a gc that spares nothing
// before the next command: that finishes the pull. Where the kill has left a lock of
// git's, git cleans nothing up.
func TestPullKilledBeforeAGC(t *testing.T) {
	killPulls(t, "a gc", "rm -f .git/gc.pid; git reflog expire --expire=now --all && git gc -q --prune=now || ls .git/*.lock", func(*scene, string) {})
}

// killPulls kills a pull at each of its changes, lets somebody do something, and
// sees the next commands finish it.
func killPulls(t *testing.T, what, meanwhile string, check func(s *scene, when string)) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	template.prepare(pullPrep)
	args := []string{"memory", "pull"}
	done := template.copy(t)
	done.cp = faulty
	for _, n := range points(what, done.changes(args)) {
		s := template.copy(t)
		when := s.killed(faulty, n, args)
		s.prepare(meanwhile)
		s.must(s.cp, "memory", "sync")
		s.must(s.cp, "memory", "pull")
		for path, text := range map[string]string{"a.md": "title: A from upstream", "x.md": "Overview of x.", "new.md": "Text.", "x/ours.md": "text"} {
			if disk, head := s.says(path, text); !disk || !head {
				t.Errorf("%s: %s says %q on disk: %v, in HEAD: %v", when, path, text, disk, head)
			}
		}
		check(s, when)
		s.healthy()
	}
}

// says reports whether a file holds a text, on disk and in HEAD.
func (s *scene) says(path, text string) (disk, head bool) {
	s.t.Helper()
	b, _ := os.ReadFile(filepath.Join(s.dir, path))
	committed, _ := s.run("git", "show", "HEAD:"+path)
	return strings.Contains(string(b), text), strings.Contains(committed, text)
}

// A repository whose branch is not born yet takes over all there is.
func TestPullIntoAnUnbornBranch(t *testing.T) {
	s := newScene(t)
	s.add("One")
	hub := s.hub()
	dir := filepath.Join(t.TempDir(), "vault")
	for _, args := range [][]string{{"init", "-q", "-b", "main", dir}, {"-C", dir, "remote", "add", "origin", "file://" + hub}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	c := &scene{t: t, cp: s.cp, dir: dir, home: s.home}
	c.write(".cp/vault.yaml", "format: 1\nprefix: pf\n")
	if _, err := c.run(c.cp, "memory", "pull"); err == nil || !strings.Contains(err.Error(), ".cp/vault.yaml") {
		t.Errorf("want the file in the way named, got %v", err)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, ".cp/vault.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c.write(".cp/vault.yaml", string(b))
	c.must(c.cp, "memory", "pull")
	if disk, head := c.says("one.md", "One"); !disk || !head {
		t.Errorf("one.md came: on disk %v, in HEAD %v", disk, head)
	}
	c.healthy()
}
