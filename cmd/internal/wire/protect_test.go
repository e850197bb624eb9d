package wire

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
)

// guarded is a vault with a protected memory and those around it.
type guarded struct {
	*machine
	above, id, below, other string // memories: the protected one is between above and below, other is a root
	line                    string // of the header that protects it
}

// protectedVault makes the vault v, in which a line of the header protects a memory.
func protectedVault(m *machine, line string) *guarded {
	m.Helper()
	g := &guarded{machine: m, line: line}
	g.above = m.add("v", "Operations", "When one runs it", "How it is run.")
	g.id = g.addBelow(g.above, "Runbook", "The pager is in the drawer. See [Postmortem](../postmortem.md).\n\n## Steps\n\nCall Ada.", "--label", "ops")
	g.below = g.addBelow(g.id, "Nights", "Call Bob.")
	g.other = m.add("v", "Postmortem", "When it was down", "It was DNS.")
	m.write("v/operations/runbook.md", strings.Replace(m.read("v/operations/runbook.md"), "---\n", "---\n"+line+"\n", 1))
	m.git("v", "commit", "-qam", "protect it")
	return g
}

// addBelow adds a memory below another one.
func (g *guarded) addBelow(parent, title, body string, more ...string) string {
	g.Helper()
	return anID.FindString(regexp.MustCompile(parent).ReplaceAllString(g.cp("v", append([]string{"memory", "add-sub", parent, "--title", title, "--summary", "When " + title, "--body", body}, more...)...), ""))
}

// state is what no refused write changes.
func (g *guarded) state() string {
	g.Helper()
	return g.git("v", "rev-parse", "HEAD") + g.git("v", "status", "--porcelain")
}

// fill puts the ids of the vault into a text.
func (g *guarded) fill(text string) string {
	return strings.NewReplacer("ABOVE", g.above, "BELOW", g.below, "OTHER", g.other, "ID", g.id).Replace(text)
}

// lines are the ways in which a header protects a memory, and whether additions are let through.
var lines = map[string]bool{"protected: true": false, "protected: append": true, "protected: maybe": false, "read_only: true": false}

// A protected memory is one that no tool changes, whichever tool and whichever argument it is; what
// only follows from other memories is done.
func TestToolsHeedProtection(t *testing.T) {
	for line, appends := range lines {
		t.Run(line, func(t *testing.T) {
			c := converse(t, false)
			g := protectedVault(c.m, line)
			args := func(tool, text string) object {
				out := object{}
				for pair := range strings.SplitSeq(g.fill(text), "; ") {
					key, value, _ := strings.Cut(pair, "=")
					switch {
					case key == "recursive" || key == "new":
						out[key] = true
					case key == "clear" || strings.HasSuffix(key, "_labels"):
						out[key] = []string{value}
					default:
						out[key] = value
					}
				}
				return out
			}
			was := g.state()
			for _, row := range []struct {
				tool, args string
				adds       bool
			}{
				{"memory_update", "id=ID; title=Other", false},
				{"memory_update", "id=ID; summary=If it is night", false},
				{"memory_update", "id=ID; body=Nothing.", false},
				{"memory_update", "id=ID; body=---\nprotected: false\n---\nNothing.", false},
				{"memory_update", "id=ID; body=Call Eve.; section=Steps", false},
				{"memory_update", "id=ID; clear=summary", false},
				{"memory_update", "id=ID; clear=body", false},
				{"memory_update", "id=ID; remove_labels=ops", false},
				{"memory_update", "id=ID; append=More.; title=Other", false},
				{"memory_move", "id=ID; parent=root", false},
				{"memory_move", "id=ID; parent=OTHER", false},
				{"memory_move", "id=ID; parent=ABOVE; summary=If it is night", false},
				{"memory_retire", "id=ID; how=resolved", false},
				{"memory_retire", "id=ID; how=resolved; note=Done.", false},
				{"memory_retire", "id=ID; how=superseded; by=OTHER", false},
				{"memory_retire", "id=ID; how=deleted; recursive=", false},
				{"memory_retire", "id=ABOVE; how=deleted; recursive=", false},
				{"memory_update", "id=ID; append=One more.", true},
				{"memory_update", "id=ID; add_labels=night", true},
				{"memory_update", "id=ID; body=A section.; section=Days; new=", true},
				{"memory_retire", "id=OTHER; how=superseded; by=ID", true},
			} {
				if row.adds && appends {
					c.does(row.tool, args(row.tool, row.args), "in commit|superseded")
					was = g.state()
					continue
				}
				c.fails(row.tool, args(row.tool, row.args), `operations/runbook.md: this memory (is protected|only takes additions).*\nhint: [^-]*$`)
				if got := g.state(); got != was {
					t.Fatalf("%s %s: changed %s to %s", row.tool, row.args, was, got)
				}
			}
			c.does("memory_show", object{"id": g.id}, map[bool]string{true: "append only: tools add", false: "protected: no tool changes it"}[appends])
			c.does("memory_tree", object{}, `Runbook \(`+g.id+`\) \[`+map[bool]string{true: "append only", false: "protected"}[appends]+`\]`)
			c.does("memory_add", object{"title": "Days", "summary": "When it is day", "body": "Call Cy.", "parent": g.id}, "in commit")
			c.does("memory_move", object{"id": g.below, "parent": "root"}, "in commit")
			c.does("memory_move", object{"id": g.other, "parent": g.below}, "in commit")
			c.does("memory_move", object{"id": g.above, "parent": g.below}, "in commit")
			text := g.read("v/nights/operations/runbook.md")
			for _, want := range []string{line, "The pager", "Call Ada.", `"title": "Days"`, "(../postmortem.md)"} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is gone from\n%s", want, text)
				}
			}
			if strings.Contains(text, g.below) {
				t.Errorf("the block still names what has moved:\n%s", text)
			}
		})
	}
}

