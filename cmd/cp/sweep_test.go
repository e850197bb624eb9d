package main_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	app "github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/testdata/generatetest"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// sweep is one writing command that is killed before its changes to the disk.
type sweep struct {
	name  string
	prep  string // shell lines that bring about what the command is for
	args  []string
	model string // what the language model plays (package testdata/generatetest); empty is none
	typed string // a shell line that does what the command's editor does: a crash may leave that alone
}

// line is the command line: what is no command of the house is one of "memory".
func (sw sweep) line() []string {
	if sw.args[0] == "doctor" {
		return sw.args
	}
	return append([]string{"memory"}, sw.args...)
}

// sweeps is every writing command. A new verb is one line. The scene is that of
// sweepScene, prep runs in it with cp on the PATH.
// seen makes an observation that two sessions made.
const seen = `printf -- '---\nid: pf-obs\ntitle: It hangs\ntype: observation\nsessions: [a, b]\n---\n' >obs.md; cp memory sync`

// found are files with the findings of two reviews, of which the second has one of the first.
const found = `
	printf '{"severity":"high","category":"security","file":"x.go","line":4,"summary":"It leaks"}\n{"severity":"low","category":"tests","summary":"No test"}\n' >../found.json
	printf '{"severity":"high","category":"security","file":"x.go","line":5,"summary":"It leaks"}\n{"severity":"low","category":"quality","summary":"Odd name"}\n' >../more.json`

// foundOne is a finding that stands at the top of the vault.
const foundOne = `printf -- '---\nid: pf-find\ntitle: "[HIGH] It leaks"\ntype: finding\nseverity: high\ncategory: security\nfile: x.go\nline: 4\n---\nText.\n' >high-it-leaks.md; cp memory sync`

