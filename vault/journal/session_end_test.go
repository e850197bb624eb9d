package journal_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// step is something that happens to a vault.
type step func(*testing.T, *vaultmap.World)

// ends ends a session, whose id follows from its name, with an answer.
func ends(session, said string) step {
	return func(t *testing.T, w *vaultmap.World) {
		t.Helper()
		title, _, _ := strings.Cut(said, "\n")
		end := journal.SessionEnd{Capture: journal.Capture{Kind: string(header.Progress), Title: title, Body: said, Session: session, ID: vault.ID("pf-s" + session), Created: vaultmap.Now}}
		if err := end.Do(t.Context(), w.Vault); err != nil {
			t.Fatal(err)
		}
	}
}

func does[R any](verb vault.Verb[R]) step {
	return func(t *testing.T, w *vaultmap.World) {
		t.Helper()
		if _, _, err := vault.Do(t.Context(), w.Vault, verb, vault.Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

// typed is what a person types below an entry, and commits or not.
func typed(commits bool) step {
	return func(_ *testing.T, w *vaultmap.World) {
		w.Disk["journal/2026/02/progress-mended.md"] += "\nI saw it.\n"
		if commits {
			w.Commit("by hand")
		}
	}
}

const longer = "Mended.\n\nIt was the port."

// What the sessions end with is kept once, and what a person has made of it stays.
func TestSessionEnds(t *testing.T) {
	part := kept(files{"web.md": vaultmap.File("pf-web", "Web", "when in the web", "")}).With(files{"web/journal.md": strings.Replace(root, "pf-journal", "pf-journal-web", 1)})
	in := func(project string, end step) step {
		return func(t *testing.T, w *vaultmap.World) {
			t.Helper()
			was := w.Part
			w.Part = project
			end(t, w)
			w.Part = was
		}
	}
	for _, row := range []struct {
		name  string
		start files
		steps []step
		want  string // status and text of each entry
	}{
		{name: "one session", steps: []step{ends("a", "Mended.")}, want: "open Mended."},
		{name: "one session twice", steps: []step{ends("a", "Mended."), ends("a", "Mended.")}, want: "open Mended."},
		{name: "one session goes on", steps: []step{ends("a", "Mended."), ends("a", longer)}, want: "open " + longer},
		{name: "two sessions, one answer", steps: []step{ends("a", "Mended."), ends("b", "Mended.")}, want: "open Mended."},
		{name: "the second goes on", steps: []step{ends("a", "Mended."), ends("b", "Mended."), ends("b", longer)}, want: "open Mended.|open " + longer},
		{name: "one goes on to what another said", steps: []step{ends("a", "Mended."), ends("b", longer), ends("a", longer)}, want: "open Mended.|open " + longer},
		{name: "one title, two answers", steps: []step{ends("a", "Mended."), ends("b", longer)}, want: "open Mended.|open " + longer},
		{name: "two answers", steps: []step{ends("a", "Mended."), ends("b", "Broken.")}, want: "open Broken.|open Mended."},
		{name: "closed, then another session", steps: []step{ends("a", "Mended."), does(closed("pf-sa")), ends("b", "Mended.")}, want: "closed Mended.|open Mended."},
		{name: "closed, then the same", steps: []step{ends("a", "Mended."), does(closed("pf-sa")), ends("a", "Mended.")}, want: "closed Mended."},
		{name: "closed, then it goes on", steps: []step{ends("a", "Mended."), does(closed("pf-sa")), ends("a", longer), ends("a", longer+" Sure.")}, want: "closed Mended.|open " + longer + " Sure."},
		{name: "deleted, then it goes on", steps: []step{ends("a", "Mended."), does(tree.Delete{Ref: "pf-sa"}), ends("a", longer)}, want: "open " + longer},
		{name: "deleted, then another session", steps: []step{ends("a", "Mended."), does(tree.Delete{Ref: "pf-sa"}), ends("b", "Mended.")}, want: "open Mended."},
		{name: "edited, then it goes on", steps: []step{ends("a", "Mended."), typed(true), ends("a", longer)}, want: "open " + longer + "|open Mended.\nI saw it."},
		{name: "edited, in no commit, then it goes on", steps: []step{ends("a", "Mended."), typed(false), ends("a", longer)}, want: "open " + longer + "|open Mended.\nI saw it."},
		{name: "edited, then another session", steps: []step{ends("a", "Mended."), typed(true), ends("b", "Mended.")}, want: "open Mended.|open Mended.\nI saw it."},
		{name: "a person's own words", start: kept(files{"journal/2026/02/mine.md": "---\nid: pf-m\ntitle: Mended.\ntype: progress\n---\nMended.\n"}), steps: []step{ends("a", "Mended.")}, want: "open Mended."},
		{name: "words of another kind", start: kept(files{"journal/2026/02/mine.md": "---\nid: pf-m\ntitle: Mended.\ntype: memory\n---\nMended.\n"}), steps: []step{ends("a", "Mended.")}, want: "open Mended.|open Mended."},
		{name: "two projects", start: part, steps: []step{in("pf-web", ends("a", "Mended.")), in("pf-web", ends("b", "Mended.")), ends("c", "Mended.")}, want: "open Mended.|open Mended."},
	} {
		t.Run(row.name, func(t *testing.T) {
			start := row.start
			if start == nil {
				start = kept(nil)
			}
			w := vaultmap.New(start)
			for _, s := range row.steps {
				s(t, w)
			}
			vaultmap.Equal(t, "the entries", entriesOf(w), row.want)
		})
	}
}

// closed closes an entry.
func closed(ref string) tree.Amend {
	status := vault.StatusClosed
	return tree.Amend{Ref: ref, Status: &status}
}

// entriesOf tells of all entries below the journals, sorted by their texts.
func entriesOf(w *vaultmap.World) string {
	var all []string
	for p, text := range w.Disk {
		if strings.Contains(string(p), "journal/2026/") {
			m := vault.Parse(p, []byte(text))
			all = append(all, cmp.Or(m.Status, "open")+" "+strings.ReplaceAll(strings.TrimSpace(m.Prose), "\n\nI saw", "\nI saw"))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}
