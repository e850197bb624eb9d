package journal

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/header"
)

// Context asks for all that is known of a piece of work, or of the work between two commits.
type Context struct {
	Spec    string // empty with Commits: of any
	Commits string `flag:"commits" help:"only entries that tell of a commit in this <range>: v1.1..v1.2; without a spec, of any"`
	Recent  int    `flag:"recent" help:"only so many <entries>, the newest"`                   // beside the unresolved blockers; 0 is all
	Budget  int    `flag:"budget" help:"<tokens> of the answer at the most, as it is printed"` // estimated; 0 is unlimited
	Rows    int    // entries at the most, blockers before others and of both the newest; 0 is all
}

// Work is all that is known of a piece of work.
type Work struct {
	Spec     string         `json:"spec"`
	Commits  string         `json:"commits,omitempty"` // the range that was asked for
	Total    int            `json:"total"`
	Counts   map[string]int `json:"counts"`             // by namespace
	Blockers []Entry        `json:"blockers"`           // unresolved ones, the oldest first
	Groups   []Group        `json:"groups"`             // all the rest, by kind
	Tokens   int            `json:"tokens"`             // of the titles, and of the texts that are given
	LeftOut  int            `json:"left_out,omitempty"` // texts that the budget left out
	Lacking  int            `json:"left_out_tokens,omitempty"`
	Open     int            `json:"-"`                 // unresolved blockers, those that Rows left out too
	Skipped  int            `json:"skipped,omitempty"` // entries that Recent left out
	Cut      int            `json:"cut,omitempty"`     // entries that Rows left out
}

// Group holds the entries of one kind, the oldest first.
type Group struct {
	Kind      header.Kind `json:"type"`
	Namespace string      `json:"namespace"`
	Entries   []Entry     `json:"entries"`
}

// Entry is an entry with its text.
type Entry struct {
	ID        vault.ID    `json:"id"`
	Kind      header.Kind `json:"type"`
	Namespace string      `json:"namespace"`
	Title     string      `json:"title"`
	Status    string      `json:"status"`
	Phase     string      `json:"phase,omitempty"`
	Commit    string      `json:"commit,omitempty"`
	Created   time.Time   `json:"created_at,omitzero"`
	Path      vault.Path  `json:"path"`
	Tokens    int         `json:"tokens"`
	Content   *string     `json:"content,omitempty"` // absent where the budget left it out
	family.Origin
}

// Entries returns the entries without their texts, as the vault is now. entries asks the mirror, in one
// query: in any order, without denied ones.
func (o Context) Entries(ctx context.Context, v *vault.Vault, entries func(ctx context.Context) ([]Entry, error)) (all []Entry, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	err = v.View(ctx, vault.Scope{}, func(vault.Tree) (err error) {
		all, err = entries(ctx)
		return err
	})
	return all, err
}

func (o Context) check() error {
	switch {
	case strings.TrimSpace(o.Spec) == "" && o.Commits == "":
		return vault.Errorf(vault.CodeInvalid, "name it as --spec did", "the piece of work has no name")
	case o.Budget < 0:
		return vault.Errorf(vault.CodeInvalid, "use --budget 1000, say", "the budget cannot be negative")
	case o.Recent < 0:
		return vault.Errorf(vault.CodeInvalid, "use --recent 10, say", "the number of recent entries cannot be negative")
	}
	return nil
}

// GatherWork makes a piece of work of its entries, which may come from several vaults. read returns
// the file of one.
func (o Context) GatherWork(ctx context.Context, all []Entry, read func(*Entry) ([]byte, error)) (Work, error) {
	out := Work{Spec: o.Spec, Commits: o.Commits, Total: len(all), Counts: map[string]int{}, Blockers: []Entry{}, Groups: []Group{}}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ProjectPath, b.ProjectPath), strings.Compare(string(a.Path), string(b.Path)))
	})
	out.sort(all, o)
	return out, out.readFiles(ctx, read, o.Budget)
}