var sweeps = []sweep{
	{name: "add", args: []string{"add", "Some text", "--title", "New"}},
	{name: "add-sub", args: []string{"add-sub", "pf-aaa", "--title", "New", "--body", "text", "--summary", "When new"}},
	{name: "add-sub, the first child", args: []string{"add-sub", "pf-xxx", "--title", "New", "--body", "text", "--summary", "When new"}},
	{name: "add-parent", args: []string{"add-parent", "notes", "--summary", "When notes"}, prep: `mkdir notes; printf '# One\n' >notes/one.md; cp memory sync`},
	{name: "update, the text", args: []string{"update", "pf-bbb", "--body", "Another text."}},
	{name: "update, the title", args: []string{"update", "pf-bbb", "--title", "Bee", "--label", "x"}},
	{name: "update, a file with edits", args: []string{"update", "pf-aaa", "--append", "More."}},
	{name: "edit", args: []string{"edit", "pf-xxx"}, typed: `echo typed >>x.md`},
	{name: "move", args: []string{"move", "pf-bbb", "pf-xxx"}},
	{name: "move, to the root", args: []string{"move", "pf-bbb", "--root"}},
	{name: "promote", args: []string{"promote", "pf-ccc"}},
	{name: "delete", args: []string{"delete", "pf-bbb", "--recursive", "--force"}},
	{name: "capture, the first", args: []string{"capture", "decision", "Use it", "--decision", "Yes.", "--spec", "s"}},
	{name: "capture", args: []string{"capture", "learning", "It works", "--body", "text"}, prep: `cp memory capture progress First`},
	{name: "handoff", args: []string{"handoff", "It is done."}, prep: `cp memory handoff First`},
	{name: "capture, below a memory", args: []string{"capture", "pattern", "It works", "--under", "pf-aaa", "--summary", "When it works"}},
	{name: "observe", args: []string{"observe", "It hangs at night", "--session", "b"}, prep: `cp memory observe "It hangs at night" --session a`},
	{name: "approve", args: []string{"approve", "pf-obs"}, prep: seen},
	{name: "deny", args: []string{"deny", "pf-obs", "--reason", "It was the clock."}, prep: seen},
	{name: "promote, to long-term", args: []string{"promote", "pf-obs", "--to", "long-term", "--approve"}, prep: seen},
	{name: "promote, below a memory", args: []string{"promote", "pf-obs", "--to", "long-term", "--approve", "--under", "pf-aaa", "--summary", "When it hangs"}, prep: seen},
	{name: "demote", args: []string{"demote", "pf-obs"}, prep: seen + `; cp memory promote pf-obs --to long-term --approve`},
	{name: "resolve, with a learning", args: []string{"resolve", "pf-bbb", "--resolution", "Done.", "--learning", "It was done."}},
	{name: "resolve", args: []string{"resolve", "pf-bbb", "--resolution", "Done."}},
	{name: "findings add", args: []string{"findings", "add", "../found.json"}, prep: found},
	{name: "findings add, seen again", args: []string{"findings", "add", "../more.json"}, prep: found + `; cp memory findings add ../found.json`},
	{name: "findings resolve", args: []string{"findings", "resolve", "high-it-leaks.md", "--resolution", "Closed."}, prep: foundOne},
	{name: "findings fix", args: []string{"findings", "fix", "--done", "--out", "../reports"}, prep: foundOne + `; cp memory findings resolve high-it-leaks.md --resolution Closed.`},
	{name: "review --yes", args: []string{"review", "--yes"}, prep: `cp memory observe 'It works' --session s1; cp memory observe 'It works' --session s2`},
	{name: "defer", args: []string{"defer", "pf-bbb", "--until", "2030-01-01"}},
	{name: "bind", args: []string{"bind", "pf-bbb", "code.go:1-2"}, prep: boundCode},
	{name: "unbind", args: []string{"unbind", "pf-bbb", "code.go#L1"}, prep: boundCode + `; cp memory bind pf-bbb code.go:1`},
	{name: "confirm", args: []string{"confirm", "pf-bbb"}, prep: boundCode + `; cp memory bind pf-bbb code.go:1; echo new >code.go`},
	{name: "supersede", args: []string{"supersede", "pf-bbb", "pf-xxx"}},
	{name: "fact add, the first", args: []string{"fact", "add", "pf-bbb", "--relation", "db2|replicates|db1"}},
	{name: "fact add", args: []string{"fact", "add", "pf-bbb", "--entity", "db1", "--type", "host"}, prep: `cp memory fact add pf-bbb --relation "db2|replicates|db1"`},
	{name: "fact remove", args: []string{"fact", "remove", "pf-bbb", "--entity", "db1"}, prep: `cp memory fact add pf-bbb --relation "db2|replicates|db1"`},
	{name: "delete, with facts", args: []string{"delete", "pf-bbb", "--recursive", "--force"}, prep: `cp memory fact add pf-bbb --relation "db2|replicates|db1"`},
	{name: "gc", args: []string{"gc"}, prep: `cp memory fact add pf-bbb --entity db1; rm a/b.md; git commit -qm gone a/b.md`},
	{name: "sync, facts of an id that was edited", args: []string{"sync"}, prep: `cp memory fact add pf-bbb --entity db1; sed -i 's/^id: pf-bbb/id: pf-other/' a/b.md`},
	{name: "sync, facts of a file that is gone", args: []string{"sync"}, prep: `cp memory fact add pf-xxx --entity db1; rm x.md`},
	{name: "extract", args: []string{"extract", "--missing"}, model: "good"},
	{name: "summarize", args: []string{"summarize", "--missing", "--auto-approve"}, model: "good"},
	{name: "sync", args: []string{"sync"}, prep: byHand},
	{name: "sync, folders in one another", args: []string{"sync"}, prep: `
		mkdir a/b/c; printf '# D\n\n[c](../c.md)\n' >a/b/c/d.md; cp memory sync; mv a/b/c.md a/b/cc.md; mv a/b.md z.md`},
	{name: "sync, facts in an older vault", args: []string{"sync"}, prep: `
		printf '*\n!.gitignore\n!vault.yaml\n' >.cp/.gitignore; git commit -qm older .cp/.gitignore
		f=` + factsOfB + `; mkdir -p $(dirname $f); printf '{"id": "pf-bbb", "of": "", "by": "", "prompt": 0,\n"entities": [],\n"relations": []}\n' >$f`},
	{name: "sync, facts that git merged as text", args: []string{"sync"}, prep: factsMerged},
	{name: "sync --restyle", args: []string{"sync", "--restyle"}, prep: `
		printf 'pointers:\n  style: hidden\n' >>.cp/vault.yaml; git commit -qm 'hidden blocks' .cp/vault.yaml`},
	{name: "doctor --fix", args: []string{"doctor", "--fix", "--yes"}, prep: byHand},
	{name: "import", args: []string{"import", "../docs", "--under", "pf-xxx"}, prep: `
		mkdir -p ../docs/one; for i in 1 2 3; do printf '# Doc %s\n' $i >../docs/$i.md; printf '# Sub %s\n' $i >../docs/one/$i.md; done; printf '# One\n' >../docs/one.md`},
	{name: "import --git-notes", args: []string{"import", "--git-notes"}, prep: `
		for i in 1 2 3; do printf -- '---\nsummary: It is %s\ntimestamp: 2025-12-14T10:30:00Z\n---\nText.\n' $i >../note; git notes --ref=cs/decisions append -F ../note HEAD; done`},
	{name: "import --sanj", args: []string{"import", "--sanj", "../sanj"}, prep: `
		mkdir ../sanj; printf '[{"id":"o1","text":"It hangs","count":2,"lastSeen":"2026-01-26"},{"id":"o2","text":"It leaks","level":"long_term","lastSeen":"2026-01-26"}]' >../sanj/observations.json
		printf '# Long-Term Memory\n\n## It stops\n- Count: 3\n- Last seen: 2026-01-26\n' >../sanj/long-term-memory.md`},
	{name: "batch", args: []string{"batch", "../batch.jsonl"}, prep: `
		printf '{"verb":"add","key":"k","text":"One","title":"One"}\n{"verb":"add-sub","parent":"$k","title":"Two","body":"t","summary":"When two"}\n{"verb":"update","id":"pf-bbb","append":"More."}\n' >../batch.jsonl`},
	{name: "pull", args: []string{"pull"}, prep: pullPrep},
	{name: "restore, an earlier text", args: []string{"restore", "pf-bbb", "HEAD~1"}, prep: `cp memory update pf-bbb --append Later.`},
	{name: "restore, a deleted one", args: []string{"restore", "pf-bbb", "--recursive"}, prep: `cp memory delete pf-bbb --recursive --force`},
	{name: "what waited", args: []string{"sync"}, prep: queued},
	{name: "eject", args: []string{"eject", "--yes"}, prep: drawnIDs},
	{name: "undo", args: []string{"undo", "--force"}, prep: `cp memory move pf-ccc pf-xxx`},
	{name: "undo 2", args: []string{"undo", "2", "--force"}, prep: `cp memory move pf-ccc pf-xxx; cp memory update pf-bbb --append More.`},
	{name: "undo 3, of one file", args: []string{"undo", "3", "--force"}, prep: `
		cp memory update pf-ccc --append More.; cp memory move pf-ccc pf-xxx; cp memory delete pf-ccc --force`},
	{name: "undo 2, of an adopted file", args: []string{"undo", "2", "--force"}, prep: `
		printf '# By hand\n' >hand.md; cp memory sync; cp memory delete hand.md --force
		echo 'adopt: never' >>.cp/vault.yaml; git commit -qm 'what recovers adopts nothing' .cp/vault.yaml`},
}

