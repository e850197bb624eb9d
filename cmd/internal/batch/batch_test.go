package batch

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

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
