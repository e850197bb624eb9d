package main_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// stderr is what stderr holds with -o json.
type stderr struct {
	Error *struct {
		Code, Category, Message, Hint, Recovery, Path string
		Line                                          int
	}
	Warnings, Notes []string
	Closed          int `json:"closed"` // of a recall: how many that are over answer too
	Deferred        int `json:"deferred"`
}

// document returns what one JSON document holds; ok is false for anything else, and for more.
func document(text string) (doc stderr, ok bool) {
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if in.Decode(&doc) != nil {
		return doc, false
	}
	_, err := in.Token()
	return doc, err == io.EOF
}

// runnable lists the command lines of the whole tree, without their arguments.
func runnable(cmd *cobra.Command) (all [][]string) {
	for _, c := range cmd.Commands() {
		all = append(all, runnable(c)...)
	}
	if cmd.HasParent() && (!cmd.HasSubCommands() || cmd.Name() == "setup") && cmd.Runnable() && cmd.Name() != "watch" {
		all = append(all, strings.Fields(cmd.CommandPath())[1:])
	}
	return all
}

// With -o json stderr is one document, whatever command fails and however: with a flag that
// nobody knows, where there is no vault.
func TestJSONFailsInOneDocument(t *testing.T) {
	testlevel.Check(t)
	all := runnable(cli.Root(new(app.App), console.Streams{}))
	if t.Parallel(); len(all) < 40 {
		t.Fatalf("got %d commands only", len(all))
	}
	p := build(t, "cp").in(t, nil)
	for _, line := range all {
		for _, more := range [][]string{{"--bogus"}, {"no-such"}} {
			args := strings.Join(slices.Concat([]string{"cp"}, line, more, []string{"-o json </dev/null"}), " ")
			got := p.sh(args)
			doc, ok := document(got.err)
			if silent := got.err == "" && got.exit == 0; !silent && (!ok || got.exit != 0 && doc.Error == nil && line[0] != "merge-driver") {
				t.Errorf("%s: exit %d, stderr %s", args, got.exit, got.err)
			}
		}
	}
}

// With a warning, a note or a failure, in a vault with something wrong in it, stderr is one
// document too; and stdout has nothing but the answer.
func TestJSONWarnsInOneDocument(t *testing.T) {
	testlevel.Check(t)
	t.Parallel()
	p := build(t, "cp").in(t, map[string]string{
		"a.md":     "---\nid: pf-a\ntitle: A\n---\nText of a.\n\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n",
		"b.md":     "---\nid: pf-b\ntitle: B\n---\nText of b.\n",
		"c.md":     "---\nid: [\n---\nText of c.\n",
		"empty.md": "",
	})
	p.must("cp init --prefix pf .")
	for _, row := range []struct {
		line  string
		exit  int
		warns bool // something is said beside the error
	}{
		{"status", 0, false},
		{"doctor", 1, false},
		{"memory sync --dry-run", 0, true},
		{"memory sync", 1, true},
		{"doctor --fix --yes", 1, false},
		{"memory show pf-a", 0, true},
		{"memory show pf-b --debug", 0, true},
		{"memory tree --debug", 0, true},
		{"memory prime --debug", 0, true},
		{"memory list --limit 1", 0, true},
		{"memory search text --debug", 0, true},
		{"memory recall text --debug", 0, true},
		{"memory hot --debug", 0, true},
		{"memory log --debug", 0, true},
		{"memory changes --since 1d --debug", 0, true},
		{"memory path pf-b --debug", 0, true},
		{"memory add Text --title T --references pf-none", 0, true},
		{"memory add Text --title T2 --debug", 0, true},
		{"memory add-sub pf-b --title S --body x --no-ai --summary " + strings.Repeat("long", 40), 0, true},
		{"memory add-sub pf-b --title S --body x", 1, false},
		{"memory update pf-b --summary " + strings.Repeat("long", 40), 0, true},
		{"memory update pf-a --body x", 1, false},
		{"memory move pf-b pf-b", 1, false},
		{"memory promote pf-b", 1, false},
		{"memory delete pf-b", 1, false},
		{"memory delete pf-b --recursive", 1, true},
		{"memory resolve pf-b --debug", 0, true},
		{"memory defer pf-b --until tomorrow --debug", 0, true},
		{"memory supersede pf-b --by pf-none", 1, false},
		{"memory undo --force --debug", 0, true},
		{"memory diff pf-b --debug", 0, true},
		{"memory blame pf-b --debug", 0, true},
		{"memory edit pf-b --no-input", 1, false},
		{"memory batch", 1, false},
		{"memory pull", 1, false},
		{"memory push", 1, false},
		{"memory sync --remote", 1, false},
		{"memory export --to .", 1, false},
		{"memory summarize", 1, false},
		{"shard list --debug", 0, true},
		{"recall text --debug", 0, true},
		{"help json", 0, false},
		{"version", 0, false},
	} {
		got := p.sh("echo Text from a pipe | cp " + row.line + " -o json")
		doc, ok := document(got.err)
		said := len(doc.Warnings)+len(doc.Notes) > 0
		if got.exit != row.exit || said != row.warns || (doc.Error != nil) != (row.exit == 1) || !ok && got.err != "" {
			t.Errorf("%s: exit %d, stderr %s", row.line, got.exit, got.err)
		}
		if got.exit == 0 && row.line != "help json" && !json.Valid([]byte(got.out)) {
			t.Errorf("%s: the answer is %s", row.line, got.out)
		}
	}
}