// drawnIDs are files of which the program has drawn the ids.
const drawnIDs = `mkdir drawn; printf '# Drawn\n' >drawn.md; printf '# Below' >drawn/below.md; cp memory sync`

// boundCode is a file of code beside the memories.
const boundCode = `printf 'one\ntwo\nthree\n' >code.go`

// byHand is what a person did without cp, which sync puts in order.
const byHand = `
	printf '# By hand\n' >hand.md; printf '# Below\n' >a/below.md
	mkdir y; mv x.md y/x.md; rm a/b/c.md; sed -i 's/summary: When b/summary: When bee/' a/b.md`

// factsOfB is where the facts of pf-bbb lie.
var factsOfB = string(vault.FactsPath("pf-bbb"))

// factsMerged makes two commits of facts that exclude each other, and a merge that holds git's
// markers. The person's other work waits for the moment.
var factsMerged = `
	git stash -q; git config --remove-section merge.cp-memory
	f=` + factsOfB + `; mkdir -p $(dirname $f)
	say() { printf '{"id": "pf-bbb", "prompt": %s,\n"entities": [\n{"name": "%s", "type": "host"}\n],\n"relations": []}\n' $1 $2 >$f; git add $f; git commit -qm "$2"; }
	say 1 base; git branch side; say 2 ours; git checkout -q side; say 3 theirs; git checkout -q -
	git merge -q side || true; git commit -qam merged; git branch -qD side; git stash pop -q --index`

