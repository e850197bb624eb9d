package worktree_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// late does what a git reset --hard does that found out what HEAD is before
// something was committed, and does the rest after it.
func (w *sandbox) late(was, said string) {
	w.Helper()
	w.git("read-tree", "--reset", "-u", was)
	w.git("update-ref", "-m", "reset: moving to "+said, "HEAD", was)
}

// settle takes the lock as any command does, and returns what it has to tell.
func (w *sandbox) settle() {
	w.Helper()
	w.reopen()
	unlock, err := w.store.Lock(context.Background(), "status")
	must(w, err)
	unlock()
}

// What was acknowledged comes back with the next command, on whatever a person
// has typed and committed since.
func TestWhatALateResetTookComesBack(t *testing.T) {
	testlevel.Check(t)
	files := []string{"a.md", memory("pf-a", "a") + block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"), "c.md", memory("pf-z", "z"), "d.md", "d\n"}
	appended := func(text string) *vault.Change {
		return &vault.Change{Verb: "update", ID: "pf-a", Edits: []vault.Edit{{Path: "c.md", Steps: []vault.Step{{Op: vault.OpAppend, Text: text}}}}}
	}
	for _, row := range []struct {
		name   string
		writes []*vault.Change
		after  func(w *sandbox) // the reset
		status []string
	}{
		{"a new memory", []*vault.Change{addSub("pf-new")}, nil, nil},
		{"several writes, in their order", []*vault.Change{addSub("pf-new"), addSub("pf-two"), appended("one"), appended("two")}, nil, nil},
		{"a move", []*vault.Change{moveTree()}, nil, nil},
		{"a deletion", []*vault.Change{deleteTree()}, nil, nil},
		{"beside what a person types", []*vault.Change{addSub("pf-new"), appended("one")}, func(w *sandbox) {
			w.save("c.md", strings.Replace(w.text("c.md"), "z\n---\n", "z\n---\ntyped\n", 1))
		}, []string{" M c.md"}},
		{"beneath what a person commits", []*vault.Change{addSub("pf-new"), appended("one")}, func(w *sandbox) {
			w.save("d.md", "by hand\n")
			w.git("commit", "-qam", "by hand")
		}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			w, ideal := newSandbox(t, "", files...), newSandbox(t, "", files...)
			was := w.git("rev-parse", "HEAD")
			for _, c := range row.writes {
				w.done(c)
				ideal.done(c)
			}
			w.late(was, "HEAD")
			if row.after != nil {
				row.after(w)
				row.after(ideal)
			}
			w.settle()
			w.clean(row.status...)
			for name, got := range w.state() {
				if name != ".git" {
					w.want(name, got, ideal.state()[name])
				}
			}
			head := w.git("rev-parse", "HEAD")
			w.settle()
			w.want("HEAD, a second time", w.git("rev-parse", "HEAD"), head)
		})
	}
}

// What a person has committed meanwhile, all of it, is not missing any more: it
// stands in no later write's way.
func TestWhatALateResetTookIsCommittedByHand(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-b"))
	taken := w.git("rev-parse", "HEAD")
	w.late(was, "HEAD")
	w.git("checkout", taken, "--", ".")
	w.git("commit", "-qam", "by hand")
	for _, id := range []string{"pf-c", "pf-d"} {
		w.done(addSub(id))
	}
	w.want("a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-b", "pf-c", "pf-d"))
	w.want("operations", w.git("log", "--format=%(trailers:key=Cp-Id,valueonly,separator=)", was+".."), "pf-d\npf-c")
	w.clean()
}

// A file that a person has made by hand is git's own once it is committed, so a
// late reset removes it; it comes back with its text.
func TestAHandMadeFileComesBack(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"))
	was := w.git("rev-parse", "HEAD")
	w.save("hand.md", "# By hand\n")
	w.save("from.md", "# Moved\n")
	w.done(&vault.Change{Verb: "sync", Edits: []vault.Edit{
		{Path: "hand.md", Steps: []vault.Step{{Op: vault.OpSetKey, Key: "id", Value: "pf-h"}}, Adopt: true},
		{Path: "from.md", To: "to.md", Steps: []vault.Step{{Op: vault.OpSetKey, Key: "id", Value: "pf-m"}}, Adopt: true},
	}})
	want := w.state()
	w.late(was, "HEAD")
	if got := w.text("hand.md") + w.text("from.md") + w.text("to.md"); got != "(none)(none)(none)" {
		t.Fatalf("the reset left %q", got)
	}
	w.settle()
	for name, text := range want {
		w.want(name, w.state()[name], text)
	}
	w.clean()
}

