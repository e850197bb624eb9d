package main_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// TestChaos lets eight writers, a watcher, two editors and a person with git
// loose on one vault, kills what it can, and then checks what must hold whatever
// happened (faults 4): what was acknowledged is committed with the right bytes
// and one pointer, or told to be gone with a command that brings it back, what a person saved is somewhere, what they staged is staged,
// the repository is sound and the index is a rebuild's. How much was done is told
// and never judged.
//
// git's own commits break HEAD beside "gc --prune=now" by themselves (faults
// 2.2), so that runs in rounds without them. A minute is for every run of the
// tests; CP_CHAOS says how long else.
// Faults H30, M5.
func TestChaos(t *testing.T) {
	testlevel.Check(t)
	total, err := time.ParseDuration(cmp.Or(os.Getenv("CP_CHAOS"), "60s"))
	if err != nil {
		t.Fatal(err)
	}
	end := time.Now().Add(total)
	each := min(total/time.Duration(len(chaosKinds)), time.Minute)
	for seed := uint64(0); seed == 0 || time.Now().Before(end); seed++ {
		for _, kind := range chaosKinds {
			t.Run(fmt.Sprintf("%s, seed %d", kind.name, seed), func(t *testing.T) {
				c := newChaos(t, kind, seed)
				keepFailed(t, c.dir)
				c.run(each)
				c.check()
			})
			if t.Failed() {
				return
			}
		}
	}
}

// chaosKind is what the person of a round does with git.
type chaosKind struct {
	name   string
	deeds  []func(*chaos)
	commit bool // the watcher commits what is typed, now and then
	calm   bool // nothing touches what is staged, or brings back what was deleted
}

var chaosKinds = []chaosKind{
	{"commits, stashes and cleaning", []func(*chaos){(*chaos).commit, (*chaos).stash, (*chaos).clean, (*chaos).commit, (*chaos).clean, (*chaos).stash, (*chaos).loseIndex}, true, false},
	{"gc and cleaning", []func(*chaos){(*chaos).gc, (*chaos).clean, (*chaos).gc, (*chaos).loseIndex}, false, true},
	{"merges and commits", []func(*chaos){(*chaos).merge, (*chaos).commit, (*chaos).merge, (*chaos).clean, (*chaos).loseIndex}, true, false},
}

const (
	chaosWriters = 8
	chaosParents = 4
)

// chaos is one round.
type chaos struct {
	*scene
	kind    chaosKind
	seed    uint64
	parents []string // ids
	files   []string // of the parents

	// person is held for writing by what git does to the whole work tree, and for
	// reading by an editor that saves: nobody types into a file while they stash it.
	person sync.RWMutex

	mu    sync.Mutex
	acked map[string][]string // id → what its text says
	gone  []string            // ids of acknowledged deletions
	typed []string            // saved by an editor

	writes, kills, saves, deeds atomic.Int64
}

func newChaos(t *testing.T, kind chaosKind, seed uint64) *chaos {
	c := &chaos{scene: newScene(t), kind: kind, seed: seed, acked: make(map[string][]string)}
	for i := range chaosParents {
		c.parents = append(c.parents, c.add(fmt.Sprintf("Parent %d", i)))
		c.files = append(c.files, filepath.Join(c.dir, fmt.Sprintf("parent-%d.md", i)))
	}
	if kind.calm {
		c.stage()
	}
	return c
}

// stagedLine is what a person has staged in a file with other edits.
const stagedLine = "A line that is staged."

// stage stages a new file, and a line in one that everybody writes to.
func (c *chaos) stage() {
	c.scene.write("staged.txt", "staged\n")
	text, err := os.ReadFile(c.files[0])
	if err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.files[0], above(text, stagedLine), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.must("git", "add", "staged.txt", c.files[0])
}

// run lets everybody loose for a time, and waits until they have ended.
func (c *chaos) run(long time.Duration) {
	ctx, cancel := context.WithTimeout(c.t.Context(), long)
	defer cancel()
	var wg sync.WaitGroup
	for w := range chaosWriters {
		wg.Go(func() { c.write(ctx, w) })
	}
	for e := range 2 {
		wg.Go(func() { c.edit(ctx, e) })
	}
	wg.Go(func() { c.watch(ctx) })
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			c.kind.deeds[i%len(c.kind.deeds)](c)
			c.deeds.Add(1)
			pause(ctx, 50*time.Millisecond)
		}
	})
	wg.Wait()
	c.t.Logf("%d writes acknowledged, %d kills, %d saves, %d deeds of git, %d resets that came too late",
		c.writes.Load(), c.kills.Load(), c.saves.Load(), c.deeds.Load(), c.late())
}

