package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// alone is a lexicon in which nothing shares a word.
type alone struct{ recall.Lexicon }

func (alone) Sharing(context.Context, string, bool, int) ([]vault.Node, error) {
	return nil, errors.New("no words")
}

// stateless is the state of a vault without git.
type stateless struct{ State }

func (stateless) StateDir() string { return "" }

// open returns a run of the program on a vault in a map, and what it warns of.
func open(t *testing.T, w *vaultmap.World) (a *App, warned *[]string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".cp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".cp", "vault.yaml"), []byte("format: 1\nprefix: pf\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	warned = new([]string)
	return &App{
		Env: func(string) string { return "" }, Dir: dir, Now: func() time.Time { return vaultmap.Now },
		Warn:   func(text string) { *warned = append(*warned, text) },
		GitTop: func(string) (string, error) { return "", vault.Errorf(vault.CodeNoGit, "", "no repository") },
		Wire: func(context.Context, settings.Settings) (Opened, error) {
			return Opened{Syncer: &sync.Syncer{Vault: w.Vault}, State: stateless{}, Close: func() error { return nil }}, nil
		},
		Finder: func(s *Session) *recall.Finder { return &recall.Finder{Vault: s.Vault, Lexicon: alone{}} },
	}, warned
}

// What is added while the repository is busy waits, and the next write delivers it
// before it does its own.
func TestWriteDeliversThenDoes(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	a, _ := open(t, w)
	var delivered []string
	told := func(t vault.Tended) {
		for _, d := range t.Added {
			delivered = append(delivered, d.Title)
		}
	}
	add := func(title string) (added Added) {
		t.Helper()
		err := a.With(t.Context(), settings.Flags{}, func(s *Session) (err error) {
			Write.Enter(t.Context(), s, told)
			added, err = s.Add(t.Context(), tree.Add{Title: title, Text: "x"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return added
	}
	w.Busy = "merge"
	if got := add("During"); !got.Queued || got.Busy != "merge" || len(delivered) != 0 {
		t.Errorf("while a merge is under way: %+v, delivered %v", got, delivered)
	}
	w.Busy = ""
	if got := add("After"); got.Queued || got.Busy != "" {
		t.Errorf("afterwards: %+v", got)
	}
	if diff := cmp.Diff([]string{"During"}, delivered); diff != "" {
		t.Errorf("delivered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"add", "add"}, w.Verbs()); diff != "" {
		t.Errorf("commits (-want +got):\n%s", diff)
	}
}

// somebody answers as a test says, and keeps what they were asked.
type somebody struct {
	absent  bool
	no      error // to a deep place
	summary string
	verdict phrase.Verdict
	typed   string
	asked   []string
	seen    Proposal
}

func (p *somebody) IsAttended() bool { return !p.absent }

func (p *somebody) Deep(_ context.Context, depth int) error {
	p.asked = append(p.asked, fmt.Sprint("deep ", depth))
	return p.no
}

func (p *somebody) Approve(_ context.Context, o Proposal) (string, phrase.Verdict) {
	p.asked = append(p.asked, "approve "+o.Summary)
	p.seen = o
	return p.summary, p.verdict
}

func (p *somebody) Phrase(context.Context, error) string {
	p.asked = append(p.asked, "type")
	return p.typed
}

// model answers every prompt alike.
type model struct {
	reply string
	err   error
}

func (m model) Generate(context.Context, string) (string, error) { return m.reply, m.err }

// deepAt returns memories one below the other, the last at that depth.
func deepAt(depth int) vaultmap.Files {
	files, dir := vaultmap.Files{}, ""
	for i := range depth + 1 {
		files[vault.Path(dir+fmt.Sprintf("m%d.md", i))] = vaultmap.File(fmt.Sprintf("pf-m%d", i), fmt.Sprintf("M%d", i), "when", "x\n")
		dir += fmt.Sprintf("m%d/", i)
	}
	return files
}

// Who is asked for what before a memory is made below another one.
func TestAddSubAsks(t *testing.T) {
	good := model{reply: `{"summary": "when it hangs", "parent_edit": ""}`}
	refused := errors.New("no")
	for _, row := range []struct {
		name    string
		files   vaultmap.Files
		parent  string
		summary string
		auto    bool
		model   phrase.Generator
		who     somebody
		asked   []string
		want    string // the summary in the end; "!" and an error's words where nothing is made
	}{
		{name: "a phrase of their own asks nobody", parent: "pf-m0", summary: "when", want: "when"},
		{name: "no model", parent: "pf-m0", want: "!requires generation config"},
		{name: "no parent comes before the model", parent: "pf-gone", want: "!not found"},
		{name: "approved", parent: "pf-m0", model: good, who: somebody{summary: "when it hangs"}, asked: []string{"approve when it hangs"}, want: "when it hangs"},
		{name: "edited", parent: "pf-m0", model: good, who: somebody{summary: "mine"}, asked: []string{"approve when it hangs"}, want: "mine"},
		{name: "cancelled", parent: "pf-m0", model: good, who: somebody{verdict: phrase.Skip}, asked: []string{"approve when it hangs"}, want: "!cancelled; nothing was created"},
		{name: "taken unseen", parent: "pf-m0", auto: true, model: good, who: somebody{absent: true}, want: "when it hangs"},
		{name: "nobody there", parent: "pf-m0", model: good, who: somebody{absent: true}, want: "!nobody there to approve"},
		{name: "a reply of no use is typed by hand", parent: "pf-m0", model: model{reply: "?"}, who: somebody{typed: "by hand"}, asked: []string{"type"}, want: "by hand"},
		{name: "or not", parent: "pf-m0", model: model{reply: "?"}, asked: []string{"type"}, want: "!cancelled"},
		{name: "a model that fails leads to the person", parent: "pf-m0", model: model{err: vault.Errorf(vault.CodeGeneration, "wait", "down")}, who: somebody{typed: "when typed"}, asked: []string{"type"}, want: "when typed"},
		{name: "and without an answer to nothing", parent: "pf-m0", model: model{err: vault.Errorf(vault.CodeGeneration, "wait", "down")}, asked: []string{"type"}, want: "!cancelled; nothing was created"},
		{name: "a model that fails, all approved", parent: "pf-m0", model: model{err: vault.Errorf(vault.CodeGeneration, "wait", "down")}, auto: true, want: "!summary generation failed, and nothing was created: down"},
		{name: "five levels are not deep", files: deepAt(4), parent: "pf-m4", summary: "when", want: "when"},
		{name: "six are", files: deepAt(5), parent: "pf-m5", summary: "when", asked: []string{"deep 6"}, want: "when"},
		{name: "and a no is one", files: deepAt(5), parent: "pf-m5", summary: "when", who: somebody{no: refused}, asked: []string{"deep 6"}, want: "!no"},
		{name: "the place is asked about before the model", files: deepAt(5), parent: "pf-m5", model: good, who: somebody{no: refused}, asked: []string{"deep 6"}, want: "!no"},
		{name: "unless all is approved", files: deepAt(5), parent: "pf-m5", summary: "when", auto: true, want: "when"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.files == nil {
				row.files = deepAt(0)
			}
			w := vaultmap.New(row.files)
			a, _ := open(t, w)
			if row.model != nil {
				a.Env = func(name string) string { return map[string]string{"CP_GENERATION_PROVIDER": "test"}[name] }
				a.Generator = func(settings.Generation) (phrase.Generator, error) { return row.model, nil }
			}
			var got Added
			err := a.With(t.Context(), settings.Flags{}, func(s *Session) (err error) {
				Read.Enter(t.Context(), s, func(vault.Tended) {})
				o := AddSub{AddSub: tree.AddSub{Parent: row.parent, Title: "New", Body: "x", Summary: row.summary}, AutoApprove: row.auto}
				got, err = s.AddSub(t.Context(), o, &row.who)
				return err
			})
			if diff := cmp.Diff(row.asked, row.who.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if words, fails := strings.CutPrefix(row.want, "!"); fails {
				if err == nil || !strings.Contains(err.Error(), words) || len(w.Verbs()) > 0 {
					t.Errorf("got %v and commits %v, want %q and none", err, w.Verbs(), words)
				}
				return
			}
			if err != nil || got.Summary != row.want || len(w.Verbs()) != 1 {
				t.Errorf("got %q, %v, commits %v; want %q", got.Summary, err, w.Verbs(), row.want)
			}
		})
	}
}

// A filter in a person's words becomes one of the rooms.
func TestFilterIsRead(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	a, _ := open(t, w)
	for _, row := range []struct {
		name   string
		filter Filter
		want   vault.ListOptions
		err    string
	}{
		{"nothing asked", Filter{Limit: 20}, vault.ListOptions{Limit: 20}, ""},
		{"a time from now", Filter{Since: "24h"}, vault.ListOptions{Since: vaultmap.Now.Add(-24 * time.Hour)}, ""},
		{"below a path", Filter{Under: "deploy.md", Roots: true}, vault.ListOptions{Under: "pf-aa1", Roots: true}, ""},
		{"a page before the first", Filter{Offset: -1}, vault.ListOptions{Offset: -1}, "the offset must not be negative"},
		{"no time", Filter{Since: "soon"}, vault.ListOptions{}, "Invalid duration: 'soon'"},
		{"below nothing", Filter{Under: "pf-none"}, vault.ListOptions{}, "not found"},
	} {
		err := a.With(t.Context(), settings.Flags{}, func(s *Session) error {
			got, err := s.Options(t.Context(), row.filter)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.name, diff)
			}
			return err
		})
		if row.err == "" && err != nil || row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.err)
		}
	}
}

// sick is a mirror's file that may not be usable.
type sick struct {
	Index
	private bool
}

func (s sick) Private() (bool, error) { return s.private, nil }

func TestHealth(t *testing.T) {
	complete := vault.Report{Complete: true}
	for _, row := range []struct {
		name    string
		private bool
		status  tree.Status
		problem string
		want    string
	}{
		{"all is well", false, tree.Status{Report: complete}, "", Healthy},
		{"the index cannot be used", true, tree.Status{Report: complete}, "", NeedsReindex},
		{"a folder cannot be read", false, tree.Status{}, "", NeedsReindex},
		{"a file has a problem", false, tree.Status{Report: complete}, vault.ProblemFrontMatter, Inconsistent},
		{"a file is left alone by design", false, tree.Status{Report: complete}, vault.ProblemEmpty, Healthy},
		{"a write was interrupted", false, tree.Status{Report: complete, Left: make([]vault.Unfinished, 1)}, "", Inconsistent},
		{"the worst is told", true, tree.Status{}, vault.ProblemFrontMatter, NeedsReindex},
	} {
		s := Session{Opened: Opened{Index: sick{private: row.private}}}
		problems := map[string]int{}
		if row.problem != "" {
			problems[row.problem] = 1
		}
		if got := s.health(row.status, problems); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

// What a flag or a tool can say of a verb, a line can say.
func TestLinesSayWhatFlagsSay(t *testing.T) {
	for name, v := range verbs(time.Now, tier.Default(), func() recall.Analyse { return nil }) {
		if len(v.All()) == 0 {
			t.Errorf("%s has no keys", name)
		}
		for _, o := range options.Of(v.Options) {
			if o.Key == "" {
				t.Errorf("%s: --%s, %q in a tool, has no key", name, o.Flag, o.Tool)
			}
		}
	}
}

// The lines of a batch become verbs, or are named by their number.
func TestReadBatch(t *testing.T) {
	title, deferred := "T", vault.StatusDeferred
	now := time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC)
	anchor := func(revision *string) (header.Anchor, error) {
		switch {
		case revision == nil:
			return header.Anchor{Commit: "of HEAD", CommitKey: "key of HEAD"}, nil
		case *revision == "no-such-rev":
			return header.Anchor{}, vault.Errorf(vault.CodeNotFound, "", "'no-such-rev' is no commit")
		}
		return header.Anchor{Commit: "of " + *revision, CommitKey: "key of " + *revision}, nil
	}
	day := now.AddDate(0, 0, 2)
	for _, row := range []struct {
		name, lines string
		want        []tree.BatchLine
		err         string
	}{
		{"three verbs", "{\"verb\": \"add\", \"key\": \"k\", \"text\": \"x\", \"labels\": [\"a\"]}\n\n" +
			"{\"verb\": \"add-sub\", \"parent\": \"$k\", \"title\": \"T\", \"summary\": \"S\"}\n{\"verb\": \"update\", \"id\": \"$3\", \"title\": \"T\", \"labels\": [\"b\"]}",
			[]tree.BatchLine{
				{Number: 1, Key: "k", Verb: tree.LineOf(tree.Add{Text: "x", Labels: []string{"a"}}), Texts: []string{"a", "x"}},
				{Number: 3, Verb: tree.LineOf(tree.AddSub{Parent: "$k", Title: "T", Summary: "S"}), Texts: []string{"$k", "S", "T"}},
				{Number: 4, Verb: tree.LineOf(tree.Amend{Ref: "$3", Title: &title, AddLabels: []string{"b"}}), Texts: []string{"$3", "b", "T"}},
			}, ""},
		{"the verbs of place", `{"verb": "move", "id": "x", "parent": "y"}` + "\n" + `{"verb": "move", "id": "x", "root": true}` + "\n" + `{"verb": "promote", "id": "x"}` + "\n" + `{"verb": "delete", "id": "x", "recursive": true}`,
			[]tree.BatchLine{
				{Number: 1, Verb: tree.LineOf(tree.Move{Ref: "x", To: "y"}), Texts: []string{"x", "y"}, Names: []string{"x", "y"}},
				{Number: 2, Verb: tree.LineOf(tree.Move{Ref: "x", Root: true}), Texts: []string{"x"}, Names: []string{"x"}},
				{Number: 3, Verb: tree.LineOf(tree.Promote{Ref: "x"}), Texts: []string{"x"}, Names: []string{"x"}},
				{Number: 4, Verb: tree.LineOf(tree.Delete{Ref: "x", Recursive: true}), Texts: []string{"x"}, Names: []string{"x"}},
			}, ""},
		{"the verbs of an end", `{"verb": "resolve", "id": "x", "resolution": "Done."}` + "\n" + `{"verb": "defer", "id": "x", "until": "2d"}` + "\n" + `{"verb": "supersede", "id": "x", "by": "y"}`,
			[]tree.BatchLine{
				{Number: 1, Verb: tree.LineOf(journal.Resolve{Ref: "x", Resolution: "Done."}), Texts: []string{"x", "Done."}, Names: []string{"x"}},
				{Number: 2, Verb: tree.LineOf(tree.Amend{Ref: "x", Status: &deferred, Deferred: &day, Verb: "defer"}), Texts: []string{"x", "2d"}, Names: []string{"x"}},
				{Number: 3, Verb: tree.LineOf(tree.Supersede{Old: "x", New: "y"}), Texts: []string{"y", "x"}, Names: []string{"x", "y"}},
			}, ""},
		{"a day that is none", `{"verb": "defer", "id": "x", "until": "soon"}`, nil, "line 1: Invalid duration: 'soon'"},
		{"a text in the place of a number", `{"verb": "update", "id": "x", "remove_decisions": ["a"]}`, nil, `line 1: "remove_decisions" has to be a whole number, and is a JSON string`},
		{"nowhere to move to", `{"verb": "move", "id": "x"}`, nil, "line 1: nothing to change: give parent or root"},
		{"nothing", "\n \n", nil, ""},
		{"no JSON", "x", nil, "line 1: not a JSON object"},
		{"no UTF-8", "\n\"\xff\"", nil, "line 2: the line is not valid UTF-8"},
		{"no verb", `{"text": "x"}`, nil, `line 1: the verb is ""; it can be add, add-parent, add-sub, approve, capture, defer, delete, demote, deny, fact add, fact remove, findings add, merge-into, move, observe, promote, reanchor, resolve, supersede, update`},
		{"another verb's field", `{"verb": "add", "parent": "x"}`, nil, `line 1: add has no field "parent"; it has text, body, title, labels, summary, type, references`},
		{"a field that only flags have", `{"verb": "add", "AllowSecret": true}`, nil, `line 1: add has no field "AllowSecret"`},
		{"a summary is needed", `{"verb": "add-sub", "parent": "x", "title": "T", "summary": " "}`, nil, `line 1: add-sub needs "summary"`},
		{"an id is needed", `{"verb": "update", "title": "T"}`, nil, `line 1: update needs "id"`},
		{"nothing to change", `{"verb": "update", "id": "x", "section": "S"}`, nil, "line 1: nothing to change"},
		{"a key twice", "{\"verb\": \"add\", \"key\": \"k\", \"text\": \"x\"}\n{\"verb\": \"add\", \"key\": \"k\", \"text\": \"x\"}", nil, `line 2: an earlier line has the key "k"`},
		{"a field twice", "{\"verb\": \"add\", \"text\": \"x\"}\n{\"verb\": \"add\", \"text\": \"x\", \"text\": \"y\"}", nil, `line 2: the line has "text" twice`},
		{"the verb twice", `{"verb": "add", "verb": "delete", "id": "x"}`, nil, `line 1: the line has "verb" twice`},
		{"a field twice, written otherwise", `{"verb": "add", "text": [{"a": 1, "a": 2}], "te\u0078t": "y"}`, nil, `line 1: the line has "text" twice`},
		{"a number for a key", `{"verb": "add", "key": "3", "text": "x"}`, nil, `line 1: the key "3" is a number`},
		{"a number for a title", `{"verb": "add", "title": 3}`, nil, `line 1: "title" has to be a string, and is a JSON number`},
		{"lists, booleans and numbers as texts", `{"verb": "update", "id": "x", "labels": "p, q", "remove_decisions": "[2]"}` + "\n" + `{"verb": "delete", "id": "x", "recursive": "True"}`,
			[]tree.BatchLine{
				{Number: 1, Verb: tree.LineOf(tree.Amend{Ref: "x", AddLabels: []string{"p", "q"}, Amendments: tree.Amendments{RemoveDecisions: []int{2}}}), Texts: []string{"x", "p", "q", ""}, Names: []string{"x"}},
				{Number: 2, Verb: tree.LineOf(tree.Delete{Ref: "x", Recursive: true}), Texts: []string{"x"}, Names: []string{"x"}},
			}, ""},
		{"a number in a list", `{"verb": "add", "title": "T", "labels": [1]}`, nil, `line 1: "labels" has to be a string, and is a JSON number`},
		{"a text for yes", `{"verb": "delete", "id": "x", "recursive": "yes"}`, nil, `line 1: "recursive" has to be true or false, and is a JSON string`},
		{"a field that is near", `{"verb": "capture", "kind": "decision", "title": "T", "boddy": "x"}`, nil, `line 1: capture has no field "boddy"; it has kind, title, body`},
		{"a field of a part that there is not", `{"verb": "capture", "kind": "decision", "title": "T", "parts": {"contxt": "x"}}`, nil, `line 1: capture has no field "contxt" in "parts"; it has context, decision`},
		{"a field of a part in another case", `{"verb": "capture", "kind": "decision", "title": "T", "parts": {"Context": "x"}}`, nil, `line 1: capture has no field "Context" in "parts"`},
		{"a part twice", `{"verb": "capture", "kind": "decision", "title": "T", "parts": {"context": "x", "context": "y"}}`, nil, `line 1: capture has "context" twice in "parts"`},
		{"a commit that is none", `{"verb": "capture", "kind": "decision", "title": "T", "commit": "no-such-rev"}`, nil, `line 1: 'no-such-rev' is no commit`},
		{"of findings, too", `{"verb": "findings add", "findings": [{"summary": "x"}], "commit": "no-such-rev"}`, nil, `line 1: 'no-such-rev' is no commit`},
		{"a commit that is empty", `{"verb": "capture", "kind": "decision", "title": "T", "commit": ""}`, nil, `line 1: capture: "commit" is empty`},
		{"a number for a commit", `{"verb": "capture", "kind": "decision", "title": "T", "commit": 7}`, nil, `line 1: "commit" has to be a string`},
		{"a key of a commit", `{"verb": "capture", "kind": "decision", "title": "T", "commit_key": "1 11111111 11111111"}`, nil, `capture has no field "commit_key"`},
		{"an empty place", `{"verb": "capture", "kind": "decision", "title": "T", "under": " "}`, nil, `line 1: capture: "under" is empty`},
		{"an empty parent", `{"verb": "move", "id": "x", "parent": ""}`, nil, `line 1: move: "parent" is empty`},
		{"an empty parent beside root", `{"verb": "move", "id": "x", "parent": "", "root": true}`, nil, `line 1: move: "parent" is empty`},
		{"an empty section", `{"verb": "update", "id": "x", "body": "y", "section": ""}`, nil, `line 1: update: "section" is empty`},
		{"an empty hash", `{"verb": "update", "id": "x", "body": "y", "if_match": ""}`, nil, `line 1: update: "if_match" is empty`},
		{"null is nothing", `{"verb": "update", "id": "x", "title": null}`, nil, "line 1: nothing to change"},
		{"a commit, and none", `{"verb": "capture", "kind": "learning", "title": "T", "commit": "v1"}` + "\n" + `{"verb": "capture", "kind": "learning", "title": "T", "commit": null, "spec": null}`,
			[]tree.BatchLine{
				{Number: 1, Verb: tree.LineOf(journal.Capture{Kind: "learning", Title: "T", Anchor: header.Anchor{Commit: "of v1", CommitKey: "key of v1"}}), Texts: []string{"v1", "learning", "T"}},
				{Number: 2, Verb: tree.LineOf(journal.Capture{Kind: "learning", Title: "T", Anchor: header.Anchor{Commit: "of HEAD", CommitKey: "key of HEAD"}}), Texts: []string{"", "learning", "", "T"}},
			}, ""},
		{"a number for a verb", `{"verb": 3}`, nil, `line 1: "verb" has to be a string, and is a JSON number`},
	} {
		got, err := readBatch(strings.NewReader(row.lines), verbs(func() time.Time { return now }, tier.Default(), func() recall.Analyse { return nil }), anchor)
		if row.err == "" && err != nil || row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.err)
		}
		if !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s: got %+v, want %+v", row.name, got, row.want)
		}
	}
}

// Keys that init sets leave the rest of a file as it is.
func TestSetKeys(t *testing.T) {
	for _, row := range []struct{ old, want string }{
		{"", "project: p\n"},
		{"project: q # ours\nother: 1", "project: p # ours\nother: 1"},
		{"# a\nproject: \"p\"\n", "# a\nproject: \"p\"\n"},
		{"x:\n  project: q\n", "x:\n  project: q\nproject: p\n"},
	} {
		if got := setKeys(row.old, "project", "p"); got != row.want {
			t.Errorf("%q: got %q, want %q", row.old, got, row.want)
		}
	}
}
