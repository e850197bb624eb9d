package wire

import (
	"cmp"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/batch"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// hintOf returns what an error tells a person to do.
func hintOf(err error) string {
	var e *vault.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

// wantError checks an error's sentence and hint, as one text: "" wants none.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	said := ""
	if err != nil {
		said = err.Error() + "; hint: " + hintOf(err)
	}
	if (want == "") != (err == nil) || !strings.Contains(said, want) {
		t.Errorf("got %q, want %q", said, want)
	}
}

// A person's editor, the commits of the code, and files outside of the vault.
func TestSession(t *testing.T) {
	m := newCode(t)
	m.note("code/memory", "draft", "Draft", "When drafting", "A first text.")
	m.write("code/memory/plans/a.md", "# A\n")
	m.cp("code", "memory", "sync")
	m.cp("code", "memory", "fact", "add", "pf-draft", "--entity", "Nomad", "--type", "technology")
	m.Run("edit", func(t *testing.T) { checkEdits(m.within(t)) })
	m.Run("commits", func(t *testing.T) { checkCommits(m.within(t)) })
	m.Run("export", func(t *testing.T) { checkExports(m.within(t)) })
}

// checkEdits edits. What an editor saves is committed while it is still the memory. Else the memory
// is as it was, and the text is kept where the error says.
func checkEdits(m *machine) {
	s := m.session("code")
	broken := errors.New("the editor failed")
	text := m.read("code/memory/draft.md")
	saves := func(text string) func(string) error {
		return func(file string) error { return os.WriteFile(file, []byte(text), 0o666) }
	}
	for _, row := range []struct {
		name, ref string
		open      func(file string) error
		again     func(file string) bool
		err       string
		kept      string // a text that a file of the state holds then
		want      string // what the memory holds then; empty is what it was
	}{
		{name: "nothing is saved", open: func(string) error { return nil }},
		{name: "the editor fails", open: func(string) error { return broken }, err: "the editor failed"},
		{name: "no file is left", open: os.Remove, err: "the editor left no file; nothing was committed, and the memory is as it was; hint: `cp memory delete pf-draft` removes a memory"},
		{name: "nothing is left in it", open: saves("\n"), err: "nothing is left of the memory; nothing was committed, and the memory is as it was; hint: `cp memory delete pf-draft`"},
		{name: "the header is gone", open: saves("Typed for an hour.\n"), err: "the front matter (the lines between ---) is gone; nothing was committed, and the memory is as it was; hint: what the editor saved is in ", kept: "Typed for an hour.\n"},
		{name: "the second try counts", open: saves("x"), again: func(file string) bool {
			return os.WriteFile(file, []byte(strings.Replace(text, "first", "second", 1)), 0o666) == nil
		}, want: strings.Replace(text, "first", "second", 1)},
		{name: "a folder is no memory", ref: "plans", err: "plans is a folder, and no memory stands for it; hint: `cp memory add-parent plans` gives a folder a memory"},
		{name: "settings are none", ref: "vault.yaml", err: "vault.yaml is no memory; hint: open " + m.at("code/memory/.cp/vault.yaml") + " with an editor of yours"},
		{name: "nor is nothing", ref: "nosuch", err: "not found"},
	} {
		m.Run(row.name, func(t *testing.T) {
			if row.ref == "" {
				row.ref = "pf-draft"
			}
			file, tried := m.at("code/memory/draft.md"), false
			_, err := s.Edit(t.Context(), app.Editing{Ref: row.ref,
				Open: func(name string) error {
					if tried {
						return nil // what again wrote
					}
					return row.open(name)
				},
				Again: func(string) bool { tried = true; return row.again != nil && row.again(file) },
			})
			wantError(t, err, row.err)
			if text = cmp.Or(row.want, text); m.read("code/memory/draft.md") != text {
				t.Errorf("the memory holds %q, want %q", m.read("code/memory/draft.md"), text)
			}
			if row.kept != "" {
				_, name, _ := strings.Cut(hintOf(err), "is in ")
				if kept, err := os.ReadFile(name); string(kept) != row.kept {
					t.Errorf("kept is %q, %v", kept, err)
				}
			}
		})
	}
	if log := m.git("code", "log", "-1", "--format=%s"); log != "memory: edit pf-draft \"Draft\"\n" {
		m.Errorf("the last commit is %s", log)
	}
}

// checkCommits shows the files of an entry's commit as they were there, as recall --files does; what
// cannot be shown has a note.
func checkCommits(m *machine) {
	m.write("code/src/a.go", "package a\n")
	m.write("code/logo.png", "x\x00y")
	m.write("code/big.txt", strings.Repeat("é", 60<<10))
	m.link("src/a.go", "code/link")
	m.git("code", "add", ".")
	m.git("code", "commit", "-qm", "one")
	one := strings.TrimSpace(m.git("code", "rev-parse", "HEAD"))
	m.write("code/src/a.go", "package b\n")
	for _, n := range strings.Split("bcdefghijklmnopqrstuvwx", "") {
		m.write("code/many/"+n, n)
	}
	m.git("code", "add", ".")
	m.git("code", "commit", "-qm", "many")
	s := m.session("code")
	rows := []recall.Row{{}, {Commit: one}, {Commit: strings.TrimSpace(m.git("code", "rev-parse", "HEAD"))}, {Commit: one}, {Commit: strings.Repeat("01", 20)}, {Commit: "--output=x"}}
	if err := s.AddFiles(m.Context(), rows); err != nil {
		m.Fatal(err)
	}
	if rows[0].Files != nil || rows[1].Files != rows[3].Files {
		m.Error("an entry without a commit has files, or one commit was read twice")
	}
	files := map[string]recall.File{}
	for _, f := range rows[1].Files.Files {
		files[f.Path] = f
	}
	for name, want := range map[string]recall.File{
		"src/a.go": {Path: "src/a.go", Text: "package a\n"},
		"logo.png": {Path: "logo.png", Note: "binary"},
		"link":     {Path: "link", Note: "no file: a link or a repository of its own"},
		"big.txt":  {Path: "big.txt", Text: strings.Repeat("é", 50<<10), Truncated: true},
	} {
		if files[name] != want {
			m.Errorf("%s: got %.60q, truncated %t, %q", name, files[name].Text, files[name].Truncated, files[name].Note)
		}
	}
	if many := rows[2].Files; len(many.Files) != 20 || many.More != 4 {
		m.Errorf("of 24 files %d are shown and %d counted", len(many.Files), many.More)
	}
	for _, r := range rows[4:] {
		if len(r.Files.Files) > 0 || !strings.Contains(r.Files.Note, "is not in this repository: it was rebased away, or the clone is shallow") {
			m.Errorf("%s: got %+v", r.Commit, r.Files)
		}
	}
	// Which commit an entry tells of: the newest of work, not of the vault, or the one that is named.
	ref := func(s string) *string { return &s }
	for _, row := range []struct {
		name     string
		revision *string
		want     string
		err      string
	}{
		{"the newest work", nil, rows[2].Commit, ""},
		{"a name", ref("HEAD~1"), one, ""},
		{"an empty name", ref(""), "", "--commit needs a revision; hint: name a commit, or leave the flag out"},
		{"no commit", ref("nosuch"), "", "'nosuch' is no commit of this repository; hint: `git log` shows the commits"},
		{"not a commit", ref("^HEAD"), "", "'^HEAD' is no commit of this repository"},
		{"no option", ref("--all"), "", "'--all' is no commit of this repository"},
	} {
		got, err := s.Anchor(m.Context(), row.revision)
		if wantError(m.T, err, row.err); got.Commit != row.want || (got.CommitKey == "") != (row.want == "") {
			m.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// checkExports exports. An export overwrites nothing and writes nothing into the vault.
func checkExports(m *machine) {
	s := m.session("code")
	for _, row := range []struct {
		to, under, read, wrote string
		files, facts           int
	}{
		{to: "../out", files: 2, facts: 1},
		{to: "../out", wrote: "exists; nothing was overwritten; hint: choose an empty folder", files: 1, facts: 1},
		{to: "../under", under: "pf-draft", files: 1, facts: 1},
		{to: "../none", under: "nosuch", read: "not found"},
		{to: "memory/sub", wrote: "'memory/sub' lies in the vault; hint: choose a place outside of " + m.at("code/memory")},
		{to: "../gitconfig/x", wrote: "cannot write " + m.at("gitconfig/x"), files: 1, facts: 1},
	} {
		out, read, wrote := s.ExportFiles(m.Context(), app.Exporting{Under: row.under}, row.to)
		if wantError(m.T, wrote, row.wrote); row.wrote == "" {
			wantError(m.T, read, row.read)
		}
		if out.Files != row.files || out.Facts != row.facts {
			m.Errorf("%+v: got %+v", row, out)
		}
	}
	if m.read("out/draft.md") != m.read("code/memory/draft.md") {
		m.Error("the file is not what it was")
	}
	for _, row := range []struct{ to, err string }{
		{"../doc.json", ""},
		{"../doc.json", m.at("doc.json") + " exists; nothing was overwritten; hint: choose another name"},
		{"memory/doc.json", "'memory/doc.json' lies in the vault"},
		{"../no/doc.json", "cannot write " + m.at("no/doc.json")},
	} {
		_, err := s.WriteDocument(row.to, []byte("{}"), 1)
		wantError(m.T, err, row.err)
	}
}

// The options of a verb as a JSON object on stdin are those of a line of a batch.
func TestReadOptions(t *testing.T) {
	for _, row := range []struct{ text, err string }{
		{`{"title": "New", "labels": ["a"]}`, ""},
		{`{"title": "New", "labels": "a, b"}`, ""},
		{`{}`, ""},
		{`[]`, "the JSON on stdin: not a JSON object"},
		{"{\"title\": \"\xff\"}", "the JSON on stdin: it is not valid UTF-8"},
		{`{"title": "a", "title": "b"}`, `the JSON on stdin: it has "title" twice`},
		{`{"titel": "a"}`, "titel"},
		{`{"title": 1}`, `the JSON on stdin: "title" has to be a string, and is a JSON number; hint: ` + "`cp memory batch --help` shows the keys of update"},
	} {
		var o tree.Amend
		err := batch.ReadOptions(strings.NewReader(row.text), "update", &o)
		if wantError(t, err, row.err); strings.Contains(row.text, "New") && (o.Title == nil || *o.Title != "New" || o.AddLabels[0] != "a") {
			t.Errorf("%s: got %+v", row.text, o)
		}
	}
}