// late counts the resets that took a commit from the branch which nobody wanted gone.
func (c *chaos) late() (n int) {
	log, _ := os.ReadFile(filepath.Join(c.dir, ".git", "logs", "refs", "heads", "main"))
	for line := range strings.Lines(string(log)) {
		ids := strings.Fields(line)
		if strings.HasSuffix(line, "\treset: moving to HEAD\n") && ids[0] != ids[1] {
			n++
		}
	}
	return n
}

// pause spreads what happens; nothing depends on it.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (c *chaos) dice(who int) *rand.Rand { return rand.New(rand.NewPCG(c.seed, uint64(who))) }

// write is one writer: it adds, appends to its own, moves and deletes them, and
// one in five of its commands is killed.
func (c *chaos) write(ctx context.Context, who int) {
	dice := c.dice(who)
	var own []string
	for i := 0; ctx.Err() == nil; i++ {
		token := fmt.Sprintf("token-%d-%d-%d.", c.seed, who, i)
		parent := c.parents[dice.IntN(len(c.parents))]
		kind, at := dice.IntN(8), 0
		if len(own) > 0 {
			at = dice.IntN(len(own))
		}
		switch {
		case kind < 5 || len(own) == 0:
			if id := c.addOne(dice, parent, token); id != "" {
				own = append(own, id)
			}
		case kind == 5:
			if _, ok := c.command(dice, "update", own[at], "--append", token); ok {
				c.says(own[at], token)
			}
		case kind == 6:
			c.command(dice, "move", own[at], parent)
		default:
			c.remove(dice, own[at])
			own = slices.Delete(own, at, at+1)
		}
	}
}

// says notes that a memory's text is acknowledged to say a token.
func (c *chaos) says(id, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked[id] = append(c.acked[id], token)
}

// addOne adds a sub-memory and returns its id if that was acknowledged: by a
// commit, or by the outbox.
func (c *chaos) addOne(dice *rand.Rand, parent, token string) string {
	out, _ := c.command(dice, "add-sub", parent, "--title", token, "--body", token, "--summary", "When "+token, "-o", "json")
	var added struct{ ID string }
	if json.Unmarshal(out, &added) != nil || added.ID == "" {
		return ""
	}
	c.says(added.ID, token)
	return added.ID
}

// remove deletes a memory. When that was not acknowledged, nobody knows.
func (c *chaos) remove(dice *rand.Rand, id string) {
	_, ok := c.command(dice, "delete", id, "--force")
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.acked, id)
	if ok {
		c.gone = append(c.gone, id)
	}
}

// command runs cp and returns what it answered, and whether it ended well.
// It may be killed on the way.
func (c *chaos) command(dice *rand.Rand, args ...string) ([]byte, bool) {
	cmd := c.process(append([]string{"memory"}, args...)...)
	var out, says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &says
	defer func() { c.said.add(says.Bytes()) }()
	if cmd.Start() != nil {
		return nil, false // no more processes
	}
	if dice.IntN(5) == 0 {
		time.AfterFunc(time.Duration(dice.IntN(60))*time.Millisecond, func() {
			if cmd.Process.Kill() == nil {
				c.kills.Add(1)
			}
		})
	}
	ok := cmd.Wait() == nil
	if ok {
		c.writes.Add(1)
	}
	return out.Bytes(), ok
}

func (c *chaos) process(args ...string) *exec.Cmd {
	cmd := exec.Command(c.cp, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.home, "GIT_CONFIG_NOSYSTEM=1", "CP_VAULT=", "CP_AGENT=")
	return cmd
}

// watch runs a watcher that is killed and started again.
func (c *chaos) watch(ctx context.Context) {
	dice := c.dice(100)
	for ctx.Err() == nil {
		args := []string{"memory", "watch"}
		if c.kind.commit && dice.IntN(2) == 0 {
			args = append(args, "--commit", "--quiet", "300ms")
		}
		cmd := c.process(args...)
		var says bytes.Buffer
		if cmd.Stderr = &says; cmd.Start() != nil {
			continue
		}
		pause(ctx, time.Duration(500+dice.IntN(3000))*time.Millisecond)
		how := os.Kill
		if dice.IntN(2) == 0 || ctx.Err() != nil {
			how = syscall.SIGTERM
		}
		_ = cmd.Process.Signal(how)
		_ = cmd.Wait()
		c.said.add(says.Bytes())
	}
}

