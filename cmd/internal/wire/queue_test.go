package wire

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
)

// review begins a review of the family of the folder, until the test ends.
func (m *machine) review(name string) *queue.Review {
	m.Helper()
	t, f := m.family(name, settings.Flags{})
	r := queue.Begin(t, f)
	m.Cleanup(r.Close)
	return r
}

// itemNamed returns the item of an id as a list has it, without its evidence.
func (m *machine) itemNamed(r *queue.Review, id string, denied bool) journal.Item {
	m.Helper()
	q, err := r.Queue(m.Context(), queue.Query{Denied: denied, Bare: true})
	for _, item := range q.Items {
		if string(item.ID) == id {
			return item
		}
	}
	m.Fatalf("%s does not wait: %+v, %v", id, q.Items, err)
	return journal.Item{}
}

// checkQueue reads pages of what waits in a family: one order for all, each item with its project.
func checkQueue(m *machine) {
	r := m.review("top")
	lone := m.review("top/deep")
	for _, row := range []struct {
		rule  string
		r     *queue.Review
		query queue.Query
		want  string
	}{
		{"all of the family in one order", r, queue.Query{Bare: true}, "4: observation pf-seen@top, place pf-disk@low, phrase pf-bare@deep, deferred pf-late@deep"},
		{"a page", r, queue.Query{Bare: true, Limit: 2}, "4: observation pf-seen@top, place pf-disk@low"},
		{"the page after it", r, queue.Query{Limit: 2, Offset: 2}, "4: phrase pf-bare@deep, deferred pf-late@deep"},
		{"beyond the last one", r, queue.Query{Limit: 2, Offset: 20}, "4: "},
		{"of one reason", r, queue.Query{Why: []journal.Reason{journal.Phrase}}, "1: phrase pf-bare@deep"},
		{"nothing is denied yet", r, queue.Query{Denied: true}, "0: "},
		{"one project has its own", lone, queue.Query{}, "2: phrase pf-bare@deep, deferred pf-late@deep"},
	} {
		q, err := row.r.Queue(m.Context(), row.query)
		got := fmt.Sprint(q.Total, ": ", strings.Join(collect(q.Items, func(i journal.Item) string { return fmt.Sprint(i.Why, " ", i.ID, "@", i.Project) }), ", "))
		if err != nil || got != row.want {
			m.Errorf("%s: got %q, %v; want %q", row.rule, got, err, row.want)
		}
	}
	seen, err := r.Item(m.Context(), m.itemNamed(r, "pf-seen", false))
	if err != nil || seen.Parent == nil || seen.Parent.ID != "pf-nomad" || len(seen.Nearest) == 0 {
		m.Errorf("what is nearest is suggested: got %+v", seen)
	}
	places, err := r.Places(m.Context(), seen)
	if ids := strings.Join(collect(places, func(n journal.NearMemory) string { return string(n.ID) }), " "); err != nil || ids != "pf-twin pf-nomad" && ids != "pf-nomad pf-twin" {
		m.Errorf("the places are those of its vault: got %s, %v", ids, err)
	}
	files, err := r.Core(m.Context(), seen)
	if line := strings.Join(collect(files, func(f queue.CoreFile) string { return fmt.Sprint(f.Target, f.Chosen) }), " "); err != nil || line != "claude_mdtrue agents_mdtrue gemini_mdfalse copilot_mdfalse cursor_mdcfalse" {
		m.Errorf("without a file the usual two are proposed: got %s, %v", line, err)
	}
}

