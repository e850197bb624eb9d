package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// OpenHandoff is a hand-over that nobody has taken up.
type OpenHandoff struct {
	ID       vault.ID   `json:"id"`
	Title    string     `json:"title"`
	Path     vault.Path `json:"path"`
	Created  time.Time  `json:"created"`
	Creator  string     `json:"creator,omitempty"`
	Branch   string     `json:"branch,omitempty"`
	WorkTree string     `json:"work_tree,omitempty"`
	header.Anchor
	To   string `json:"to,omitempty"`
	Here bool   `json:"here,omitempty"` // it is for who works where was asked, see IsFor
	Text string `json:"text,omitempty"`

	Sessions []string `json:"-"` // that wrote it, where that is known
}

// maxOpen bounds the open hand-overs that are looked at, the newest first: an abandoned one may
// stay for ever.
const maxOpen = 1000

// ListOpenHandoffs returns the open hand-overs, the newest first, without their texts. Of those
// that two clones left in one checkout the newest one is open.
func ListOpenHandoffs(ctx context.Context, t vault.Tree) (all []OpenHandoff, err error) {
	nodes, err := openNodes(ctx, t)
	slices.SortFunc(nodes, func(a, b vault.Node) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID)) })
	seen := map[[2]string]bool{}
	for i := range nodes {
		o := openHandoffOf(&nodes[i])
		place := [2]string{o.Branch, o.WorkTree}
		if nodes[i].Superseded != "" || tier.IsDenied(&nodes[i].Header) || o.WorkTree != "" && seen[place] {
			continue
		}
		seen[place] = true
		all = append(all, o)
	}
	return all, err
}

// openNodes returns the first of the open hand-overs, as the mirror has them.
func openNodes(ctx context.Context, t vault.Tree) ([]vault.Node, error) {
	nodes, _, err := t.List(ctx, vault.ListOptions{Types: []string{string(header.Handoff)},
		Status: []string{vault.StatusOpen, vault.StatusInProgress, vault.StatusDeferred}, Limit: maxOpen})
	return nodes, err
}

// openHandoffOf returns what a node says of a hand-over.
func openHandoffOf(n *vault.Node) OpenHandoff {
	o := OpenHandoff{ID: n.ID, Title: n.Title, Path: n.Path, Created: n.Created, Creator: n.Creator, Anchor: n.Anchor}
	c, to := checkoutOf(&n.Header)
	o.Branch, o.WorkTree, o.To = c.Branch, c.WorkTree, to
	return o
}

// checkoutOf returns where a hand-over was written, and the agent that it is for. What a person has
// made of the metadata by hand is as good as nothing.
func checkoutOf(h *vault.Header) (c Checkout, to string) {
	var said map[string]any
	_ = json.Unmarshal([]byte(h.Metadata), &said)
	text := func(key string) string {
		s, _ := said[key].(string)
		return s
	}
	return Checkout{Branch: text("branch"), WorkTree: text("work_tree"), Anchor: h.Anchor}, text("to")
}

// Checkout is where it was written.
func (o *OpenHandoff) Checkout() Checkout {
	return Checkout{Branch: o.Branch, WorkTree: o.WorkTree, Anchor: o.Anchor}
}

// IsFor reports whether it was left for who works on that branch in that work tree: there, or while
// the work tree was on no branch, as in the middle of a rebase.
func (o *OpenHandoff) IsFor(c Checkout) bool {
	at := o.Checkout()
	return c.isSame(at) || at.Branch == "" && at.isSame(Checkout{WorkTree: c.WorkTree})
}

// TakeUp closes a hand-over that a session is shown, and with it those that two clones left beside
// it. Of two sessions that begin at one moment one takes it up.
type TakeUp struct {
	ID vault.ID
	By string // "codex", "codex in session s1"
}

// Do closes it in one commit. taken is false where somebody else has closed it, or it is gone.
// Nothing waits in the outbox: what cannot be written now stays open.
func (o TakeUp) Do(ctx context.Context, v *vault.Vault) (taken bool, err error) {
	taken, _, err = vault.Do(ctx, v, o, vault.Options{})
	return taken, err
}

// Name is the verb's.
func (o TakeUp) Name() string { return "take-up" }

// Plan closes what is open.
func (o TakeUp) Plan(ctx context.Context, tx *vault.Tx) (taken bool, err error) {
	d, err := tx.Open(ctx, string(o.ID))
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		return false, nil
	case err != nil:
		return false, err
	case d.Mem.Type != string(header.Handoff) || d.Mem.Status == vault.StatusClosed:
		return false, nil
	}
	c, _ := checkoutOf(&d.Mem.Header)
	all, err := openIn(ctx, tx, c)
	if err != nil {
		return false, err
	}
	older := slices.DeleteFunc(all, func(other *vault.Doc) bool { return other.ID == d.ID || other.Mem.Created.After(d.Mem.Created) })
	if err := supersedeAll(ctx, tx, older, d.ID); err != nil {
		return false, err
	}
	return true, amend(ctx, tx, d, closing(tx, "Taken up by "+o.By)...)
}

// openIn opens the hand-overs that are open in a checkout. One whose header cannot be edited is left
// out: it must not keep others from being written.
func openIn(ctx context.Context, tx *vault.Tx, c Checkout) (docs []*vault.Doc, err error) {
	nodes, err := openNodes(ctx, tx.Tree())
	if err != nil {
		return nil, err
	}
	for i := range nodes {
		if of, _ := checkoutOf(&nodes[i].Header); !c.isSame(of) {
			continue
		}
		d, err := tx.Open(ctx, string(nodes[i].ID))
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
			continue
		case err != nil:
			return nil, err
		}
		if d.Mem.Status != vault.StatusClosed && d.Editable() == nil {
			docs = append(docs, d)
		}
	}
	return docs, nil
}