// obey follows what was told of the memories that HEAD has not, as a person does who did not mean
// it. A commit of theirs may undo a write, as one after a stash does that began before that write.
// Nobody can know whether they meant that, so it is told, with the command that brings it back.
func (c *chaos) obey() {
	c.t.Helper()
	for line := range strings.Lines(c.said.text.String()) {
		said, command, ok := strings.Cut(strings.TrimSpace(line), "; unless you mean that: cp memory restore ")
		id, commit, _ := strings.Cut(command, " ")
		if !ok || !strings.Contains(said, "was acknowledged and is gone") || c.acked[id] == nil {
			continue
		}
		if _, err := c.scene.run("git", "grep", "-q", "-F", "id: "+id, "HEAD", "--", "*.md"); err != nil {
			c.t.Log("followed:", strings.TrimSpace(line))
			c.must(c.cp, "memory", "restore", id, commit)
		}
	}
}

// edit is a person who types a line into one of two files and saves, in one of
// the three ways that editors have: in place, by a rename over the file, and by
// renaming the old file away first.
func (c *chaos) edit(ctx context.Context, who int) {
	dice := c.dice(200 + who)
	for i := 0; ctx.Err() == nil; i++ {
		line := fmt.Sprintf("typed-%d-%d-%d.", c.seed, who, i)
		c.person.RLock()
		err := c.save(c.files[2*who+dice.IntN(2)], line, dice.IntN(3))
		c.person.RUnlock()
		if err == nil {
			c.saves.Add(1)
			c.mu.Lock()
			c.typed = append(c.typed, line)
			c.mu.Unlock()
		}
		pause(ctx, 30*time.Millisecond)
	}
}

func (c *chaos) save(path, line string, style int) error {
	if style < 2 {
		return c.typeLine(path, line, style == 1)
	}
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 {
		return errors.Join(err, errors.New("nothing to read"))
	}
	if err := os.Rename(path, path+"~"); err != nil {
		return err
	}
	now, err := os.ReadFile(path + "~") // what was renamed away is what a save builds on
	if err == nil {
		text = now
	}
	if err := os.WriteFile(path, above(text, line), 0o644); err != nil {
		return err
	}
	return os.Remove(path + "~")
}

// git runs git as a person does. One that git's own mmap killed leaves a lock
// that the person removes (faults 2.3).
func (c *chaos) git(args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.home, "GIT_CONFIG_NOSYSTEM=1")
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
		_ = os.Remove(filepath.Join(c.dir, ".git", "index.lock"))
	}
	return err
}

// The deeds of the person. Each may fail: another program's lock is in the way.

func (c *chaos) commit() {
	c.person.Lock()
	defer c.person.Unlock()
	_ = c.git("commit", "-qam", "by hand")
}

func (c *chaos) clean() {
	c.person.Lock()
	defer c.person.Unlock()
	_ = c.git("clean", "-fdxq")
	c.missing()
}

// missing gets back the committed files that are not on disk: clean takes what
// is in no commit, and a commit may be made of it at that moment. A git that
// finds the index locked is run again.
func (c *chaos) missing() {
	for range 100 {
		gone, err := c.scene.run("git", "ls-files", "-d")
		if gone = strings.TrimSpace(gone); gone == "" && err == nil {
			return
		}
		_ = c.git(append([]string{"checkout", "-q", "--"}, strings.Split(gone, "\n")...)...)
	}
}

// merge merges a commit that was made beside HEAD: it has a new file and a line in one
// that everybody writes to. A merge that fails may leave index and files as they were when
// it began. Before the next git commit the person runs cp, as the README says.
func (c *chaos) merge() {
	c.person.Lock()
	defer c.person.Unlock()
	n := c.deeds.Load()
	text, err := c.scene.run("git", "show", "HEAD:parent-0.md")
	if err != nil {
		return
	}
	side, err := c.beside(map[string]string{
		fmt.Sprintf("side-%d.md", n): fmt.Sprintf("# Side %d\n", n),
		"parent-0.md":                string(above([]byte(text), fmt.Sprintf("merged-%d.", n))),
	})
	if err != nil {
		return
	}
	if c.git("merge", "-q", "-m", "merge by hand", side) == nil {
		return
	}
	for range 100 {
		if _, err := c.scene.run(c.cp, "memory", "sync"); err == nil || c.underWay() {
			break
		}
	}
	// git merge --abort may lose what was typed before the merge, says its manual.
	for range 100 {
		if !c.underWay() || c.git("commit", "-qam", "merged by hand") == nil {
			break
		}
	}
}

