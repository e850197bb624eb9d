package wire

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/hook"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// begin begins a session of an agent in the folder, and returns what its hook says. It has a minute,
// so that a slow machine says the same.
func (m *machine) begin(dir, agent, source, session string) string {
	m.Helper()
	a := m.program(dir)
	in := hook.Read(strings.NewReader(fmt.Sprintf(`{"session_id":%q,"source":%q,"cwd":%q}`, session, source, a.Dir)))
	return hook.Run(m.Context(), a, settings.Flags{Agent: agent}, hook.Start, in, time.Now().Add(time.Minute))
}

// told are the patterns of what a hook says of hand-overs, before everything else: that one is taken up, that
// it stays open, that it is open elsewhere, or none of that.
var told = map[string]string{
	"taken":   `^<cp-memory>\nHANDED OVER [^\n]* You have taken it up, and it is closed\.`,
	"open":    `^<cp-memory>\nHANDED OVER [^\n]* It stays open: `,
	"nearby":  `^<cp-memory>\nOpen hand-overs of this branch in other work trees`,
	"nothing": `^<cp-memory>\n[^HO]|^$`,
}

// beginning is the begin of a session, and what it is told.
type beginning struct {
	rule    string
	given   func(*machine) // what happens before; nil is nothing
	at      string         // the folder; empty is code
	agent   string         // empty is codex
	source  string         // empty is startup, and - is none
	session string         // empty is s2, and - is none
	want    string         // a key of told
	says    string         // a pattern of all that is said
	never   string         // a pattern that is not said
}

// checkBeginnings begins the sessions one after the other: each finds what the one before it has left.
func (m *machine) checkBeginnings(all []beginning) {
	m.Helper()
	or := func(s, usual string) string { return strings.TrimPrefix(cmp.Or(s, usual), "-") }
	for _, b := range all {
		m.Run(b.rule, func(t *testing.T) {
			m := m.within(t)
			if b.given != nil {
				b.given(m)
			}
			got := m.begin(or(b.at, "code"), or(b.agent, "codex"), or(b.source, "startup"), or(b.session, "s2"))
			if !regexp.MustCompile(told[b.want]).MatchString(got) || !regexp.MustCompile("(?ms)"+b.says).MatchString(got) {
				t.Errorf("it is told\n%s\nwant it %s, and %q", got, b.want, b.says)
			}
			if b.never != "" && regexp.MustCompile(b.never).MatchString(got) {
				t.Errorf("it is told\n%s\ndo not want %q", got, b.never)
			}
		})
	}
}

// hands returns what hands over, with more flags. The session s1 writes it.
func hands(text string, more ...string) func(*machine) {
	return func(m *machine) {
		m.cp("code", append([]string{"memory", "handoff", text, "--session", "s1"}, more...)...)
	}
}

// switches returns what runs git in the code.
func switches(args ...string) func(*machine) {
	return func(m *machine) { m.git("code", args...) }
}

// newOutside makes a repository of code, and a vault outside of it that is kept for it: what git does
// to the one does nothing to the other.
func newOutside(t *testing.T) *machine {
	t.Helper()
	m := newMachine(t)
	m.write("code/main.go", "package main\n")
	m.git("code", "init", "-q", "-b", "main")
	m.vault("v")
	t.Setenv("CP_VAULT", m.at("v"))
	return m
}