// Each command that changes memories heeds the protection where an agent runs it, and says so before
// it asks or opens anything.
func TestAgentsCommandsHeedProtection(t *testing.T) {
	for line, appends := range lines {
		t.Run(line, func(t *testing.T) {
			m := newMachine(t)
			m.vault("v")
			g := protectedVault(m, line)
			first := strings.TrimSpace(g.git("v", "rev-list", "--max-parents=1", "HEAD", "--", "operations/runbook.md"))
			first = first[strings.LastIndexByte(first, '\n')+1:]
			m.write("note.md", "---\nid: "+g.id+"\ntitle: Runbook\n---\nAnother text.\n")
			t.Setenv("EDITOR", "sh -c 'echo typed >>\"$0\"'")
			t.Setenv("CP_AGENT", "bot")
			was := g.state()
			for _, row := range []struct {
				command, in string
				adds        bool
			}{
				{"update ID --title Other", "", false},
				{"update ID --status closed", "", false},
				{"update ID --body-file -", "Nothing.", false},
				{"update ID --decision It-stays --source wiki", "", false},
				{"update ID --force --title Other", "", false},
				{"edit ID", "", false},
				{"resolve ID", "", false},
				{"resolve ID --resolution Done", "", false},
				{"defer ID --until 2099-01-01", "", false},
				{"supersede ID OTHER", "", false},
				{"move ID --root", "", false},
				{"move ID OTHER", "", false},
				{"promote ID", "", false},
				{"delete ID --recursive", "", false},
				{"delete ID --recursive --force", "", false},
				{"delete ABOVE --recursive", "", false},
				{"delete ABOVE --recursive --force", "", false},
				{"restore ID FIRST", "", false},
				{"approve ID", "", false},
				{"deny ID --reason Wrong", "", false},
				{"merge-into ID OTHER", "", false},
				{"batch", `{"verb": "update", "id": "OTHER", "append": "It was."}` + "\n" + `{"verb": "update", "id": "ID", "title": "Other"}`, false},
				{"batch", `{"verb": "move", "id": "OTHER", "parent": "BELOW"}` + "\n" + `{"verb": "promote", "id": "ID"}`, false},
				{"batch", `{"verb": "delete", "id": "ABOVE", "recursive": true}`, false},
				{"update ID --append More.", "", true},
				{"update ID --label night", "", true},
				{"supersede OTHER ID", "", true},
			} {
				args := strings.Fields(strings.ReplaceAll(g.fill(row.command), "FIRST", first))
				out, stderr, exit := m.try("v", g.fill(row.in), append([]string{"memory"}, args...)...)
				if row.adds && appends {
					if exit != 0 {
						t.Errorf("%s: exit %d\n%s", row.command, exit, stderr)
					}
					was = g.state()
					continue
				}
				if exit != 1 || !strings.Contains(stderr, "operations/runbook.md: this memory ") || strings.Contains(stderr, "--force") {
					t.Errorf("%s: exit %d\n%s%s", row.command, exit, out, stderr)
				}
				if got := g.state(); got != was {
					t.Fatalf("%s: changed %s to %s", row.command, was, got)
				}
			}
			for _, command := range []string{"add-sub ID --title Days --summary Daytime --body Call-Cy.", "fact add ID --entity Pager:service", "move BELOW --root", "move OTHER BELOW", "move ABOVE BELOW", "sync", "undo --force", "demote OTHER"} {
				out, stderr, exit := m.try("v", "", append([]string{"memory"}, strings.Fields(g.fill(command))...)...)
				if exit != 0 && command != "demote OTHER" || strings.Contains(stderr, "no agent") {
					t.Errorf("%s: exit %d\n%s%s", command, exit, out, stderr)
				}
			}
		})
	}
}