// unswept are the commands that a sweep has nothing to kill in, and why.
var unswept = map[string]string{
	"memory about": reads, "memory stale": reads,
	"memory reanchor":   "one commit of headers, planned as memory update, which is swept",
	"memory merge-into": "one commit of two headers, planned as memory supersede, which is swept",
	"memory prime":      reads, "memory show": reads, "memory tree": reads, "memory list": reads, "memory search": reads, "memory recall": reads,
	"memory hot": reads, "memory awareness": reads, "memory context": reads, "memory guide": reads, "memory path": reads, "memory log": reads, "memory changes": reads, "memory diff": reads,
	"memory findings plan": reads, "memory findings list": reads, "memory findings patterns": reads, "memory fact list": reads, "memory graph": reads, "memory entities": reads, "memory entity": reads,
	"memory findings report": "writes reports for people outside the vault's history, each by one rename, and makes them anew each time",
	"memory blame":           reads, "memory export": reads, "shard show": reads, "shard list": reads, "shard edges": reads,
	"recall": reads, "status": reads, "version": reads, "completion": reads, "help": reads,
	"memory status": reads, "memory verify": reads,
	"memory reindex":        "deletes the index, which every command builds again",
	"memory push":           "the writing is git push's",
	"memory watch":          "runs until it is told to end; it is killed in chaos and in its own tests",
	"merge-driver":          "writes the one file that git gives it, which git throws away when it fails",
	"admin embed-backfill":  "writes vectors.db alone, in SQLite's transactions",
	"admin embed-calibrate": "writes vectors.db alone, in SQLite's transactions",
	"init":                  "has TestInitKilled",
	"memory setup":          ofAgents, "setup": ofAgents, "memory setup shell": reads, "setup shell": reads,
	"memory hook": "writes by the verb capture, which is swept",
	"memory mcp":  serves, "mcp": serves, "memory tool": serves, "memory browse": serves, "web": serves,
	"demo":         "works in a folder of its own, by the commands, which are swept",
	"project list": reads, "project show": reads,
	"project add": ofRegistry, "project scan": ofRegistry, "project prune": ofRegistry,
}

const (
	reads      = "it changes no file of the vault"
	ofAgents   = "changes files of agents, each by one rename; a second run finishes what is left"
	serves     = "writes by the verbs, which are swept"
	ofRegistry = "writes one file outside of the vaults, by one rename"
)