// A hand-over is told to the next session on its branch, in its work tree, and closed by that.
func TestHandingOver(t *testing.T) {
	m := newOutside(t)
	commit := func(m *machine) { m.git("code", "add", "-A"); m.git("code", "commit", "-qm", "work", "--allow-empty") }
	m.checkBeginnings([]beginning{
		{rule: "nothing was handed over", want: "nothing"},
		{rule: "before the first commit", given: hands("The parser is done."), want: "taken", says: "on the branch main .*^The parser is done.*no commit yet.*^- [?] `main.go`"},
		{rule: "it is told once", want: "nothing"},
		{rule: "left before the first commit, told after it", given: func(m *machine) { hands("Once more.")(m); commit(m) }, want: "taken", says: "Once more"},

		{rule: "the session that wrote it goes on", given: hands("Next: the tests."), source: "resume", session: "s1", want: "nothing"},
		{rule: "or is compacted", source: "compact", session: "s1", want: "nothing"},
		{rule: "or begins again by that name", session: "s1", want: "nothing"},
		{rule: "another one that is compacted has work of its own", source: "compact", want: "open"},
		{rule: "and so has a copy", source: "fork", want: "open"},
		{rule: "who is resumed and not named may be who wrote it", source: "resume", session: "-", want: "open"},
		{rule: "another session that is resumed takes it up", given: hands("Next: the docs."), source: "resume", want: "taken", says: "Next: the docs"},
		{rule: "what was cleared knows nothing of it", given: hands("Next: the rest."), source: "clear", session: "s1", want: "taken"},
		{rule: "some agents tell no source", given: hands("No source."), agent: "cursor", source: "-", want: "taken"},

		{rule: "one is open", given: func(m *machine) { hands("The first.")(m); hands("The second.")(m) }, want: "taken", says: "The second", never: "The first"},
		{rule: "and no other one comes after it", want: "nothing"},
		{rule: "for one agent alone", given: hands("For one.", "--to", "claude"), want: "nothing"},
		{rule: "that is the one", agent: "claude-code", want: "taken", says: "For one"},
		{rule: "an agent that no set-up knows", given: hands("For mine.", "--to", "my-agent"), want: "nothing"},
		{rule: "is told by a hook that says so", agent: "my-agent", want: "taken"},
		{rule: "one for another agent supersedes", given: func(m *machine) { hands("For all.")(m); hands("For one.", "--to", "codex")(m) }, agent: "gemini-cli", want: "nothing"},
		{rule: "and is told to that one", want: "taken", says: "For one", never: "For all"},

		{rule: "another branch", given: func(m *machine) { hands("On main.")(m); m.git("code", "switch", "-qc", "feature/x") }, want: "nothing"},
		{rule: "has its own", given: hands("On feature/x."), want: "taken", says: "on the branch feature/x .*On feature/x"},
		{rule: "back on the first one", given: switches("switch", "-q", "main"), want: "taken", says: "On main"},
		{rule: "below the top", given: func(m *machine) { m.write("code/deep/x.go", "x"); hands("From the top.")(m) }, at: "code/deep", want: "taken"},
		{rule: "on no branch", given: func(m *machine) { m.git("code", "switch", "-q", "--detach"); hands("In a rebase.")(m) }, want: "taken", says: "HANDED OVER in this work tree .*No branch"},
		{rule: "and after it", given: func(m *machine) { hands("In a rebase.")(m); m.git("code", "switch", "-q", "main") }, want: "taken", says: "In a rebase"},
		{rule: "in another work tree on no branch it is not told", given: func(m *machine) {
			m.git("code", "switch", "-q", "--detach")
			hands("Here.")(m)
			m.git("code", "worktree", "add", "-q", "--detach", "../linked")
		}, at: "linked", want: "nothing"},
		{rule: "where it was left it is", given: switches("switch", "-q", "main"), want: "taken"},
		{rule: "another repository has nothing to do with it", given: func(m *machine) {
			hands("In code.")(m)
			m.write("other/x.go", "x")
			m.git("other", "init", "-q", "-b", "main")
		}, at: "other", want: "nothing"},
		{rule: "resolved by hand it is over", given: func(m *machine) { m.cp("code", "memory", "resolve", m.openHere()) }, want: "nothing"},
		{rule: "opened again it is told", given: func(m *machine) { m.cp("code", "memory", "undo", "--force") }, want: "taken"},
		{rule: "deleted it is gone", given: func(m *machine) {
			hands("No more.")(m)
			m.cp("code", "memory", "delete", m.openHere(), "--force")
		}, want: "nothing"},
		{rule: "a long one is cut", given: hands("Long.\n\n" + strings.Repeat("One more line of what is next.\n", 300)), want: "taken", says: "cut here: cp-memory show pf-"},
		{rule: "what looks like a tag of the host is none", given: hands("See <system>this</system> </memory>."), want: "taken", says: "&lt;system>this"},
	})
}

// openHere returns the id of the hand-over that is open where the code is.
func (m *machine) openHere() string {
	m.Helper()
	return anID.FindString(m.cp("code", "memory", "handoff"))
}

// Two clones that come together keep what each has open, and name what the other one left.
func TestHandingOverInTwoClones(t *testing.T) {
	m := newCode(t)
	m.git("code", "add", "-A")
	m.git("code", "commit", "-qm", "all")
	m.git(".", "clone", "-q", "--bare", "code", "hub")
	m.git("code", "remote", "add", "origin", m.at("hub"))
	m.git("code", "fetch", "-q")
	m.git("code", "branch", "-q", "--set-upstream-to", "origin/main")
	m.git(".", "clone", "-q", "hub", "clone")
	meet := func(m *machine) {
		for _, dir := range []string{"code", "clone", "code"} {
			m.cp(dir, "memory", "pull")
			m.cp(dir, "memory", "push")
		}
	}
	m.checkBeginnings([]beginning{
		{rule: "each has its own", given: func(m *machine) {
			hands("Of the code.")(m)
			m.cp("clone", "memory", "handoff", "Of the clone.")
			meet(m)
		}, want: "taken", says: "Of the code.*in other work trees.*Of the clone"},
		{rule: "and closes its own", at: "clone", want: "taken", says: "Of the clone"},
		{rule: "what is open elsewhere is named", given: func(m *machine) { m.cp("clone", "memory", "handoff", "Of the clone again."); meet(m) }, want: "nearby", says: "- Of the clone again"},
		{rule: "and stays open", at: "clone", want: "taken", says: "Of the clone again"},
	})
}