// sort puts the entries, the oldest first, where they belong.
func (w *Work) sort(all []Entry, o Context) {
	var others []Entry
	for _, e := range all {
		e.Namespace = e.Kind.Namespace()
		w.Counts[cmp.Or(e.Namespace, string(e.Kind))]++
		if e.Kind == header.Blocker && e.Status != vault.StatusClosed {
			w.Blockers = append(w.Blockers, e)
		} else {
			others = append(others, e)
		}
	}
	w.Open = len(w.Blockers)
	if o.Recent > 0 {
		w.Skipped = max(len(others)-o.Recent, 0)
		others = others[w.Skipped:]
	}
	if o.Rows > 0 {
		blockers := max(len(w.Blockers)-o.Rows, 0)
		w.Blockers = w.Blockers[blockers:]
		older := min(max(len(others)+len(w.Blockers)-o.Rows, 0), len(others))
		w.Cut, others = blockers+older, others[older:]
	}
	groups := make(map[header.Kind][]Entry)
	for _, e := range others {
		groups[e.Kind] = append(groups[e.Kind], e)
	}
	for k, entries := range groups {
		w.Groups = append(w.Groups, Group{k, k.Namespace(), entries})
	}
	slices.SortFunc(w.Groups, func(a, b Group) int {
		return cmp.Or(a.Kind.Rank()-b.Kind.Rank(), strings.Compare(string(a.Kind), string(b.Kind)))
	})
}

// readFiles reads the files: first those of the blockers, then of the other entries, the newest
// of each kind first, while the budget lasts. Texts that take more than a quarter of it come
// after all others.
func (w *Work) readFiles(ctx context.Context, read func(*Entry) ([]byte, error), budget int) error {
	left := cmp.Or(budget, math.MaxInt)
	short := left / 4
	var all []*Entry
	for i := range w.Blockers {
		all = append(all, &w.Blockers[i])
	}
	for _, g := range w.Groups {
		for i := range slices.Backward(g.Entries) {
			all = append(all, &g.Entries[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *Entry) int { return max(a.Tokens-short, 0) - max(b.Tokens-short, 0) })
	for _, e := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.Tokens += vault.Tokens(e.Title)
		if e.Tokens > left {
			w.leaveOut(e)
			continue
		}
		doc, err := read(e)
		if err != nil {
			w.leaveOut(e) // it went while we read
			continue
		}
		m := vault.ParseText(e.Path, doc)
		e.Content, e.Phase = &m.Prose, m.Phase
		left, w.Tokens = left-e.Tokens, w.Tokens+e.Tokens
	}
	return nil
}

// leaveOut counts a text that is not given.
func (w *Work) leaveOut(e *Entry) { w.LeftOut, w.Lacking = w.LeftOut+1, w.Lacking+e.Tokens }

// Tally counts what the vault holds.
type Tally struct {
	Memories   int            `json:"memories"`            // entries included, denied ones left out
	Entries    map[string]int `json:"entries"`             // of the journal and those with a place in the tree, by namespace
	Unresolved int            `json:"unresolved_blockers"` // open blockers
	Waiting    int            `json:"to_review"`           // entries that wait for a person's decision
}

// Add adds the counts of another vault.
func (t *Tally) Add(of Tally) {
	if t.Entries == nil {
		t.Entries = make(map[string]int)
	}
	for space, n := range of.Entries {
		t.Entries[space] += n
	}
	t.Memories, t.Unresolved, t.Waiting = t.Memories+of.Memories, t.Unresolved+of.Unresolved, t.Waiting+of.Waiting
}

// SummaryLine tells the tally in one line; empty where there is nothing to tell of.
//
//	23 memories (12 decisions, 5 learnings), 2 unresolved blockers, 4 to review
func (t Tally) SummaryLine() string {
	if t.Memories == 0 {
		return ""
	}
	var kinds []string
	seen := make(map[string]bool)
	for _, k := range header.Kinds() {
		space := k.Namespace()
		if n := t.Entries[space]; n > 0 && !seen[space] {
			kinds = append(kinds, vault.Plural(n, string(k), space))
			seen[space] = true
		}
	}
	line := vault.Plural(t.Memories, "memory", "memories")
	if len(kinds) > 0 {
		line += " (" + strings.Join(kinds, ", ") + ")"
	}
	if t.Unresolved > 0 {
		line += ", " + vault.Plural(t.Unresolved, "unresolved blocker", "unresolved blockers")
	}
	if t.Waiting > 0 {
		line += ", " + vault.Plural(t.Waiting, "to review", "to review")
	}
	return line
}