// checkDecisions decides: each decision is one commit in the vault that holds the item, about what
// the person saw, and can be taken back.
func checkDecisions(m *machine) {
	r := m.review("top")
	ctx := m.Context()
	if _, err := r.Undo(ctx); vault.CodeOf(err) != vault.CodeNotFound {
		m.Errorf("an undo without a decision: %v", err)
	}
	elsewhere := journal.Item{ID: "pf-x", Origin: family.Origin{Project: "gone", ProjectPath: "/gone"}}
	_, err := r.Decide(ctx, elsewhere, queue.Decision{Do: queue.Deny})
	wantError(m.T, err, "the project gone does not answer any more; hint: look at the queue again")
	for _, row := range []struct {
		rule   string
		id     string
		denied bool // it is listed among those
		do     queue.Decision
		err    string
		commit string // of the vault, without the id
		undo   bool
	}{
		{rule: "no decision is refused", id: "pf-seen", do: queue.Decision{Do: "maybe"}, err: "'maybe' is no decision; hint: approve, deny, merge, edit, core, confirm, unbind or resolve"},
		{rule: "a place has to be named", id: "pf-seen", do: queue.Decision{Do: queue.Approve}, err: "an approval needs either a place in the tree, or the root Learned"},
		{rule: "one that is there", id: "pf-seen", do: queue.Decision{Do: queue.Approve, Parent: "pf-quota"}, err: "not found"},
		{rule: "what it is merged into, too", id: "pf-seen", do: queue.Decision{Do: queue.Merge}, err: "a merge needs the memory into which it goes"},
		{rule: "and the files of core", id: "pf-seen", do: queue.Decision{Do: queue.ToCore}, err: "no file was chosen; hint: choose one"},
		{rule: "by a name there is", id: "pf-seen", do: queue.Decision{Do: queue.ToCore, Targets: []string{"x"}}, err: "'x' is no target"},
		{rule: "a text is not edited away", id: "pf-disk", do: queue.Decision{Do: queue.Edit, Text: " "}, err: "nothing is left of the text; hint: deny it, or leave its text"},
		{rule: "a phrase is what is missing", id: "pf-bare", do: queue.Decision{Do: queue.Approve}, err: "the trigger phrase is what is missing"},
		{rule: "a title is edited where there is nothing else", id: "pf-seen", do: queue.Decision{Do: queue.Edit, Text: "It keeps the old one"}, commit: `memory: update pf-seen "It keeps the old one"`},
		{rule: "approved it has its place", id: "pf-seen", do: queue.Decision{Do: queue.Approve, Parent: "pf-nomad", Summary: "When a binary is old"}, commit: `memory: approve pf-seen "It keeps the old one"`, undo: true},
		{rule: "merged it is closed", id: "pf-seen", do: queue.Decision{Do: queue.Merge, Into: "pf-nomad"}, commit: `memory: merge-into pf-seen "It keeps the old one"`},
		{rule: "a text is edited in its vault", id: "pf-disk", do: queue.Decision{Do: queue.Edit, Text: "Slow as ever."}, commit: `memory: update pf-disk "Slow disk"`},
		{rule: "denied it is listed apart", id: "pf-disk", do: queue.Decision{Do: queue.Deny, Reason: "old"}, commit: `memory: deny pf-disk "Slow disk"`},
		{rule: "and approved it waits again", id: "pf-disk", denied: true, do: queue.Decision{Do: queue.Approve}, commit: `memory: approve pf-disk "Slow disk"`},
		{rule: "a phrase is written", id: "pf-bare", do: queue.Decision{Do: queue.Approve, Summary: "When it is bare"}, commit: `memory: approve pf-bare "Bare"`},
		{rule: "what was put off is opened", id: "pf-late", do: queue.Decision{Do: queue.Approve}, commit: `memory: approve pf-late "Late"`},
	} {
		m.Run(row.rule, func(t *testing.T) {
			m.within(t).decide(ctx, r, row.id, row.denied, row.do, row.err, row.commit, row.undo)
		})
	}
	if all, err := r.Yes(ctx, 0); err != nil || len(all) != 1 || all[0].ID != "pf-disk" || all[0].Project != "low" {
		m.Errorf("what is left and meets the thresholds is approved at once: %+v, %v", all, err)
	}
	if q, err := r.Queue(ctx, queue.Query{}); err != nil || q.Total > 0 {
		m.Errorf("nothing waits any more: %+v, %v", q, err)
	}
}

func (m *machine) decide(ctx context.Context, r *queue.Review, id string, denied bool, do queue.Decision, fails, commit string, undo bool) {
	item := m.itemNamed(r, id, denied)
	out, err := r.Decide(ctx, item, do)
	if wantError(m.T, err, fails); fails != "" {
		return
	}
	dir := map[string]string{"top": "top", "low": "top/low", "deep": "top/deep"}[item.Project]
	if out.Do != do.Do || out.Project != item.Project || m.git(dir, "log", "-1", "--format=%s") != commit+"\n" {
		m.Errorf("got %+v and %s in %s", out, m.git(dir, "log", "-1", "--format=%s"), dir)
	}
	if undo {
		if _, err = r.Decide(ctx, item, do); vault.CodeOf(err) != vault.CodeConflict {
			m.Errorf("it is decided once more, about what was seen before: %v", err)
		}
		if _, err := r.Undo(ctx); err != nil || m.itemNamed(r, id, denied).Hash != item.Hash {
			m.Errorf("it is not taken back: %v", err)
		}
	}
}
