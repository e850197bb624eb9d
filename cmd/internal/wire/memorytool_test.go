package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/memorytool"
)

// toolAnswer is what `cp memory tool` answers.
type toolAnswer struct {
	Type    string `json:"type"`
	ID      string `json:"tool_use_id"`
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// tool hands lines to one `cp memory tool` and returns its answers, one for each.
func (m *machine) tool(dir string, lines ...string) (all []toolAnswer) {
	m.Helper()
	out, stderr, exit := m.try(dir, strings.Join(lines, "\n")+"\n", "memory", "tool")
	if exit != 0 || stderr != "" {
		m.Fatalf("exit %d: %s", exit, stderr)
	}
	for line := range strings.Lines(out) {
		var a toolAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			m.Fatalf("%s: %v", line, err)
		}
		all = append(all, a)
	}
	if len(all) != len(lines) {
		m.Fatalf("%d lines are answered with %d:\n%s", len(lines), len(all), out)
	}
	return all
}

// asTool writes a command of the tool: its name, its path, and more keys with their values.
func asTool(command, path string, more ...any) string {
	c := map[string]any{"command": command, "path": path}
	for i := 0; i+1 < len(more); i += 2 {
		c[more[i].(string)] = more[i+1]
	}
	b, _ := json.Marshal(c)
	return string(b)
}

func asRename(from, to string) string {
	return fmt.Sprintf(`{"command": "rename", "old_path": %q, "new_path": %q}`, from, to)
}

// content is what a view shows of a text.
func content(path string, lines ...string) string {
	out := "Here's the content of " + path + " with line numbers:"
	for i, line := range lines {
		out += fmt.Sprintf("\n%6d\t%s", i+1, line)
	}
	return out
}

// toolRow is a command and its answer; an error begins with "! ", and ~ is whatever follows.
type toolRow struct{ line, want string }

// runTool hands the commands to one process and compares the answers.
func (m *machine) runTool(dir string, rows []toolRow) {
	m.Helper()
	var lines []string
	for _, row := range rows {
		lines = append(lines, row.line)
	}
	for i, a := range m.tool(dir, lines...) {
		want, failed := strings.CutPrefix(rows[i].want, "! ")
		begin, open := strings.CutSuffix(want, "~")
		if a.IsError != failed || a.Content != want && (!open || !strings.HasPrefix(a.Content, begin)) {
			m.Errorf("%s:\ngot (error: %t)\n%s\nwant %s", rows[i].line, a.IsError, a.Content, rows[i].want)
		}
	}
}