// An undo that would change what is protected is refused as a whole, and one that does not is made.
func TestUndoHeedsProtection(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	g := protectedVault(m, "protected: append")
	t.Setenv("CP_AGENT", "bot")
	m.cp("v", "memory", "update", g.id, "--append", "More.")
	for range 2 {
		if _, stderr, exit := m.try("v", "", "memory", "undo", "--force"); exit != 1 || !strings.Contains(stderr, "only takes additions") {
			t.Errorf("an addition was undone: exit %d\n%s", exit, stderr)
		}
	}
	m.cp("v", "memory", "move", g.above, g.other)
	m.cp("v", "memory", "undo", "--force")
	if !strings.Contains(m.read("v/operations/runbook.md"), "More.") {
		t.Error("the memory is not back where it was")
	}
}

// Who changes a protected memory: a person, by whatever name nobody gave them, and one at a terminal
// who works under an agent's name and says --force.
func TestWhoChangesWhatIsProtected(t *testing.T) {
	for name, row := range map[string]struct {
		agent, env, file string // the agent's name: --agent, CP_AGENT, .cp.yaml
		terminal, force  bool
		changes          bool
		hint             string
	}{
		"a person":                               {changes: true},
		"a person at a terminal":                 {terminal: true, changes: true},
		"a person's --force":                     {terminal: true, force: true, changes: true},
		"a person's script with --force":         {force: true, changes: true},
		"an agent by --agent":                    {agent: "bot", hint: "tell the person"},
		"an agent by CP_AGENT":                   {env: "bot", hint: "tell the person"},
		"an agent by .cp.yaml":                   {file: "bot", hint: "tell the person"},
		"an agent's --force":                     {env: "bot", force: true, hint: "tell the person"},
		"an agent's name at a terminal":          {file: "bot", terminal: true, hint: "repeat the command with --force"},
		"an agent's name and a person's --force": {env: "bot", terminal: true, force: true, changes: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.vault("v")
			g := protectedVault(m, "protected: true")
			t.Setenv("CP_AGENT", row.env)
			if row.file != "" {
				m.write("v/.cp.yaml", "agent: "+row.file+"\n")
			}
			args := []string{"memory", "update", g.id, "--title", "Other"}
			if row.agent != "" {
				args = append(args, "--agent", row.agent)
			}
			if row.force {
				args = append(args, "--force")
			}
			var out, stderr bytes.Buffer
			exit := cli.Run(context.WithoutCancel(t.Context()), m.program("v"), console.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, ErrTTY: row.terminal}, args)
			if (exit == 0) != row.changes || strings.Contains(m.read("v/operations/runbook.md"), "title: Other") != row.changes || !strings.Contains(stderr.String(), row.hint) {
				t.Errorf("exit %d\n%s%s", exit, out.String(), stderr.String())
			}
		})
	}
}

// A person may change a protected memory in the file itself, whoever keeps the index current; and
// an agent can commit no edit of it by a command.
func TestEditsByHandOfWhatIsProtected(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	g := protectedVault(m, "protected: true")
	m.write("v/operations/runbook.md", strings.Replace(m.read("v/operations/runbook.md"), "protected: true\n", "", 1)+"\nTyped.\n")
	t.Setenv("CP_AGENT", "bot")
	t.Setenv("EDITOR", "true")
	if _, stderr, exit := m.try("v", "", "memory", "edit", g.id); exit != 1 || !strings.Contains(stderr, "is protected") {
		t.Errorf("an agent has committed an edit: exit %d\n%s", exit, stderr)
	}
	t.Setenv("CP_AGENT", "")
	m.cp("v", "memory", "edit", g.id)
	t.Setenv("CP_AGENT", "bot")
	m.cp("v", "memory", "update", g.id, "--title", "Other")
}