// TestEveryCommandIsSwept takes the commands from the program itself, so that a
// new one cannot be forgotten.
func TestEveryCommandIsSwept(t *testing.T) {
	swept := map[string]bool{}
	for _, sw := range sweeps {
		for n := range min(3, len(sw.line())) {
			swept[strings.Join(sw.line()[:n+1], " ")] = true
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(c.CommandPath(), "cp ")
		if !c.HasSubCommands() && !swept[name] && unswept[name] == "" {
			t.Errorf("%q is neither in sweeps nor in unswept", name)
		}
	}
	walk(cli.Root(new(app.App), console.Streams{In: os.Stdin, Out: io.Discard, Err: io.Discard}))
}

// sampled is how many points of each command an ordinary run tries; "make
// torture" tries all.
const sampled = 5

// torture reports whether the run has the time to try everything.
func torture() bool { return os.Getenv("CP_TORTURE") != "" }

// TestKillSweep kills each write before a change to the disk, and in turn the
// command that recovers it; then lets the next command, a reader, recover, and
// checks that it answers as if the write were finished or had never begun, that
// the write is there whole or not at all, and that the person's uncommitted
// prose and staged file are as they were.
// Faults M1, M2, O7.
func TestKillSweep(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, sw := range sweeps {
		t.Run(sw.name, func(t *testing.T) {
			t.Parallel()
			s := template.copy(t)
			s.prepare(sw.prep)
			s.play(sw.model)
			s.sweep(faulty, sw)
		})
	}
}

// outcomes runs the command once as it should, and returns how many changes it
// makes, what is there afterwards, and what may be there when it was
// interrupted, each with its name.
func (s *scene) outcomes(faulty string, sw sweep) (total int, after string, ok map[string]string, states []*scene) {
	s.t.Helper()
	states = append(states, s.copy(s.t))
	ok = map[string]string{s.copy(s.t).settled(): "nothing happened"}
	if sw.typed != "" {
		typed := s.copy(s.t)
		typed.prepare(sw.typed)
		states = append(states, typed.copy(s.t))
		ok[typed.settled()] = "typed and not committed"
	}
	done := s.copy(s.t)
	done.cp = faulty
	total = done.changes(sw.line())
	done.cp = s.cp
	states = append(states, done.copy(s.t))
	after = done.settled()
	ok[after] = "done"
	s.t.Logf("%d changes", total)
	return total, after, ok, states
}

func (s *scene) sweep(faulty string, sw sweep) {
	args := sw.line()
	total, _, ok, states := s.outcomes(faulty, sw)
	told := newTold(states)
	for i, n := range points(sw.name, total) {
		c := s.copy(s.t)
		when := c.killed(faulty, n, args)
		if i%2 == 1 || torture() { // and its recovery is killed too
			when += "; recovery " + c.killed(faulty, 1+int(mix(sw.name, n))%25, []string{"memory", "sync"})
		}
		told.check(c, when, readers[(i+int(mix(sw.name, 0)))%len(readers)])
		got := c.settled()
		if ok[got] == "" {
			s.t.Errorf("%s: half done:\n%s\nwant one of\n%v", when, got, ok)
		}
		c.untouched(when)
	}
}

// failures are what a change may fail with; those with a plus stay. They take
// turns: two neighbours are one that passes and one that stays.
var failures = []string{"+:ENOSPC", ":EIO", "+:EROFS", ":EACCES", "+:EMFILE", ":EIO", "+:EDQUOT", ":EACCES"}

// faultsOf are the failures tried at a command's changes: in a long run two at
// each of them, else one at a few in the middle, where most can go wrong.
func faultsOf(name string, total int) []string {
	try, turns := points("fail "+name, total), 2
	if !torture() {
		try, turns = try[1:min(len(try), 4)], 1
	}
	var faults []string
	for i, n := range try {
		for turn := range turns {
			faults = append(faults, strconv.Itoa(n)+failures[(i+turn+int(mix(name, 0)))%len(failures)])
		}
	}
	return faults
}

// TestEachChangeOfTheProgramFails lets a change to the disk fail, and with a full
// or read-only disk all that follow: the command says so or is done, and the
// next one, on a disk that works again, finds the write whole or absent.
// Faults M4.
func TestEachChangeOfTheProgramFails(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, sw := range sweeps {
		t.Run(sw.name, func(t *testing.T) {
			t.Parallel()
			s := template.copy(t)
			s.prepare(sw.prep)
			s.play(sw.model)
			s.fail(faulty, sw)
		})
	}
}

func (s *scene) fail(faulty string, sw sweep) {
	total, after, ok, _ := s.outcomes(faulty, sw)
	faults := faultsOf(sw.name, total)
	for _, fault := range faults {
		c := s.copy(s.t)
		faulted := *c
		faulted.env = append(slices.Clone(c.env), editing, "CP_FAULT="+fault)
		_, err := faulted.run(faulty, sw.line()...)
		if err != nil && !said(err) && !strings.Contains(err.Error(), "exit status 75") {
			s.t.Errorf("%s: %v", fault, err)
		}
		got := c.settled()
		if ok[got] == "" || err == nil && got != after {
			s.t.Errorf("%s, %v: %q:\n%s", fault, err, ok[got], cmp.Diff(after, got))
		}
		c.untouched(fault)
	}
	s.t.Logf("%d changes failed", len(faults))
}

// said reports whether a command told of its failure, which one that captures does in other words.
func said(err error) bool {
	return strings.Contains(err.Error(), "Error: ") || strings.Contains(err.Error(), "[storage] ") && strings.Contains(err.Error(), "\n→ ")
}

// TestInitKilled kills the making of a vault in a person's repository, and lets
// its changes fail; doing it again makes it whole, and what was staged is staged.
func TestInitKilled(t *testing.T) {
	testlevel.Check(t)
	sweepInit(t, "init", []string{"init", "--prefix", "pf"}, (*scene).madeAgain)
}

// TestInitOutsideKilled kills the making of a vault outside of the repository. Doing it
// again needs no flag: the vault is whole, and the repository finds it.
func TestInitOutsideKilled(t *testing.T) {
	sweepInit(t, "init outside", []string{"init", "../mem", "--prefix", "pf"}, (*scene).mappedAgain)
}

// sweepInit kills the command before each of its changes, and lets each of them fail, in a
// repository with a staged file and no vault; again does it again and checks what is there.
func sweepInit(t *testing.T, name string, args []string, again func(s *scene, when string, args []string)) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	s := newScene(t)
	s.must("rm", "-rf", ".git", ".cp", ".gitattributes")
	s.prepare("git init -q; echo x >x.txt; git add x.txt; git commit -qm 1; echo s >s.txt; git add s.txt")
	done := s.copy(t)
	done.cp = faulty
	total := done.changes(args)
	for _, n := range points(name, total) {
		c := s.copy(t)
		c.ownsHome()
		again(c, c.killed(faulty, n, args), args)
	}
	faults := faultsOf(name, total)
	for _, fault := range faults {
		c := s.copy(t)
		c.ownsHome()
		faulted := *c
		faulted.env = append(slices.Clone(c.env), "CP_FAULT="+fault)
		if _, err := faulted.run(faulty, args...); err != nil && !strings.Contains(err.Error(), "Error: ") {
			t.Errorf("%s: %v", fault, err)
		}
		again(c, fault, args)
	}
	t.Logf("%d changes, %d failed", total, len(faults))
}