// The results and errors have the texts that the tool's documentation gives.
func TestMemoryToolAnswersAsDocumented(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	const listing = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n"
	m.runTool("v", []toolRow{
		{asTool("view", "/memories"), listing + "0B\t/memories"},
		{asTool("create", "/memories/notes.txt", "file_text", "Hello World\nThis is line two\n"), "File created successfully at: /memories/notes.txt"},
		{asTool("create", "/memories/notes.txt", "file_text", "Other"), "! Error: File /memories/notes.txt already exists"},
		{asTool("view", "/memories/notes.txt"), content("/memories/notes.txt", "Hello World", "This is line two")},
		{asTool("view", "/memories/notes.txt", "view_range", []int{2, -1}), "Here's the content of /memories/notes.txt with line numbers:\n     2\tThis is line two"},
		{asTool("view", "/memories/notes.txt", "view_range", "[1, 1]"), "Here's the content of /memories/notes.txt with line numbers:\n     1\tHello World"},
		{asTool("view", "/memories/notes.txt", "view_range", []int{7, 9}), "! Error: Invalid `view_range` parameter: [7 9]. It should be within the range of lines of the file: [1, 2]"},
		{asTool("view", "/memories/none.txt"), "! The path /memories/none.txt does not exist. Please provide a valid path."},
		{asTool("str_replace", "/memories/notes.txt", "old_str", "Hello", "new_str", "Bye"), "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tBye World\n     2\tThis is line two"},
		{asTool("str_replace", "/memories/notes.txt", "old_str", "Hello", "new_str", "Bye"), "! No replacement was performed, old_str `Hello` did not appear verbatim in /memories/notes.txt."},
		{asTool("str_replace", "/memories/notes.txt", "old_str", "i", "new_str", "y"), "! No replacement was performed. Multiple occurrences of old_str `i` in lines: 2, 2, 2. Please ensure it is unique"},
		{asTool("str_replace", "/memories/none.txt", "old_str", "i", "new_str", "y"), "! Error: The path /memories/none.txt does not exist. Please provide a valid path."},
		{asTool("insert", "/memories/notes.txt", "insert_line", 0, "insert_text", "- first\n"), "The file /memories/notes.txt has been edited."},
		{asTool("insert", "/memories/notes.txt", "insert_line", "3", "insert_text", "- last"), "The file /memories/notes.txt has been edited."},
		{asTool("view", "/memories/notes.txt"), content("/memories/notes.txt", "- first", "Bye World", "This is line two", "- last")},
		{asTool("insert", "/memories/notes.txt", "insert_line", 5, "insert_text", "x"), "! Error: Invalid `insert_line` parameter: 5. It should be within the range of lines of the file: [0, 4]"},
		{asTool("insert", "/memories/none.txt", "insert_line", 0, "insert_text", "x"), "! Error: The path /memories/none.txt does not exist"},
		{asTool("create", "/memories/people/ada.md", "file_text", "# Ada\n"), "File created successfully at: /memories/people/ada.md"},
		{asTool("create", "/memories/people/far/bob.md", "file_text", "# Bob\n"), "File created successfully at: /memories/people/far/bob.md"},
		{asTool("create", "/memories/people/far/away/cy.md", "file_text", "# Cy\n"), "File created successfully at: /memories/people/far/away/cy.md"},
		{asTool("str_replace", "/memories/people", "old_str", "i", "new_str", "y"), "! Error: The path /memories/people does not exist. Please provide a valid path."},
		{asTool("insert", "/memories/people", "insert_line", 0, "insert_text", "x"), "! Error: The path /memories/people does not exist"},
		{asRename("/memories/notes.txt", "/memories/people/ada.md"), "! Error: The destination /memories/people/ada.md already exists"},
		{asRename("/memories/notes.txt", "/memories/people"), "! Error: The destination /memories/people already exists"},
		{asRename("/memories/notes.txt", "/memories/people/notes.xml"), "Successfully renamed /memories/notes.txt to /memories/people/notes.xml"},
		{asRename("/memories/notes.txt", "/memories/x.md"), "! Error: The path /memories/notes.txt does not exist"},
		{asRename("/memories/people", "/memories/folk"), "Successfully renamed /memories/people to /memories/folk"},
		{asRename("/memories", "/memories/x"), "! Error: Cannot rename the /memories directory itself"},
		{asTool("view", "/memories/folk/far/away/cy.md"), content("/memories/folk/far/away/cy.md", "# Cy")},
		{asTool("view", "/memories/people/ada.md"), "! The path /memories/people/ada.md does not exist. Please provide a valid path."},
		{asTool("delete", "/memories/folk/far"), "Successfully deleted /memories/folk/far"},
		{asTool("delete", "/memories/folk/far"), "! Error: The path /memories/folk/far does not exist"},
		{asTool("delete", "/memories/folk/ada.md"), "Successfully deleted /memories/folk/ada.md"},
		{asTool("delete", "/memories/"), "! Error: Cannot delete the /memories directory itself"},
		{"{nonsense", "! Error: the line is no JSON object~"},
		{`["view"]`, "! Error: the line is no JSON object~"},
		{asTool("edit", "/memories"), "! Error: Unknown command: edit.~"},
		{`{"path": "/memories"}`, "! Error: Unknown command: (none).~"},
		{asTool("create", "/memories/y.md"), "! Error: create needs file_text"},
		{asTool("insert", "/memories/folk/notes.xml", "insert_line", "one", "insert_text", "x"), "! Error: the input of the command cannot be read~"},
	})
	if got := m.tool("v", `{"type": "tool_use", "id": "toolu_1", "name": "memory", "input": `+asTool("view", "/memories/none.md")+`}`)[0]; got.Type != "tool_result" || got.ID != "toolu_1" || !got.IsError {
		t.Errorf("got %+v", got)
	}
	if got := m.git("v", "log", "-1", "--format=%an %(trailers:key=Cp-Verb,valueonly,separator=%x20)"); got != "memory-tool delete\n" {
		t.Errorf("got %q", got)
	}
	m.cp("v", "memory", "undo", "--force")
	if text := m.read("v/folk/ada.md"); !strings.HasSuffix(text, "# Ada\n") {
		t.Errorf("undo brings back\n%s", text)
	}
	m.checkInOrder("v")
}

