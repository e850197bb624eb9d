//go:build failpoints

package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// The tests of this file run a write in a process of its own, which is killed
// before each single change that it makes to the file system, or has that
// change fail. Afterwards a new process must find a sound repository, and after
// its Lock the write is wholly there or wholly absent and a person's work is as it was.

const childEnv = "CP_TEST_WRITER"

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		os.Exit(child(name, os.Args[1]))
	}
	os.Exit(m.Run())
}

// crashes are the writes, by name; an empty change only takes the lock, and so recovers.
var crashes = map[string]func() *vault.Change{
	"add-sub": func() *vault.Change { return addSub("pf-new") },
	"move":    moveTree,
	"batch":   moveAndGoOn,
	"delete":  deleteTree,
	"import":  importMany,
	"facts":   factsAlong,
	"recover": func() *vault.Change { return nil },
}

// moveAndGoOn moves a folder, changes a file that goes with it and makes another in it.
func moveAndGoOn() *vault.Change {
	c := moveTree()
	c.Edits = append(c.Edits, vault.Edit{Path: "a/b/c.md", To: "c/b/c.md", Steps: []vault.Step{{Op: vault.OpSetKey, Key: "summary", Value: "below"}}},
		vault.Edit{Path: "c/b/new.md", Create: []byte(memory("pf-new", "n"))})
	return c
}

// factsAlong is a memory's edit with that of its facts, one file of them made, one
// removed and one moved: what a changed id does.
func factsAlong() *vault.Change {
	c := addSub("pf-new")
	c.Edits = append(c.Edits,
		vault.Edit{Path: ".cp/facts/aa/new.json", Create: []byte("{\"id\": \"pf-new\"}\n")},
		vault.Edit{Path: ".cp/facts/aa/one.json", Steps: []vault.Step{{Op: vault.OpSetText, Text: "{\"id\": \"pf-a\",\n\"entities\": []}\n"}}},
		vault.Edit{Path: ".cp/facts/bb/two.json", Remove: true},
		vault.Edit{Path: ".cp/facts/cc/three.json", To: ".cp/facts/dd/four.json", Steps: []vault.Step{{Op: vault.OpSetText, Text: "{\"id\": \"pf-d\"}\n"}}})
	return c
}

func importMany() *vault.Change {
	c := addSub("pf-new")
	for i := range 33 {
		id := fmt.Sprintf("pf-i%02d", i)
		c.Edits = append(c.Edits, vault.Edit{Path: vault.Path("new/" + id + ".md"), Create: []byte(memory(id, "x"))})
	}
	return c
}

// child makes one write and says OK when it succeeded.
func child(name, top string) int {
	w := &sandbox{TB: &testing.B{}, top: top, root: top}
	w.reopen()
	unlock, err := w.store.Lock(context.Background(), name)
	if err != nil {
		fmt.Println(vault.CodeOf(err), err)
		return 1
	}
	defer unlock()
	if c := crashes[name](); c != nil {
		if _, err := w.store.Commit(context.Background(), c); err != nil {
			fmt.Println(vault.CodeOf(err), err)
			return 1
		}
	}
	fmt.Println("OK")
	return 0
}

// beginning is the vault that the writes start from.
func beginning(t *testing.T, typing bool) *sandbox {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"),
		"a/b/pic.png", "png", "a/b/e/f.md", memory("pf-f", "f"), "c.md", memory("pf-z", "z"), "other.md", "other\n", ".gitignore", "*.log\n",
		".cp/facts/aa/one.json", "{\"id\": \"pf-a\"}\n", ".cp/facts/bb/two.json", "{\"id\": \"pf-b\"}\n", ".cp/facts/cc/three.json", "{\"id\": \"pf-c\"}\n")
	if typing {
		w.save("other.md", "staged by a person\n")
		w.git("add", "other.md")
		w.save("a.md", strings.Replace(w.text("a.md"), "\na\n", "\na\ntyped by a person\n", 1))
		w.save("c.md", w.text("c.md")+"typed by a person\n")
		w.save("a/b/c.md", w.text("a/b/c.md")+"typed by a person\n")
		w.save("a/b/x.log", "ignored")
		w.save("notes.txt", "untracked")
	}
	return w
}

// copied returns a copy of the repository.
func (w *sandbox) copied(t *testing.T) *sandbox {
	t.Helper()
	top := filepath.Join(t.TempDir(), "w")
	must(t, exec.Command("cp", "-a", w.top, top).Run())
	return &sandbox{TB: t, top: top, root: top}
}

// run makes a write in another process with a fault, and reports whether it said OK.
func (w *sandbox) run(name, fault string) (ok bool, out string) {
	w.Helper()
	cmd := exec.Command(os.Args[0], w.top)
	cmd.Env = append(os.Environ(), childEnv+"="+name, disk.FaultEnv+"="+fault)
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	return strings.HasSuffix(b.String(), "OK\n"), b.String()
}

// changesOf counts the changes that a write makes.
func (w *sandbox) changesOf(t *testing.T, name string) int {
	count := filepath.Join(t.TempDir(), "count")
	t.Setenv("CP_FAULT_COUNT", count)
	if ok, out := w.copied(t).run(name, ""); !ok {
		t.Fatal(out)
	}
	must(t, os.Unsetenv("CP_FAULT_COUNT"))
	b, err := os.ReadFile(count)
	must(t, err)
	n, err := strconv.Atoi(string(b))
	must(t, err)
	return n
}