// ownsHome gives the scene a home of its own with the same git settings: what one
// command writes into the user's settings, no other one reads.
func (s *scene) ownsHome() {
	home := s.t.TempDir()
	s.must("/bin/cp", filepath.Join(s.home, ".gitconfig"), home)
	s.home = home
}

// mappedAgain makes a vault outside of the repository that was not made, or not wholly, and
// checks that the repository finds it.
func (s *scene) mappedAgain(when string, args []string) {
	s.t.Helper()
	if _, err := s.run(s.cp, args...); err != nil {
		s.t.Errorf("%s: again: %v", when, err)
	}
	if got := s.must("git", "status", "--short"); got != "A  s.txt\n" {
		s.t.Errorf("%s: status: %q", when, got)
	}
	s.must(s.cp, "memory", "add", "First")
	mem := *s
	mem.dir = filepath.Join(filepath.Dir(s.dir), "mem")
	if got := mem.must("git", "ls-files", "first.md"); got != "first.md\n" {
		s.t.Errorf("%s: the repository does not find the vault", when)
	}
	mem.healthy()
}

// madeAgain makes the vault that was not made, or not wholly, and checks it.
func (s *scene) madeAgain(when string, args []string) {
	s.t.Helper()
	if _, err := s.run(s.cp, args...); err != nil && !strings.Contains(err.Error(), "Config already exists.") {
		s.t.Errorf("%s: %v", when, err)
	}
	if got := s.must("git", "diff", "--cached", "--name-status"); got != "A\ts.txt\n" {
		s.t.Errorf("%s: staged: %q", when, got)
	}
	s.must(s.cp, "memory", "add", "First")
	s.healthy()
}