// Whatever a model creates it reads again, byte for byte but for the ends of lines.
func TestMemoryToolGivesBackWhatItGot(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	for path, text := range map[string]string{
		"a.md":          "# A\n\nText.\n",
		"todo":          "- [ ] one\n- [x] two",
		"prefs.xml":     "<preferences>\n  <tea/>\n</preferences>\n",
		"p.json":        `{"a": [1, 2]}`,
		"v1.2.txt":      "x\n",
		"note.mdx":      "<Note/>\n",
		"own.md":        "---\nname: own\ndescription: When it is his own\nid: pf-11111111\n---\n\n# Own\n",
		"rule.md":       "---\nnot: [closed\n---\ntext\n",
		"break.md":      "---\n",
		"body.html":     "<html><body>\nx\n</body></html>\n",
		"blank.md":      "\n\n\nthree before\n\n\n",
		"fence.md":      "```\nnever closed\n",
		"empty.txt":     "",
		"crlf.md":       "one\r\ntwo\r\n",
		"deep/a/b.md":   "deep\n",
		"Café/naïve.md": "accents\n",
		"日本/メモ.md":      "漢字\n",
		"with space.md": "x\n",
	} {
		t.Run(path, func(t *testing.T) {
			lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
			if text == "" {
				lines = nil
			}
			m.runTool("v", []toolRow{
				{asTool("create", "/memories/"+path, "file_text", text), "File created successfully at: /memories/" + path},
				{asTool("create", "/memories/"+path, "file_text", "again"), "! Error: File /memories/" + path + " already exists"},
				{asTool("view", "/memories/"+path), content("/memories/"+path, lines...)},
				{asTool("insert", "/memories/"+path, "insert_line", len(lines), "insert_text", "one more"), "The file /memories/" + path + " has been edited."},
				{asTool("view", "/memories/"+path), content("/memories/"+path, append(lines, "one more")...)},
				{asRename("/memories/"+path, "/memories/moved/"+path), "Successfully renamed /memories/" + path + " to /memories/moved/" + path},
				{asTool("view", "/memories/moved/"+path), content("/memories/moved/"+path, append(lines, "one more")...)},
			})
		})
	}
	if got := m.tool("v", asTool("view", "/memories/moved"))[0].Content; !strings.Contains(got, "/memories/moved/prefs.xml\n") || !strings.Contains(got, "/memories/moved/todo.md\n") || !strings.Contains(got, "/memories/moved/v1.2.txt\n") {
		t.Errorf("got %s", got)
	}
	if got := m.tool("v", asTool("view", "/memories/moved/Cafe\u0301/nai\u0308ve.md"))[0].Content; !strings.HasSuffix(got, "     1\taccents\n     2\tone more") {
		t.Errorf("the other Unicode form finds %s", got)
	}
	m.write("v/Cafe\u0301/hand.md", "By hand.\n")
	m.write("v/bad.md", "a\x00b\n")
	m.git("v", "add", "-A")
	m.git("v", "commit", "-qm", "by hand")
	m.runTool("v", []toolRow{
		{asTool("view", "/memories/Café/Hand.md"), content("/memories/Café/Hand.md", "By hand.")},
		{asTool("view", "/memories/CAFÉ/hand"), content("/memories/CAFÉ/hand", "By hand.")},
		{asTool("create", "/memories/Café/more.md", "file_text", "x"), "File created successfully at: /memories/Café/more.md"},
		{asTool("create", "/memories/café/More.md", "file_text", "x"), "! Error: File /memories/café/More.md already exists"},
		{asTool("str_replace", "/memories/Café/more.md", "old_str", "x", "new_str", ""), "The memory file has been edited.~"},
		{asTool("view", "/memories/Café/more.md"), content("/memories/Café/more.md")},
		{asTool("view", "/memories/bad.md"), "! Error: /memories/bad.md: holds NUL bytes: not a text~"},
	})
	if text := m.read("v/Cafe\u0301/more.md"); !strings.HasPrefix(text, "---\nid: ") {
		t.Errorf("got %s", text)
	}
	m.cp("v", "doctor")
}

