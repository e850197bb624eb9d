package queue

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// Query asks for a page of what waits for a person.
type Query struct {
	Denied        bool             // what was denied, in place of what waits
	Bare          bool             // without the nearest memories and the suggested parents
	Why           []journal.Reason // only what waits for one of these; empty is all
	Limit, Offset int              // a Limit of 0 is none
}

// One is a person's way through the queue of one vault: it shows items, makes decisions, each at once
// and by a commit of its own, and takes back those that were made through it.
type One struct {
	s   *app.Session
	has func(path string) bool // the part of the vault that is asked; nil is all of it
	ops []string               // that were made through it and not taken back, the last one last
}

// NewOne begins a review of one vault.
func NewOne(s *app.Session) *One { return &One{s: s} }

// Queue returns a page of what waits for a person, by the rules of the settings.
func (r *One) Queue(ctx context.Context, q Query) (journal.Queue, error) {
	found, err := r.room().Read(ctx, journal.QueueQuery{QueueRules: r.rules(), Denied: q.Denied, Bare: q.Bare, Why: q.Why, Limit: q.Limit, Offset: q.Offset})
	if err == nil {
		err = r.addCode(ctx, found.Items, q.Bare)
	}
	return found, err
}

// Evidence completes items of a bare queue.
func (r *One) Evidence(ctx context.Context, q Query, items []journal.Item) ([]journal.Item, error) {
	all, err := r.room().Evidence(ctx, journal.QueueQuery{QueueRules: r.rules(), Denied: q.Denied}, items)
	if err == nil {
		err = r.addCode(ctx, all, false)
	}
	return all, err
}

// Item returns an item as it is now, with all its evidence. The error is CodeNotFound if it
// no longer waits.
func (r *One) Item(ctx context.Context, item journal.Item) (journal.Item, error) {
	found, err := r.room().Item(ctx, journal.QueueQuery{QueueRules: r.rules(), Denied: item.Why == journal.Denied}, item.ID)
	if err != nil {
		return found, err
	}
	all := []journal.Item{found}
	err = r.addCode(ctx, all, false)
	return all[0], err
}

func (r *One) room() *journal.ReviewQueue {
	return &journal.ReviewQueue{Vault: r.s.Vault, Mirror: r.s.Pending, Finder: r.s.Finder(), Stale: r.staleCopies, Loud: r.loudMemories, LeftOver: r.s.LeftOver}
}

// rules are what waits.
func (r *One) rules() journal.QueueRules {
	p := r.s.Settings.Promotion
	rules := journal.QueueRules{Thresholds: p.Thresholds}
	for _, k := range p.ReviewKinds {
		rules.Kinds = append(rules.Kinds, string(k))
	}
	return rules
}

// What a person can decide about an item. To skip it is no decision.
const (
	Approve = "approve" // and give it its place where the thresholds are met; never core
	Deny    = "deny"
	Merge   = "merge"   // into Decision.Into
	Edit    = "edit"    // its text, and decide later
	Confirm = "confirm" // it is right about its code as it is, with Decision.Text where that is set
	Unbind  = "unbind"  // it is about the code no more that is gone, or else has changed
	Resolve = "resolve" // close it, since it holds no more
	ToCore  = "core"    // approve it, and write it into the agents' files of Decision.Targets
)

// Decision is what a person decided about an item.
type Decision struct {
	Do      string
	Parent  string   // to approve what gets a place: the memory below which it goes
	Learned bool     // or that is the root Learned
	Summary string   // to approve: the trigger phrase
	Reason  string   // to deny
	Into    string   // to merge
	Text    string   // to edit, and to confirm what was edited
	Ending  string   // to resolve: why it holds no more
	Targets []string // of core: the agents' files, by their names
}

// WithSuggestions returns a decision that leaves the place open, or what an item is merged into, with
// what the item suggests: its parent, else Learned, and the nearest memory. It is for faces
// that show that to the person.
func (d Decision) WithSuggestions(item journal.Item) Decision {
	switch {
	case d.Do == Approve && d.Parent == "" && item.Parent != nil && !d.Learned:
		d.Parent = string(item.Parent.ID)
	case d.Do == Approve && d.Parent == "":
		d.Learned = true
	case d.Do == Merge && d.Into == "" && len(item.Nearest) > 0:
		d.Into = string(item.Nearest[0].ID)
	}
	return d
}

// Outcome tells what came of a decision.
type Outcome struct {
	journal.QueueDecided
	Do    string   `json:"do"`
	Into  vault.ID `json:"into,omitempty"`  // what it was merged into
	Level string   `json:"level,omitempty"` // that it has now
	Files []string `json:"files,omitempty"` // of agents, that were written
	family.Origin
	vault.Warned
}

// Decide makes a decision about an item as the person saw it. The error is CodeConflict if
// the item was changed meanwhile, and CodeNotFound if it is gone.
func (r *One) Decide(ctx context.Context, item journal.Item, d Decision) (Outcome, error) {
	parts, out, err := r.decisionParts(ctx, item, d)
	if err != nil {
		return Outcome{}, err
	}
	verb := journal.Decision{Verb: d.verb(), ID: item.ID, Hash: item.Hash, Parts: parts}
	decided, receipt, err := vault.Do(ctx, r.s.Vault, verb, vault.Options{})
	if err != nil {
		return Outcome{}, err
	}
	out.Warn(receipt.Notes...)
	out.QueueDecided, out.Do = decided, d.Do
	if receipt.Op != "" {
		r.ops = append(r.ops, receipt.Op)
	}
	return *out, nil
}

// verb is the name in the commit.
func (d Decision) verb() string {
	if d.Do == Confirm && d.Text != "" {
		return written[Edit]
	}
	return cmp.Or(written[d.Do], d.Do)
}

// written are the names in the commits where they are not the decision's.
var written = map[string]string{Merge: journal.Merge{}.Name(), Edit: tree.Amend{}.Name(), ToCore: journal.PromoteCore{}.Name()}

// Undo takes back the last decision that was made through the review and not taken back
// yet. The error is CodeNotFound where there is none.
func (r *One) Undo(ctx context.Context) (past.UndoRow, error) {
	if len(r.ops) == 0 {
		return past.UndoRow{}, vault.Errorf(vault.CodeNotFound, "`cp memory undo` takes back what was done elsewhere", "nothing was decided here yet")
	}
	rows, err := r.s.History().Undo(ctx, past.Undo{Op: r.ops[len(r.ops)-1]})
	if err != nil {
		return past.UndoRow{}, err
	}
	r.ops = r.ops[:len(r.ops)-1]
	return rows[0], nil
}