// underWay reports whether a merge is left half-way: sync then puts back what it took, and
// refuses to do more.
func (c *chaos) underWay() bool {
	_, err := os.Stat(filepath.Join(c.dir, ".git", "MERGE_HEAD"))
	return err == nil
}

// beside makes a commit on HEAD with these files, and touches neither HEAD nor index.
func (c *chaos) beside(files map[string]string) (commit string, err error) {
	index := "GIT_INDEX_FILE=" + filepath.Join(c.home, "index")
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "HOME="+c.home, "GIT_CONFIG_NOSYSTEM=1", index)
		out, failed := cmd.Output()
		err = errors.Join(err, failed)
		return strings.TrimSpace(string(out))
	}
	head := git("rev-parse", "HEAD")
	git("read-tree", head)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(c.home, "text"), []byte(text), 0o644); err != nil {
			return "", err
		}
		git("update-index", "--add", "--cacheinfo", "100644,"+git("hash-object", "-w", filepath.Join(c.home, "text"))+","+name)
	}
	return git("commit-tree", "-p", head, "-m", "beside", git("write-tree")), err
}

// loseIndex deletes the index, whoever uses it.
func (c *chaos) loseIndex() {
	for _, name := range []string{"index.db", "index.db-wal", "index.db-shm"} {
		_ = os.Remove(filepath.Join(c.dir, ".cp", name))
	}
}

func (c *chaos) gc() { _ = c.git("gc", "-q", "--prune=now") }

func (c *chaos) stash() {
	c.person.Lock()
	defer c.person.Unlock()
	if c.git("stash", "push", "-qu") == nil {
		c.pop()
	}
	// It ends by putting the index to what it was at its beginning: a commit that
	// was made meanwhile looks taken back, and git status says so.
	for range 100 {
		if c.git("reset", "-q") == nil {
			break
		} // else the index was locked
	}
	c.missing() // it cleans, too
}

// pop takes the stash back. Where that ends in a conflict, git keeps the stash,
// and the person goes back to what is committed.
func (c *chaos) pop() {
	if c.git("stash", "pop", "-q") == nil {
		return
	}
	if out, _ := c.scene.run("git", "ls-files", "-u"); out != "" {
		_ = c.git("reset", "-q", "--hard")
	}
}

// traces tells what is left of a memory: the commits that touched its text, on
// any branch or none, and what the vault's state holds.
func (c *chaos) traces(id string) string {
	log, _ := c.scene.run("git", "log", "--all", "--reflog", "--format=%h %cd %s", "--date=iso", "-G", "^id: "+id, "--name-status", "--", "*.md")
	state, _ := c.scene.run("sh", "-c", "ls .git/cp/*/outbox .git/cp/*/tx | grep -v done; git reflog --date=iso | grep -F -B 8 -A 3 "+id+"; grep -rl "+id+" . .git/cp 2>/dev/null | head")
	return log + state
}

// check is what must hold after every round.
func (c *chaos) check() {
	c.t.Helper()
	c.come()
	c.obey()
	c.allThatWasAcknowledged()
	c.nothingTypedIsLost()
	if c.kind.calm {
		c.allThatIsThePersons()
	}
	c.back()
	c.settle()
	pointers, _ := c.scene.run("git", "grep", "-h", "-E", `^ *\{"id": "`, "HEAD", "--", "*.md") // there may be none
	for id := range c.acked {
		if n := strings.Count(pointers, `{"id": "`+id+`"`); n != 1 {
			c.t.Errorf("HEAD has %d pointers to %s\n%s", n, id, c.traces(id))
		}
	}
	c.sameAsRebuilt("after the round", filepath.Join(c.dir, ".cp", "index.db"), nil)
	c.healthy()
}