// points are the changes before which a command is killed: all of them, or a
// few over its whole length, the same in every run.
func points(name string, total int) []int {
	var all []int
	for n := 1; n <= total; n++ {
		all = append(all, n)
	}
	if torture() || total <= sampled {
		return all
	}
	var some []int
	for i := range sampled {
		from, to := i*total/sampled, (i+1)*total/sampled
		some = append(some, all[from+int(mix(name, i))%(to-from)])
	}
	return some
}

// mix is a number that looks random and is the same in every run.
func mix(name string, n int) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name + strconv.Itoa(n)))
	return h.Sum32() >> 1
}

// faultyProgram is cp with the fault points of package disk, built once.
func faultyProgram(t *testing.T) string {
	t.Helper()
	path, err := faultyBinary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var faultyBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cp-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "cp-faulty")
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5 failpoints", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// sweepScene is a vault with prose typed and not committed in a parent, and a
// file staged.
func sweepScene(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	for path, text := range map[string]string{
		"a.md":     "---\nid: pf-aaa\ntitle: A\n---\nOverview.\n",
		"a/b.md":   "---\nid: pf-bbb\ntitle: B\nsummary: When b\n---\nText.\n",
		"a/b/c.md": "---\nid: pf-ccc\ntitle: C\nsummary: When c\n---\nText.\n",
		"x.md":     "---\nid: pf-xxx\ntitle: X\n---\nOverview.\n",
	} {
		s.write(path, text)
	}
	s.must(s.cp, "memory", "sync")
	disk, err := os.ReadFile(filepath.Join(s.dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("a.md", strings.Replace(string(disk), "Overview.", typedProse, 1))
	s.write("staged.txt", "staged\n")
	s.must("git", "add", "staged.txt")
	return s
}

const typedProse = "Overview, typed and not committed."

func (s *scene) write(path, text string) {
	s.t.Helper()
	full := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// prepare runs shell lines in the scene, with cp on the PATH.
func (s *scene) prepare(lines string) {
	s.t.Helper()
	if lines != "" {
		s.must("sh", "-ec", `PATH="`+filepath.Dir(s.cp)+`:$PATH"`+"\n"+lines)
	}
}

// play lets a language model answer, and say what a fake one of that name says.
func (s *scene) play(name string) {
	if name == "" {
		return
	}
	server := generatetest.Start()
	s.t.Cleanup(server.Stop)
	s.env = append(s.env, "CP_GENERATION_PROVIDER=openai", "CP_GENERATION_MODEL="+name, "CP_GENERATION_BASE_URL="+server.URL+"/v1",
		"CP_GENERATION_KEY_ENV=MODEL_KEY", "MODEL_KEY="+modelKey)
}

// copy is the scene once more, with all that lies beside the vault, in a folder of its own.
func (s *scene) copy(t *testing.T) *scene {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "w")
	if out, err := exec.Command("/bin/cp", "-a", filepath.Dir(s.dir), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := &scene{t: t, cp: s.cp, dir: filepath.Join(dir, filepath.Base(s.dir)), home: s.home, env: slices.Clone(s.env)}
	c.ownsIndex()
	return c
}

// ownsIndex notes the index of a copy as made there. Otherwise each command on a
// copy would make its index first, and most of what it changes would be that.
func (s *scene) ownsIndex() {
	s.t.Helper()
	info, err := os.Stat(filepath.Join(s.dir, ".cp", "index.db"))
	if err != nil {
		return
	}
	notes, _ := filepath.Glob(filepath.Join(s.dir, ".git", "cp", "*", "index.db.made"))
	for _, note := range notes {
		b, err := os.ReadFile(note)
		if err != nil {
			s.t.Fatal(err)
		}
		st := info.Sys().(*syscall.Stat_t)
		key, _, _ := strings.Cut(string(b), " ")
		if err := os.WriteFile(note, fmt.Appendln(nil, key, st.Dev, st.Ino), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// editing is what the command "edit" opens.
const editing = `EDITOR=sh -c 'echo typed >>"$0"'`

// changes runs a command and counts its changes to the disk.
func (s *scene) changes(args []string) int {
	s.t.Helper()
	count := filepath.Join(s.t.TempDir(), "count")
	s.env = append(s.env, editing, "CP_FAULT_COUNT="+count)
	s.must(s.cp, args...)
	b, err := os.ReadFile(count)
	if err != nil {
		s.t.Fatal(err)
	}
	n, err := strconv.Atoi(string(b))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// killed runs a program and kills it before its n-th change, if it makes as
// many; it tells what happened.
func (s *scene) killed(faulty string, n int, args []string) string {
	s.t.Helper()
	faulted := *s
	faulted.env = append(slices.Clone(s.env), editing, "CP_FAULT="+strconv.Itoa(n)+":kill")
	_, err := faulted.run(faulty, args...)
	if err == nil {
		return "not killed at " + strconv.Itoa(n)
	}
	_, said, ok := strings.Cut(err.Error(), "fault: ")
	if !ok {
		s.t.Fatalf("change %d: %v", n, err)
	}
	return strconv.Itoa(n) + ", " + strings.TrimSpace(strings.ReplaceAll(said, s.dir, ""))
}

// drawn fits the ids, the times and the names of work trees that differ from run to run.
var drawn = regexp.MustCompile(`pf-[0-9a-z]{8}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\bvault-[0-9a-f]{8}\b|(?m)^index .*$`)

// settled lets the next command recover, and returns what is there then: the
// files, and what git says of them, without the ids and times that were drawn.
func (s *scene) settled() string {
	s.t.Helper()
	s.must(s.cp, "memory", "sync")
	var b strings.Builder
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.dir, path)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (rel == ".git" || rel == ".cp"):
			return fs.SkipDir
		case d.IsDir():
			b.WriteString(rel + "/\n")
			return nil
		}
		text, err := os.ReadFile(path)
		b.WriteString("== " + rel + "\n" + string(text))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, args := range [][]string{{"status", "--porcelain", "-uall"}, {"diff", "--no-color"}, {"diff", "--cached", "--no-color"}} {
		b.WriteString("== git " + args[0] + "\n" + s.must("git", args...))
	}
	return drawn.ReplaceAllString(b.String(), "…")
}

// untouched checks what is the person's: the typed prose is on disk and in no
// commit, and the staged file is staged.
func (s *scene) untouched(when string) {
	s.t.Helper()
	if b, _ := os.ReadFile(filepath.Join(s.dir, "a.md")); !strings.Contains(string(b), typedProse) {
		s.t.Errorf("%s: the typed prose is gone", when)
	}
	if log := s.must("git", "log", "-p", "--all"); strings.Contains(log, typedProse) {
		s.t.Errorf("%s: the typed prose is in a commit", when)
	}
	if got := s.must("git", "diff", "--cached", "--name-status"); got != "A\tstaged.txt\n" {
		s.t.Errorf("%s: staged: %q", when, got)
	}
	s.healthy()
}