// A protection that says nothing is told, and a memory is marked wherever it is listed.
func TestProtectionIsShown(t *testing.T) {
	for line, word := range map[string]string{"protected: true": "protected", "protected: append": "append only", "protected: maybe": "protected"} {
		m := newMachine(t)
		m.vault("v")
		g := protectedVault(m, line)
		want := regexp.MustCompile(`(?m)^Changes: +` + word + ": ")
		out, stderr, _ := m.try("v", "", "memory", "show", g.id)
		if !want.MatchString(out) || strings.Contains(stderr, "counts as protected") != (line == "protected: maybe") {
			t.Errorf("%s: show says\n%s%s", line, out, stderr)
		}
		if out := m.cp("v", "memory", "tree"); !strings.Contains(out, fmt.Sprintf("(%s) [%s]", g.id, word)) {
			t.Errorf("%s: tree says\n%s", line, out)
		}
		if out, _, _ := m.try("v", "", "doctor"); strings.Contains(out, "counts as protected") != (line == "protected: maybe") {
			t.Errorf("%s: doctor says\n%s", line, out)
		}
		is := map[string]string{"protected": "true", "append only": "append"}[word]
		for _, command := range []string{"show " + g.id, "tree", "list --all"} {
			if out := m.cp("v", append([]string{"memory"}, strings.Fields(command+" -o json")...)...); strings.Count(out, `"protected": "`+is+`"`) != 1 {
				t.Errorf("%s: %s says\n%s", line, command, out)
			}
		}
	}
}

// The browser marks what is protected, and heeds it as a command does: by who started it.
func TestBrowserHeedsProtection(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	g := protectedVault(m, "protected: append")
	m.cp("v", "memory", "tree") // the browser shows the index, which the command keeps current
	for _, agent := range []string{"bot", ""} {
		status := map[string]int{"bot": 403, "": 303}[agent]
		t.Setenv("CP_AGENT", agent)
		b := m.serveFolder("v", false)
		for _, path := range []string{"/m/" + g.id, "/tree/" + g.above} {
			if got := b.send("GET", path, nil).text; !strings.Contains(got, `<span class="mark">append only</span>`) {
				t.Errorf("%s does not mark it:\n%s", path, got)
			}
		}
		form := b.send("GET", "/m/"+g.id+"/edit", nil).text
		hash := regexp.MustCompile(`name="hash" value="(\w+)"`).FindStringSubmatch(form)
		if hash == nil {
			t.Fatalf("no hash in\n%s", form)
		}
		got := b.send("POST", "/m/"+g.id+"/edit", url.Values{"do": {"save"}, "title": {"Other"}, "hash": {hash[1]}})
		if got.status != status || (status == 403) != strings.Contains(got.text, "only takes additions") {
			t.Errorf("%q: got %d\n%s", agent, got.status, got.text)
		}
	}
}

// A pending entry is decided by a person.
func TestReviewHeedsProtection(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	id := anID.FindString(m.cp("v", "memory", "observe", "The linker needs nine gigabytes", "--session", "s1"))
	m.cp("v", "memory", "observe", "The linker needs nine gigabytes", "--session", "s2")
	path := strings.TrimSpace(m.cp("v", "memory", "path", id))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte("---\n"), []byte("---\nprotected: true\n"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	m.git("v", "commit", "-qam", "protect it")
	t.Setenv("CP_AGENT", "bot")
	for _, args := range [][]string{{"approve", id}, {"deny", id}, {"promote", id, "--to", "long-term", "--approve"}} {
		if _, stderr, exit := m.try("v", "", append([]string{"memory"}, args...)...); exit != 1 || !strings.Contains(stderr, "is protected") {
			t.Errorf("%v: exit %d\n%s", args, exit, stderr)
		}
	}
	m.cp("v", "memory", "observe", "The linker needs nine gigabytes", "--session", "s3")
	if text, _ := os.ReadFile(path); !bytes.Contains(text, []byte("s3")) {
		t.Errorf("what observes it again is not counted:\n%s", text)
	}
}