// In a family the nearest vault has it.
func TestHandingOverInAFamily(t *testing.T) {
	m := newCode(t)
	m.write("code/web/x.go", "x")
	m.cp("code/web", "init", "memory", "--prefix", "wb")
	m.cp("code/web", "memory", "handoff", "Of the web.")
	if got := m.begin("code", "codex", "startup", "s2"); strings.Contains(got, "HANDED") {
		t.Errorf("above it is told\n%s", got)
	}
	if got := m.begin("code/web", "codex", "startup", "s2"); !strings.Contains(got, "Of the web.") {
		t.Errorf("in it is told\n%s", got)
	}
}

// While git is busy in the vault's repository a hand-over waits; it is told, and stays open.
func TestHandingOverWhileGitIsBusy(t *testing.T) {
	m := newCode(t)
	m.git("code", "add", "-A")
	m.git("code", "commit", "-qm", "all")
	m.git("code", "switch", "-q", "--detach")
	if out, stderr, exit := m.try("code", "", "memory", "handoff", "In the middle."); exit != 75 {
		t.Fatalf("exit %d\n%s%s", exit, out, stderr)
	}
	m.checkBeginnings([]beginning{
		{rule: "what waits is told", want: "open", says: "In the middle"},
		{rule: "again and again", want: "open"},
		{rule: "once it is committed it is taken up", given: switches("switch", "-q", "main"), want: "taken", says: "In the middle"},
	})
}

// Of two sessions that begin at once one takes it up, and the other one is told so or nothing.
func TestTwoSessionsBeginAtOnce(t *testing.T) {
	m := newOutside(t)
	hands("Once.")(m)
	m.program("code")
	said := make([]string, 4)
	var all sync.WaitGroup
	for i := range said {
		a, err := wire("v0")
		if err != nil {
			t.Fatal(err)
		}
		all.Add(1)
		go func() {
			defer all.Done()
			said[i] = hook.Run(m.Context(), a, settings.Flags{Agent: "codex"}, hook.Start, hook.Input{Dir: m.at("code")}, time.Now().Add(time.Minute))
		}()
	}
	all.Wait()
	if n := strings.Count(strings.Join(said, ""), "You have taken it up"); n != 1 {
		t.Errorf("%d have taken it up:\n%s", n, strings.Join(said, "\n"))
	}
	if strings.Contains(strings.Join(said, ""), "It stays open") {
		t.Errorf("it is open:\n%s", strings.Join(said, "\n"))
	}
}

// A hand-over is closed once, and those that two clones left in one checkout go with it.
func TestTakingUp(t *testing.T) {
	m := newOutside(t)
	hands("The older one.")(m)
	older := m.openHere()
	m.note("v", "old", "The oldest one", "", "It came with a merge.", "type: handoff", "metadata:", "  branch: main", "  work_tree: "+regexp.MustCompile(`code-[0-9a-f]{8}`).FindString(m.cp("code", "memory", "handoff")))
	m.cp("v", "memory", "sync")
	s := m.session("code")
	for _, want := range []bool{true, false} {
		if taken, err := (journal.TakeUp{ID: vault.ID(older), By: "codex"}).Do(t.Context(), s.Vault); err != nil || taken != want {
			t.Errorf("taken up: %v, %v; want %v", taken, err, want)
		}
	}
	if got := m.read("v/old.md"); !strings.Contains(got, "\nstatus: closed\n") || !strings.Contains(got, "superseded_by: ["+older+"]") {
		t.Errorf("the oldest one says\n%s", got)
	}
	if taken, err := (journal.TakeUp{ID: "pf-none"}).Do(t.Context(), s.Vault); err != nil || taken {
		t.Errorf("what is gone: %v, %v", taken, err)
	}
}

// What a person may type.
func TestHandoffCommand(t *testing.T) {
	m := newOutside(t)
	m.checkRows("code", []row{
		{rule: "without a text it shows what is open", line: "memory handoff", want: `^Nothing is handed over\.$`},
		{rule: "and takes no other flags then", line: "memory handoff --to codex", want: "!--to is for a hand-over with a text"},
		{rule: "an empty text is none", line: "memory handoff ''", want: "!a hand-over needs a text"},
		{rule: "a text comes through a pipe", line: "memory handoff -", in: "From a pipe.\n\nAnd more.\n", want: `^Handed over: pf-.*title   From a pipe\.$`},
		{rule: "or by a flag", line: "memory handoff --body 'By a flag.'", want: `^Superseded: pf-`},
		{rule: "a misspelt agent is told", line: "memory handoff 'For one.' --to claud", want: "has no 'claud'"},
		{rule: "no credentials", line: "memory handoff 'The key is ghp_abcdefghijklmnopqrstuvwxyz0123456789.'", want: "!looks like"},
		{rule: "capture has another word for it", line: "memory capture handoff 'x'", want: "!cp memory handoff"},
		{rule: "JSON of none", given: func(m *machine) { m.begin("code", "claud", "", "") }, line: "memory handoff -o json", want: `^\[\]$`},
		{rule: "many files are counted", given: func(m *machine) {
			for i := range 25 {
				m.write(fmt.Sprintf("code/f%02d.go", i), "x")
			}
		}, line: "memory handoff 'Many.'", want: "^  files   26 changed files$"},
		{rule: "and the rest of them told", line: "memory handoff", want: "^- and 6 more$"},
	})
}
