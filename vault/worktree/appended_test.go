package worktree_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// Between the file and the commit a person commits or stages what is on disk, our text with
// it. It stands once, in HEAD, in the index and on disk, also where a killed write left it.
func TestWhatAPersonCommitsMeanwhileIsNotAppendedTwice(t *testing.T) {
	testlevel.Check(t)
	const line = "a line"
	twice := []vault.Step{{Op: vault.OpAppend, Text: line}, {Op: vault.OpAppend, Text: line}}
	for _, row := range []struct {
		name   string
		before string // in the file's text
		typed  string // and uncommitted
		steps  []vault.Step
		meddle func(w *sandbox)
		want   int
	}{
		{"nothing", "", "", twice[:1], func(*sandbox) {}, 1},
		{"a commit", "", "", twice[:1], func(w *sandbox) { w.git("commit", "-qam", "by hand") }, 1},
		{"two", "", "", twice[:1], func(w *sandbox) {
			w.git("commit", "-qam", "by hand")
			w.save("c.md", w.text("c.md")+"\ntyped\n")
			w.git("commit", "-qam", "again")
		}, 1},
		{"what is typed behind it", "", "", twice[:1], func(w *sandbox) {
			w.save("c.md", w.text("c.md")+"\ntyped\n")
			w.git("commit", "-qam", "by hand")
		}, 1},
		{"what is typed before it", "", "", twice[:1], func(w *sandbox) {
			w.save("c.md", strings.Replace(w.text("c.md"), "---\n", "---\nx: y\n", 1))
			w.git("commit", "-qam", "by hand")
		}, 1},
		{"an amended commit", "", "", twice[:1], func(w *sandbox) { w.git("commit", "-qa", "--amend", "-m", "by hand") }, 1},
		{"staged", "", "", twice[:1], func(w *sandbox) { w.git("add", "-u") }, 1},
		{"staged, with more", "", "", twice[:1], func(w *sandbox) {
			w.save("c.md", w.text("c.md")+"\ntyped\n")
			w.git("add", "-u")
		}, 1},
		{"another file", "", "", twice[:1], func(w *sandbox) {
			w.save("d.md", "by hand\n")
			w.git("commit", "-qm", "by hand", "d.md")
		}, 1},
		{"it stood there", line, "", twice[:1], func(w *sandbox) { w.git("commit", "-qam", "by hand") }, 2},
		{"it stood there, and another file", line, "", twice[:1], func(w *sandbox) {
			w.save("d.md", "by hand\n")
			w.git("commit", "-qm", "by hand", "d.md")
		}, 2},
		{"it was typed before", "", line, twice[:1], func(w *sandbox) { w.git("commit", "-qam", "by hand") }, 2},
		{"two at once", "", "", twice, func(w *sandbox) { w.git("commit", "-qam", "by hand") }, 2},
		{"one that was committed with a file deleted", "", "", twice[:1], func(w *sandbox) {
			w.git("rm", "-q", "d.md")
			w.git("commit", "-qam", "by hand")
		}, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, killed := range []bool{false, true} {
				w := newSandbox(t, "", "c.md", memory("pf-c", "text\n\n"+row.before), "d.md", "d\n")
				if row.typed != "" {
					w.save("c.md", w.text("c.md")+"\n"+row.typed+"\n")
				}
				m, left := w.meddle(), 1
				m.before = func() {
					if left--; left == 0 {
						row.meddle(w)
						if killed {
							panic("killed")
						}
					}
				}
				c := &vault.Change{Verb: "update", ID: "pf-c", Edits: []vault.Edit{{Path: "c.md", Steps: row.steps}}}
				func() {
					defer func() { _ = recover() }()
					w.done(c)
				}()
				w.settle()
				count := func(text string) int { return strings.Count(text, line+"\n") }
				if head, disk := count(w.committed("c.md")), count(w.text("c.md")); head != row.want || disk != row.want {
					t.Errorf("killed %v: HEAD has it %d times, the disk %d, want %d", killed, head, disk, row.want)
				}
				w.git("commit", "-qam", "the rest", "--allow-empty")
				if head := count(w.committed("c.md")); head != row.want {
					t.Errorf("killed %v: a commit of the index has it %d times, want %d", killed, head, row.want)
				}
			}
		})
	}
}

// A new file that somebody has committed meanwhile, with words of their own, stays theirs.
func TestANewFileThatAPersonCommitsMeanwhileStays(t *testing.T) {
	w := newSandbox(t, "", parent...)
	m, left := w.meddle(), 1
	m.before = func() {
		if left--; left == 0 {
			w.save("a/pf-b.md", w.text("a/pf-b.md")+"typed\n")
			w.git("add", "-A")
			w.git("commit", "-qm", "by hand")
		}
	}
	w.done(addSub("pf-b"))
	w.want("in HEAD", w.committed("a/pf-b.md"), memory("pf-b", "child")+"typed\n")
	w.want("a.md", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.clean()
}