// A late reset that comes between two writes, or while one is made.
func TestNothingIsBuiltOnABranchThatAResetPutBack(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-b"))
	m, left := w.meddle(), 1
	m.before = func() {
		if left--; left >= 0 {
			w.late(was, "HEAD")
		}
	}
	w.done(addSub("pf-c"))
	w.want("a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-b", "pf-c"))
	w.want("operations", w.git("log", "--format=%(trailers:key=Cp-Id,valueonly,separator=)"), "pf-c\npf-b")
	w.clean()
}

// What a person asked git to take away stays away.
func TestAResetOfAPersonIsRespected(t *testing.T) {
	for _, line := range [][]string{
		{"reset", "-q", "--hard", "HEAD~1"}, {"reset", "-q", "--hard", "HEAD^"}, {"reset", "-q", "--hard", "@~2"}, {"reset", "-q", "--hard", "main~1"},
		{"reset", "-q", "--soft", "HEAD~1"}, {"checkout", "-q", "-B", "main", "HEAD~1"}, {"update-ref", "refs/heads/main", "HEAD~1"},
	} {
		w := newSandbox(t, "", parent...)
		w.done(addSub("pf-b"))
		w.done(addSub("pf-c"))
		w.git(line...)
		want := w.git("rev-parse", "HEAD")
		w.settle()
		w.want(strings.Join(line, " "), w.git("rev-parse", "HEAD"), want)
		w.done(addSub("pf-d"))
		w.want(strings.Join(line, " "), w.git("rev-parse", "HEAD~1"), want)
	}
}

// A reset of a person to an earlier commit that was late takes what the person
// saw, and no more.
func TestALateResetToAnEarlierCommit(t *testing.T) {
	w := newSandbox(t, "", parent...)
	earlier := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-seen"))
	w.done(addSub("pf-late"))
	w.late(earlier, "HEAD~1")
	w.settle()
	w.want("operations", w.git("log", "--format=%(trailers:key=Cp-Id,valueonly,separator=)"), "pf-late")
	w.want("a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-late"))
	w.clean()
}

// A reset once settled stays settled: a person may then drop what came back.
func TestWhatCameBackCanBeDropped(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-b"))
	w.late(was, "HEAD")
	w.settle()
	w.git("reset", "-q", "--hard", was)
	w.settle()
	w.done(addSub("pf-c"))
	w.want("HEAD", w.git("rev-parse", "HEAD~1"), was)
}

// Reading makes it again as well; an intent that is not there any more is told of.
func TestRemake(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	if w.store.Remake(context.Background()) {
		t.Error("a whole branch was made again")
	}
	r := w.done(addSub("pf-b"))
	w.late(was, "HEAD")
	if !w.store.Remake(context.Background()) || w.store.Remake(context.Background()) {
		t.Error("want it made again once")
	}
	w.want("HEAD", w.git("rev-parse", "HEAD"), r.Commit)
	w.late(was, "HEAD")
	must(t, os.Remove(w.store.StateDir()+"/tx/"+r.Op+".done"))
	if got := w.told(); !strings.Contains(got, "cp memory restore pf-b "+r.Commit[:10]) {
		t.Errorf("told %q", got)
	}
}

// The same while an operation is made again that was acknowledged before.
func TestWhatGitTookWhileItWasMadeAgain(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-b"))
	w.late(was, "HEAD")
	m, left := w.meddle(), 1
	m.before = func() { w.git("clean", "-fdxq") }
	m.after = func() {
		if left--; left == 0 {
			w.git("commit", "-qam", "by hand")
		}
	}
	unlock, err := w.store.Lock(context.Background(), "status")
	must(t, err)
	unlock()
	w.want("the child", w.committed("a/pf-b.md"), memory("pf-b", "child"))
	w.want("the child on disk", w.text("a/pf-b.md"), memory("pf-b", "child"))
	w.want("a.md in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.clean()
}

// A person cleans or stashes while a write is on its way, and commits all right
// after it: what is acknowledged is in HEAD and on disk.
func TestWhatACommitOnTopTookAwayIsCommittedAgain(t *testing.T) {
	w := newSandbox(t, "", parent...)
	m, left := w.meddle(), 1
	m.before = func() {
		w.git("clean", "-fdxq")
		w.git("checkout", "-q", "--", "a.md")
	}
	m.after = func() {
		if left--; left == 0 {
			w.git("commit", "-qam", "by hand")
		}
	}
	w.done(addSub("pf-b"))
	w.want("the child", w.committed("a/pf-b.md"), memory("pf-b", "child"))
	w.want("a.md in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.want("a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.clean()
}

// git checkout takes our edit together with what a person had typed; the edit is
// made again on what git has put there.
func TestAnEditThatGitPutBackIsMadeAgain(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.save("a.md", memory("pf-a", "a\ntyped"))
	w.meddle().before = func() { w.git("stash", "-q") }
	w.done(addSub("pf-b"))
	w.want("a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.clean()
}
