package journal_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// mirror returns what a test says that may wait.
type mirror []journal.Candidate

func (m mirror) Waiting(context.Context, journal.QueueRules, int) (journal.Candidates, error) {
	return journal.Candidates{All: m}, nil
}

// someWords cuts texts at spaces, and knows no memory that shares any.
type someWords struct{ recall.Lexicon }

func (someWords) Analyser() func(string, func(string)) {
	return func(text string, emit func(string)) {
		for _, word := range strings.Fields(text) {
			emit(word)
		}
	}
}

func (someWords) Sharing(context.Context, string, bool, int) ([]vault.Node, error) { return nil, nil }

// room returns a room on a vault of two observations, and one that is gone since the
// mirror looked; and on two that relate to each other, of which one has changed.
func room() *journal.ReviewQueue {
	w := vaultmap.New(vaultmap.Family().With(vaultmap.Files{
		"o1.md":   "---\nid: pf-o1\ntitle: One\ntype: observation\nsessions: [s1, s2, s1]\n---\nSeen.\n",
		"o2.md":   "---\nid: pf-o2\ntitle: Two\ntype: observation\nsessions: [s1]\nsource: sanj\ncreator: bot\n---\nSeen.\n",
		"same.md": "---\nid: pf-r1\ntitle: Same\nrelates_to: [pf-aa3]\n---\nRotate.\n",
		"far.md":  "---\nid: pf-r2\ntitle: Far\nrelates_to: [pf-aa2]\n---\nOther words altogether.\n",
	}))
	observation := func(id vault.ID, p vault.Path, seen int) journal.Candidate {
		return journal.Candidate{ID: id, Path: p, Type: "observation", Seen: seen}
	}
	related := func(id vault.ID, p vault.Path) journal.Candidate {
		return journal.Candidate{ID: id, Path: p, Type: vault.TypeMemory, Relates: true}
	}
	denied := observation("pf-aa3", "deploy/secrets.md", 3)
	denied.DeniedAt = vaultmap.Now
	return &journal.ReviewQueue{Vault: w.Vault, Finder: &recall.Finder{Vault: w.Vault, Lexicon: someWords{}},
		Mirror: mirror{observation("pf-o2", "o2.md", 1), observation("pf-o1", "o1.md", 2), related("pf-r1", "same.md"), related("pf-r2", "far.md"), denied}}
}

// list reads a page and returns its ids with their reasons.
func list(t *testing.T, r *journal.ReviewQueue, q journal.QueueQuery) (string, journal.Queue) {
	t.Helper()
	q.Thresholds = tier.Default()
	got, err := r.Read(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, item := range got.Items {
		all = append(all, string(item.ID)+" "+string(item.Why))
	}
	return strings.Join(all, ", "), got
}

// The queue has what waits, a page of it and the counts of all; what says something else by
// now is alike no more.
func TestRead(t *testing.T) {
	for name, row := range map[string]struct {
		q    journal.QueueQuery
		want string
	}{
		"all":              {journal.QueueQuery{}, "pf-o1 observation, pf-r1 alike, pf-o2 below"},
		"bare":             {journal.QueueQuery{Bare: true}, "pf-o1 observation, pf-r1 alike, pf-o2 below"},
		"a page":           {journal.QueueQuery{Limit: 1, Offset: 1}, "pf-r1 alike"},
		"by its reason":    {journal.QueueQuery{Why: []journal.Reason{journal.IsBelow, journal.Alike}}, "pf-r1 alike, pf-o2 below"},
		"beyond":           {journal.QueueQuery{Offset: 9}, ""},
		"a negative start": {journal.QueueQuery{Offset: -9, Limit: 1}, "pf-o1 observation"},
	} {
		t.Run(name, func(t *testing.T) {
			got, q := list(t, room(), row.q)
			total := 3
			if len(row.q.Why) > 0 {
				total = 2
			}
			if got != row.want || q.Total != total || q.Counts[journal.IsBelow] != 1 || q.Items == nil {
				t.Errorf("got %q of %d, %v; want %q of %d", got, q.Total, q.Counts, row.want, total)
			}
		})
	}
	if got, _ := list(t, room(), journal.QueueQuery{Denied: true}); got != "pf-aa3 denied" {
		t.Errorf("denied: got %q", got)
	}
}

// An item carries what its file says, and the hash of that text.
func TestEvidence(t *testing.T) {
	r := room()
	_, q := list(t, r, journal.QueueQuery{})
	one, alike, two := q.Items[0], q.Items[1], q.Items[2]
	doc, _, _ := r.Vault.Store.Read("o1.md")
	switch {
	case one.Count != 2 || len(one.Sessions) != 2 || one.Namespace != "observations" || one.Text != "Seen." || one.Hash != r.Vault.Store.BlobID(doc) || one.Needs != "":
		t.Errorf("got %+v", one)
	case two.Needs != "1/2, needs 1 more" || strings.Join(two.Sources, " ") != "bot sanj" || two.Level != "pending":
		t.Errorf("got %+v", two)
	case len(alike.Nearest) != 1 || alike.Nearest[0].ID != "pf-aa3" || alike.Nearest[0].Similarity != 1:
		t.Errorf("got %+v", alike)
	}
}

// Copies that are out of date wait, except those that wait for another reason anyway and
// those of memories that are gone.
func TestStale(t *testing.T) {
	r := room()
	r.Stale = func(context.Context) ([]journal.AgentsCopy, error) {
		return []journal.AgentsCopy{{ID: "pf-aa2", Targets: []string{"claude_md"}}, {ID: "pf-o1"}, {ID: "pf-gone"}}, nil
	}
	got, q := list(t, r, journal.QueueQuery{})
	if got != "pf-o1 observation, pf-aa2 stale, pf-r1 alike, pf-o2 below" || q.Items[1].Level != "core" || q.Items[1].Targets[0] != "claude_md" {
		t.Errorf("got %q, %+v", got, q.Items)
	}
	r.Stale = func(context.Context) ([]journal.AgentsCopy, error) { return nil, errors.New("no") }
	if _, err := r.Read(context.Background(), journal.QueueQuery{}); err == nil {
		t.Error("a failure is not told")
	}
}

// One item can be asked for again, until it waits no more.
func TestItem(t *testing.T) {
	r, ctx, q := room(), context.Background(), journal.QueueQuery{QueueRules: journal.QueueRules{Thresholds: tier.Default()}}
	if item, err := r.Item(ctx, q, "pf-o2"); err != nil || item.Why != journal.IsBelow {
		t.Errorf("got %+v, %v", item, err)
	}
	for _, id := range []vault.ID{"pf-aa3", "pf-r2", "pf-none"} {
		if _, err := r.Item(ctx, q, id); vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%s: got %v", id, err)
		}
	}
}