// Nothing is read or written outside of the memories, in whatever spelling.
func TestMemoryToolStaysInTheVault(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	m.write("secret.md", "outside\n")
	m.write("v/plain.txt", "no memory\n")
	if err := os.Symlink(m.at("secret.md"), m.at("v/link.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(m.dir, m.at("v/out")); err != nil {
		t.Fatal(err)
	}
	was := m.git("v", "rev-parse", "HEAD")
	for _, path := range []string{
		"", "/", "/etc/passwd", "memories/a.md", "/memoriesx/a.md", "/memories/../secret.md", "/memories/a/../../secret.md", "/memories/..", "/memories/%2e%2e/secret.md",
		"/memories/..%2Fsecret.md", `/memories/..\secret.md`, `/memories\a.md`, "/memories/.git/config", "/memories/.GIT/config", "/memories/.cp/vault.yaml", "/memories/.hidden.md", "/memories/a/.b/c.md",
		"/memories/./a.md", "/memories/a\x00.md", "/memories/a\n.md", "/memories/out/secret.md", "/memories/link.md", "/memories/link", "/memories/plain.txt",
	} {
		lines := []string{
			asTool("view", path), asTool("str_replace", path, "old_str", "outside", "new_str", "x"), asTool("insert", path, "insert_line", 0, "insert_text", "x"),
			asTool("delete", path), fmt.Sprintf(`{"command":"rename","old_path":%s,"new_path":"/memories/in.md"}`, quoteJSON(path)), asTool("create", path, "file_text", "x"),
		}
		if path == "/memories/plain.txt" {
			lines = lines[:5] // it can be made, as plain.txt.md
		}
		for i, a := range m.tool("v", lines...) {
			if !a.IsError || strings.Contains(a.Content, "outside") {
				t.Errorf("%s: got %+v", lines[i], a)
			}
		}
	}
	if m.git("v", "rev-parse", "HEAD") != was {
		t.Fatal("something has changed")
	}
	var lines, names []string
	for _, name := range []string{"con.md", "AUX", "a:b.md", "a?.md", "dot.", "space ", "dir/", strings.Repeat("x", 300) + ".md"} {
		lines, names = append(lines, asTool("create", "/memories/"+name, "file_text", "x")), append(names, name)
	}
	for i, a := range m.tool("v", lines...) {
		if !a.IsError || !strings.HasPrefix(a.Content, "Error: Path /memories/"+names[i]) {
			t.Errorf("create %q: got %+v", names[i], a)
		}
	}
	if m.read("secret.md") != "outside\n" || strings.TrimSpace(m.git("v", "status", "--porcelain", "*.md")) != "?? link.md" {
		t.Errorf("something was written: %s", m.git("v", "status", "--porcelain"))
	}
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// A memory's place says what its parent is, and the pointers follow each write of the tool.
func TestMemoryToolKeepsTheTree(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	id := m.add("v", "Deploy", "When you release", "How. See [Notes](notes.md).")
	m.add("v", "Notes", "When you look", "See [Deploy](deploy.md).")
	sub := anID.FindString(strings.ReplaceAll(m.cp("v", "memory", "add-sub", id, "--title", "Rollback", "--summary", "When it is bad", "--body", "Thus."), id, ""))
	m.runTool("v", []toolRow{
		{asTool("view", "/memories/deploy.md"), content("/memories/deploy.md", "How. See [Notes](notes.md).")},
		{asTool("create", "/memories/deploy/canary.txt", "file_text", "Ten percent."), "File created successfully at: /memories/deploy/canary.txt"},
		{asTool("str_replace", "/memories/deploy.md", "old_str", "How.", "new_str", "Like this."), "The memory file has been edited.~"},
		{asTool("view", "/memories/deploy.md"), content("/memories/deploy.md", "Like this. See [Notes](notes.md).")},
		{asRename("/memories/deploy", "/memories/ops/ship"), "Successfully renamed /memories/deploy to /memories/ops/ship. The file that it belongs to went with it: /memories/ops/ship.md"},
		{asTool("view", "/memories/notes.md"), content("/memories/notes.md", "See [Deploy](ops/ship.md).")},
		{asRename("/memories/ops/ship.md", "/memories/ops/go.md"), "Successfully renamed /memories/ops/ship.md to /memories/ops/go.md. Its directory went with it: /memories/ops/go"},
		{asRename("/memories/ops/go", "/memories/ops/go/round"), "! Error: /memories/ops/go: Cannot move memory to own descendant (would create cycle)"},
		{asTool("create", "/memories/ops.md", "file_text", "# Operations\n"), "File created successfully at: /memories/ops.md"},
	})
	if got := m.cp("v", "memory", "tree"); strings.Join(strings.Fields(got), " ") != "Notes ("+anID.FindString(got)+") Operations~" && !strings.Contains(got, "Deploy ("+id+")") {
		t.Errorf("got %s", got)
	}
	m.runTool("v", []toolRow{{asTool("delete", "/memories/ops/go.md"), "Successfully deleted /memories/ops/go.md"}})
	if text := m.read("v/ops.md"); strings.Contains(text, id) || !strings.Contains(text, `{"id": "`+sub+`", "title": "Rollback", "summary": "When it is bad"}`) || !strings.Contains(text, `"title": "canary.txt"`) {
		t.Errorf("what lay below is not below the memory above:\n%s", text)
	}
	m.cp("v", "memory", "undo", "--force")
	if text := m.read("v/ops.md"); !strings.Contains(text, id) || strings.Contains(text, sub) {
		t.Errorf("undone:\n%s", text)
	}
	m.runTool("v", []toolRow{{asTool("delete", "/memories/ops"), "Successfully deleted /memories/ops"}})
	if text := m.read("v/ops.md"); !strings.HasSuffix(text, "# Operations\n") {
		t.Errorf("the pointers stay:\n%s", text)
	}
	m.runTool("v", []toolRow{
		{asTool("create", "/memories/manual/one.md", "file_text", "One."), "File created successfully at: /memories/manual/one.md"},
		{asTool("create", "/memories/manual/README.md", "file_text", "All of it."), "File created successfully at: /memories/manual/README.md"},
		{asRename("/memories/manual/README.md", "/memories/x.md"), "! Error: /memories/manual/README.md: manual/README.md stands for its folder: it is the folder that can get another name"},
		{asRename("/memories/manual", "/memories/ops/book"), "Successfully renamed /memories/manual to /memories/ops/book"},
		{asRename("/memories/ops/book", "/memories/ops/guide"), "Successfully renamed /memories/ops/book to /memories/ops/guide"},
	})
	if text := m.read("v/ops/guide/README.md"); !strings.Contains(text, `"title": "one"`) {
		t.Errorf("the folder's own memory points to what lies in it:\n%s", text)
	}
	if text := m.read("v/ops.md"); !strings.Contains(text, `"title": "guide"`) || strings.Contains(text, `"title": "one"`) {
		t.Errorf("the memory above points to the folder's:\n%s", text)
	}
	m.checkInOrder("v")
}

// What every write of an agent heeds the tool does, and none of it ends the process.
func TestMemoryToolHeedsTheRules(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	m.add("v", "Shared", "When it is shared", "One.\n\nTwo.")
	m.add("v", "Kept", "When it is kept", "As it is.")
	m.write("v/kept.md", strings.Replace(m.read("v/kept.md"), "---\n", "---\nprotected: true\n", 1))
	m.git("v", "commit", "-qam", "protect it")
	typed := strings.Replace(m.read("v/shared.md"), "Two.", "Two, typed.", 1)
	m.write("v/shared.md", typed)
	m.runTool("v", []toolRow{
		{asTool("view", "/memories/shared.md"), content("/memories/shared.md", "One.", "", "Two, typed.")},
		{asTool("str_replace", "/memories/shared.md", "old_str", "One", "new_str", "1"), "! Error: /memories/shared.md: the file has uncommitted edits, which git's history would not keep"},
		{asTool("delete", "/memories/shared.md"), "! Error: /memories/shared.md: the file has uncommitted edits, which git's history would not keep"},
		{asTool("str_replace", "/memories/kept.md", "old_str", "As", "new_str", "Not as"), "! Error: /memories/kept.md: this memory is protected, so no agent changes it. Leave it as it is, add what is new as a memory below it, and tell the person what should change in it"},
		{asTool("delete", "/memories/kept.md"), "! Error: /memories/kept.md: this memory is protected~"},
		{asRename("/memories/kept.md", "/memories/other.md"), "! Error: /memories/kept.md: this memory is protected~"},
		{asTool("create", "/memories/key.md", "file_text", "AKIA"+"IOSFODNN7EXAMPLQ and aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY\n"), "! Error: /memories/key.md: ~"},
		{asTool("create", "/memories/big.md", "file_text", strings.Repeat("x", 4<<20+1)), "! Error: /memories/big.md: the text is larger than 4 MiB~"},
		{asTool("create", "/memories/lines.md", "file_text", strings.Repeat("\n", 1_000_000)), "File created successfully at: /memories/lines.md"},
		{asTool("view", "/memories/lines.md"), "! File /memories/lines.md exceeds maximum line limit of 999,999 lines."},
		{asTool("create", "/memories/block.md", "file_text", "<!-- sub-memories -->\n[]\n<!-- /sub-memories -->\n"), "! Error: /memories/block.md: the text holds a pointer block~"},
		{asTool("create", "/memories/last.md", "file_text", "Still here."), "File created successfully at: /memories/last.md"},
	})
	if m.read("v/shared.md") != typed {
		t.Error("what was typed is gone")
	}
	m.git("v", "checkout", "-q", "shared.md")
	m.runTool("v", []toolRow{{asTool("insert", "/memories/shared.md", "insert_line", 3, "insert_text", "\n## Tea\n\nGreen.\n\n## Milk\n\nCold.\n\n### Oat\n\nToo."), "The file /memories/shared.md has been edited."}})
	m.write("v/shared.md", strings.Replace(m.read("v/shared.md"), "Cold.", "Cold, typed.", 1))
	m.runTool("v", []toolRow{
		{asTool("str_replace", "/memories/shared.md", "old_str", "Green", "new_str", "Black"), "The memory file has been edited.~"},
		{asTool("insert", "/memories/shared.md", "insert_line", 7, "insert_text", "With sugar."), "The file /memories/shared.md has been edited."},
		{asTool("str_replace", "/memories/shared.md", "old_str", "Too", "new_str", "Too, warm"), "The memory file has been edited.~"},
		{asTool("str_replace", "/memories/shared.md", "old_str", "Cold", "new_str", "Hot"), "! Error: /memories/shared.md: the section \"## Milk\" has uncommitted edits~"},
		{asTool("str_replace", "/memories/shared.md", "old_str", "One", "new_str", "1"), "! Error: /memories/shared.md: the file has uncommitted edits~"},
		{asTool("view", "/memories/shared.md"), content("/memories/shared.md", "One.", "", "Two.", "", "## Tea", "", "Black.", "With sugar.", "", "## Milk", "", "Cold, typed.", "", "### Oat", "", "Too, warm.")},
	})
	if diff := m.git("v", "diff", "-U0", "HEAD", "--", "shared.md"); strings.Count(diff, "\n+") != 2 || !strings.Contains(diff, "\n-Cold.\n+Cold, typed.\n") {
		t.Errorf("what is not committed is not what was typed:\n%s", diff)
	}
	m.git("v", "commit", "-qam", "typed")
	m.git("v", "checkout", "-q", "--detach")
	m.runTool("v", []toolRow{
		{asTool("create", "/memories/waits.md", "file_text", "x"), "! Error: /memories/waits.md: HEAD is detached~"},
		{asTool("view", "/memories/last.md"), content("/memories/last.md", "Still here.")},
	})
	if _, stderr, exit := m.try("home", "", "memory", "tool"); exit != 1 || !strings.Contains(stderr, "vault") || strings.Count(stderr, "\n") > 2 {
		t.Errorf("without a vault: exit %d: %s", exit, stderr)
	}
}

// In a part of a vault /memories is the folder of the part, and nothing beside it is reached.
func TestMemoryToolInAPart(t *testing.T) {
	m := newMachine(t)
	m.write("shop/src/front/main.go", "package front\n")
	m.write("shop/memory/front.md", "---\ntitle: Front\nproject: front\ncode: src/front\n---\nThe front.\n")
	m.write("shop/memory/front/deep/sea.md", "Salt.\n")
	m.write("shop/memory/back.md", "The back.\n")
	m.git("shop", "init", "-q")
	m.git("shop", "add", "-A")
	m.git("shop", "commit", "-qm", "code")
	m.cp("shop", "init")
	m.cp("shop", "memory", "sync")
	m.runTool("shop/src/front", []toolRow{
		{asTool("view", "/memories/back.md"), "! The path /memories/back.md does not exist. Please provide a valid path."},
		{asTool("create", "/memories/tea.txt", "file_text", "Tea."), "File created successfully at: /memories/tea.txt"},
		{asTool("create", "/memories/con.txt", "file_text", "Tea."), "! Error: Path /memories/con.txt cannot be~"},
		{asRename("/memories/deep", "/memories/blue"), "Successfully renamed /memories/deep to /memories/blue"},
		{asTool("create", "/memories/blue.md", "file_text", "Blue."), "File created successfully at: /memories/blue.md"},
		{asRename("/memories/blue.md", "/memories/green.md"), "Successfully renamed /memories/blue.md to /memories/green.md. Its directory went with it: /memories/green"},
		{asTool("view", "/memories/green/sea.md"), content("/memories/green/sea.md", "Salt.")},
		{asTool("delete", "/memories"), "! Error: Cannot delete~"},
	})
	if got := m.tool("shop/src/front", asTool("view", "/memories"))[0].Content; !strings.HasSuffix(got, "B\t/memories/tea.txt") || strings.Contains(got, "back") || strings.Count(got, "\n") != 5 {
		t.Errorf("got %s", got)
	}
	for _, want := range []string{`"title": "tea.txt"`, `"title": "green"`} {
		if text := m.read("shop/memory/front.md"); !strings.Contains(text, want) {
			t.Errorf("the part does not point to %s:\n%s", want, text)
		}
	}
	if got := m.cp("shop", "memory", "sync", "--dry-run"); !strings.Contains(got, "No changes needed") {
		t.Errorf("sync has something to do: %s", got)
	}
}

// Two processes that write at once lose nothing of each other, and what each was told is there.
func TestMemoryToolTwoAtOnce(t *testing.T) {
	m := newMachine(t)
	m.vault("v")
	m.tool("v", asTool("create", "/memories/shared.md", "file_text", "end\n"))
	a := m.program("v")
	var all sync.WaitGroup
	for _, who := range []string{"one", "two"} {
		var lines []string
		for n := range 8 {
			lines = append(lines, asTool("create", fmt.Sprintf("/memories/both/%s-%d.txt", who, n), "file_text", who), asTool("insert", "/memories/shared.md", "insert_line", 0, "insert_text", fmt.Sprintf("%s %d", who, n)))
		}
		all.Go(func() {
			var out strings.Builder
			own := *a
			server := memorytool.Server{App: &own}
			if err := server.Serve(context.WithoutCancel(t.Context()), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil || strings.Contains(out.String(), "is_error") || strings.Count(out.String(), "\n") != len(lines) {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
	all.Wait()
	shared := m.tool("v", asTool("view", "/memories/shared.md"))[0].Content
	list := m.tool("v", asTool("view", "/memories/both"))[0].Content
	for n := range 8 {
		for _, who := range []string{"one", "two"} {
			if !strings.Contains(shared, fmt.Sprintf("\t%s %d\n", who, n)) || !strings.Contains(list, fmt.Sprintf("/%s-%d.txt", who, n)) {
				t.Errorf("%s %d is lost:\n%s\n%s", who, n, shared, list)
			}
		}
	}
	if got := strings.TrimSpace(m.git("v", "status", "--porcelain")); got != "" {
		t.Errorf("git status says %s", got)
	}
}