// settle lets sync put in order what the person has left, until nothing changes
// any more.
func (c *chaos) settle() {
	c.t.Helper()
	before := ""
	for range 5 {
		c.must(c.cp, "memory", "sync")
		after := c.must("git", "rev-parse", "HEAD") + c.must("git", "status", "--porcelain")
		if after == before {
			return
		}
		before = after
	}
	c.t.Errorf("sync finds something to do each time:\n%s\n%s", before, c.must(c.cp, "memory", "sync"))
}

// allThatWasAcknowledged is in HEAD: each memory once and with its texts, and
// none that was deleted. (A stash brings files back that it took in the middle
// of a write, so beside stashes a deletion proves nothing.)
func (c *chaos) allThatWasAcknowledged() {
	c.t.Helper()
	head := c.must("git", "grep", "-h", "-E", "^id: |token-", "HEAD", "--", "*.md")
	for id, tokens := range c.acked {
		_, text, ok := strings.Cut(head, "id: "+id+"\n")
		text, _, _ = strings.Cut(text, "\nid: ")
		if !ok {
			c.t.Errorf("%s (%s) was acknowledged and is not in HEAD\n%s", id, tokens[0], c.traces(id))
		}
		for _, token := range tokens {
			if ok && !strings.Contains(text+"\n", "\n"+token+"\n") {
				c.t.Errorf("%s was acknowledged and is not in %s\n%s", token, id, c.traces(id))
			}
		}
	}
	for _, id := range c.gone {
		if c.kind.calm && strings.Contains(head, "id: "+id+"\n") {
			c.t.Errorf("%s was deleted, acknowledged, and is in HEAD\n%s", id, c.traces(id))
		}
	}
}

// allThatIsThePersons is as it was: what is typed is in no commit of ours, and
// what is staged is staged.
func (c *chaos) allThatIsThePersons() {
	c.t.Helper()
	if got := c.must("git", "log", "--format=%h %s", "--grep=^Cp-Op: ", "-G", "typed-|"+stagedLine); got != "" {
		c.t.Errorf("what a person typed is in commits of ours:\n%s", got)
	}
	if got := c.must("git", "diff", "--cached", "--name-status"); got != "M\tparent-0.md\nA\tstaged.txt\n" {
		c.t.Errorf("staged:\n%s", got)
	}
	if got := c.must("git", "diff", "--cached", "--", "parent-0.md"); !strings.Contains(got, "\n+"+stagedLine+"\n") || strings.Count(got, "\n-") > 1 {
		c.t.Errorf("staged in parent-0.md:\n%s", got)
	}
}

// come lets the next commands recover and deliver what waits. A lock that git
// left when it was killed in its turn is the person's to remove.
func (c *chaos) come() {
	c.t.Helper()
	for end := time.Now().Add(10 * time.Minute); ; {
		_, err := c.scene.run(c.cp, "memory", "add", "The end")
		waiting, _ := filepath.Glob(filepath.Join(c.dir, ".git", "cp", "root", "outbox", "*.json"))
		if err == nil && len(waiting) == 0 {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("no recovery in ten minutes: %v, in the outbox: %v", err, waiting)
		}
		lock := filepath.Join(c.dir, ".git", "index.lock") // nobody is left who could hold it
		_ = os.Remove(lock)
	}
}

// back takes back what lies in stashes, and the committed files that are not on disk.
func (c *chaos) back() {
	for c.must("git", "stash", "list") != "" {
		if c.git("stash", "pop", "-q") != nil {
			_ = c.git("reset", "-q", "--hard")
			c.must("git", "stash", "drop", "-q")
		}
	}
	c.missing()
}

// nothingTypedIsLost looks for what was saved: on disk, in the history with its stashes,
// among the replaced files that are kept, and in the stashes that git drops: a merge that
// fails takes what is uncommitted into one, and may not get it out again because a lock of
// another program is in the way.
func (c *chaos) nothingTypedIsLost() {
	c.t.Helper()
	found, _ := c.scene.run("grep", "-rhoE", "typed-[0-9-]+\\.", ".", "--include=*", "--exclude-dir=objects")
	past, _ := c.scene.run("git", "log", "--all", "--reflog", "-m", "-p", "--format=", "-G", "typed-")
	dropped, _ := c.scene.run("sh", "-c", `git fsck --unreachable --no-reflogs 2>/dev/null | awk '$2 == "commit" {print $3}' | xargs -r git grep -h typed-`)
	for _, line := range c.typed {
		if !strings.Contains(found+past+dropped, line) {
			c.t.Errorf("%s was saved and is nowhere", line)
		}
	}
}
