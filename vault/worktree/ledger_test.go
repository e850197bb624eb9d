package worktree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// What is displaced is bounded, whoever left it there: the oldest goes first,
// nothing before a day is over, and nothing that was written to. Fault O15.
func TestWhatIsDisplacedIsBounded(t *testing.T) {
	testlevel.Check(t)
	const many = 10_050
	w := newSandbox(t, "", parent...)
	w.done(addSub("pf-000"))
	kept := filepath.Join(w.store.StateDir(), "displaced")
	must(t, os.Remove(filepath.Join(kept, "cursor")))
	op := func(age time.Duration) string {
		return time.Now().UTC().Add(-age).Format("20060102T150405.000") + "-k3v9q2m1"
	}
	old, young := op(48*time.Hour), op(time.Hour)
	for n := range many { // as an earlier version left it
		name := filepath.Join(kept, old+".0.x.0123456789abcdef."+strconv.Itoa(n)+".md")
		must(t, os.WriteFile(name, []byte("old"), 0o600))
		info, err := os.Lstat(name)
		must(t, err)
		must(t, os.Rename(name, strings.Replace(name, ".x.", "."+strconv.FormatInt(info.ModTime().UnixNano(), 36)+".", 1)))
	}
	must(t, os.MkdirAll(filepath.Join(kept, young), 0o700))
	must(t, os.WriteFile(filepath.Join(kept, young, "young"), nil, 0o600))
	files := func(op string) int {
		names, err := filepath.Glob(filepath.Join(kept, op, "*"))
		must(t, err)
		return len(names)
	}
	late, err := filepath.Glob(filepath.Join(kept, old+"*.7.md"))
	must(t, err)
	must(t, os.WriteFile(late[0], []byte("typed late"), 0o600))
	notes := strings.Join(w.done(addSub("pf-001")).Notes, "\n")
	if got := files(old); got != 0 {
		t.Errorf("%d old files are left", got)
	}
	if !strings.Contains(notes, "7.md: a program saved") || !strings.Contains(strings.Join(w.keptTexts(), "|"), "typed late") {
		t.Errorf("what was written to is gone; notes %q", notes)
	}
	if files(young) != 1 || files(op(0)[:8]+"*") < 3 {
		t.Errorf("what is younger than a day went")
	}
}

// What was looked at is looked at again only before it goes, however many writes follow.
func TestALockLooksAtWhatIsNew(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.done(addSub("pf-000"))
	w.done(addSub("pf-001"))
	kept, err := filepath.Glob(filepath.Join(w.store.StateDir(), "displaced", "*", "*"))
	must(t, err)
	for i, notes := range []int{1, 0} { // the second one is new to the next command, the first is not
		must(t, os.WriteFile(kept[len(kept)-1-i], []byte("typed late"), 0o600))
		if got := w.done(addSub(fmt.Sprintf("pf-10%d", i))).Notes; len(got) != notes {
			t.Errorf("notes %q, want %d", got, notes)
		}
	}
}