// healthy checks what plain git must find at any moment.
func (w *sandbox) healthy(when string) {
	w.Helper()
	w.git("rev-parse", "HEAD^{tree}")
	w.git("ls-files", "-s")
	w.git("--no-optional-locks", "status", "--porcelain")
	if out := w.git("fsck", "--no-dangling", "--no-progress"); out != "" {
		w.Errorf("%s: git fsck: %s", when, out)
	}
}

// recovered takes the lock as the next command does, and checks the outcome.
func (w *sandbox) recovered(when string, said bool, before, after map[string]string) {
	w.Helper()
	w.reopen()
	unlock, err := w.store.Lock(context.Background(), "status")
	if err != nil {
		w.Errorf("%s: the next command: %v", when, err)
		return
	}
	unlock()
	w.healthy(when)
	got := w.state()
	if !cmp.Equal(got, after) && (said || !cmp.Equal(got, before)) {
		w.Errorf("%s: neither before nor after (said OK: %v); -after +got\n%s", when, said, cmp.Diff(after, got))
	}
	if left := w.leftovers(); len(left) > 0 {
		w.Errorf("%s: left behind: %q", when, left)
	}
	for _, line := range strings.Split(w.git("log", "--format=%H", "--grep=Cp-Op"), "\n") {
		if line != "" && strings.Contains(w.git("show", line), "by a person") {
			w.Errorf("%s: a person's text is in a commit of ours", when)
		}
	}
}

// eachCrash calls fn for every write, with its states and number of changes;
// typing says in which of the beginnings.
func eachCrash(t *testing.T, typing []bool, fn func(t *testing.T, name string, from *sandbox, before, after map[string]string, changes int)) {
	for _, typing := range typing {
		for _, name := range []string{"add-sub", "move", "batch", "delete", "import", "facts"} {
			t.Run(fmt.Sprintf("%s,typing=%v", name, typing), func(t *testing.T) {
				from := beginning(t, typing)
				before := from.state()
				done := from.copied(t)
				if ok, out := done.run(name, ""); !ok {
					t.Fatal(out)
				}
				n := from.changesOf(t, name)
				t.Logf("%d changes", n)
				fn(t, name, from, before, done.state(), n)
			})
		}
	}
}

// stride is 1 but for an import, whose many files are all alike.
func stride(changes int) int { return 1 + changes/250*4 }

func TestKilledBeforeEachChange(t *testing.T) {
	eachCrash(t, []bool{false, true}, func(t *testing.T, name string, from *sandbox, before, after map[string]string, changes int) {
		for n := 1; n <= changes; n += stride(changes) {
			w := from.copied(t)
			said, out := w.run(name, fmt.Sprintf("%d:kill", n))
			when := fmt.Sprintf("%d of %d, %s", n, changes, strings.TrimSpace(out))
			w.healthy(when)
			if n%5 == 0 { // and its recovery is killed too
				_, again := w.run("recover", fmt.Sprintf("%d:kill", 1+n*7%30))
				when += " / " + strings.TrimSpace(again)
				w.healthy(when)
			}
			w.recovered(when, said, before, after)
		}
	})
}

func TestRecoveryKilledBeforeEachChange(t *testing.T) {
	eachCrash(t, []bool{true}, func(t *testing.T, name string, from *sandbox, before, after map[string]string, changes int) {
		for _, part := range []int{3, 5, 7, 9} { // tenths of the write
			for n := 1; ; n++ {
				w := from.copied(t)
				w.run(name, fmt.Sprintf("%d:kill", changes*part/10))
				done, out := w.run("recover", fmt.Sprintf("%d:kill", n))
				when := fmt.Sprintf("at %d and in recovery at %d, %s", changes*part/10, n, strings.TrimSpace(out))
				w.healthy(when)
				w.recovered(when, false, before, after)
				if done {
					break
				}
				n += n / 8 // the end of a long recovery is like its middle
			}
		}
	})
}

func TestEachChangeFails(t *testing.T) {
	eachCrash(t, []bool{true}, func(t *testing.T, name string, from *sandbox, before, after map[string]string, changes int) {
		for n := 1; n <= changes; n += stride(changes) {
			for _, fault := range []string{"%d+:ENOSPC", "%d:EIO", "%d:EACCES"} {
				w := from.copied(t)
				fault := fmt.Sprintf(fault, n)
				said, out := w.run(name, fault)
				if !said && !strings.Contains(out, string(vault.CodeIO)) && !strings.Contains(out, string(vault.CodeQueued)) {
					t.Errorf("%s: %s", fault, out)
				}
				w.healthy(fault)
				w.recovered(fmt.Sprintf("%s of %d: %s", fault, changes, strings.TrimSpace(out)), said, before, after)
			}
		}
	})
}

// What a late reset took is acknowledged: whenever the command is killed that
// makes it again, the next one has it whole.
func TestMakingAgainKilledBeforeEachChange(t *testing.T) {
	for _, name := range []string{"add-sub", "move", "batch", "delete", "import", "facts"} {
		t.Run(name, func(t *testing.T) {
			from := beginning(t, false)
			was := from.git("rev-parse", "HEAD")
			if ok, out := from.run(name, ""); !ok {
				t.Fatal(out)
			}
			after := from.state()
			from.late(was, "HEAD")
			for n := 1; ; n++ {
				w := from.copied(t)
				done, out := w.run("recover", fmt.Sprintf("%d:kill", n))
				when := fmt.Sprintf("making %s again at %d, %s", name, n, strings.TrimSpace(out))
				w.healthy(when)
				w.recovered(when, true, nil, after)
				if done {
					t.Logf("%d changes", n-1)
					break
				}
				n += n / 16
			}
		})
	}
}
