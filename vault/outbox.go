package vault

import (
	"context"
	"encoding/json"
)

// Delivered is a memory that waited in the outbox.
type Delivered struct {
	ID       ID     `json:"id"`
	Title    string `json:"title"`
	ParentID ID     `json:"parent_id,omitempty"`
	Summary  string `json:"summary,omitempty"`
	Path     Path   `json:"path,omitempty"`
	Warned
}

// queue keeps a verb in the outbox: its name and its options. What a verb draws by
// itself, as a new memory's id, has to be in the options already.
func (v *Vault) queue(ctx context.Context, name string, verb any) error {
	options, err := json.Marshal(verb)
	if err != nil {
		return err
	}
	return v.Store.Queue(ctx, Queued{Verb: name, Options: options, Agent: v.Agent})
}

// Deliver writes the verbs that wait in the outbox, the oldest first, and returns what it
// wrote. While the repository is busy it does nothing. A verb that this cp does not know,
// and what cannot be read, stays in the outbox, and the error says so: knowledge is never
// dropped.
func (v *Vault) Deliver(ctx context.Context) ([]Delivered, error) {
	waiting, damaged := v.Store.Waiting(ctx)
	if len(waiting) == 0 {
		return nil, damaged
	}
	if head, err := v.Store.Head(ctx); err != nil || head.Busy != "" {
		return nil, err
	}
	var out []Delivered
	for range waiting {
		switch added, err := v.deliver(ctx); {
		case CodeOf(err) == CodeBusy || CodeOf(err) == CodeQueued: // it goes on waiting
			return out, nil
		case err != nil || added == nil:
			return out, err
		case added.ID != "":
			out = append(out, *added)
		}
	}
	return out, damaged
}

// waits returns the error for a memory that the outbox is to make; nil for any other
// reference. What is queued below it is made after it.
func (v *Vault) waits(ctx context.Context, ref string) error {
	waiting, _ := v.Store.Waiting(ctx)
	for _, q := range waiting {
		if ref != "" && q.id() == ID(ref) {
			return Errorf(CodeBusy, "`cp memory show "+ref+"` shows it; the next command that finds the repository free commits it",
				"memory %s waits to be committed, and has no file before that", ref)
		}
	}
	return nil
}

// deliver makes the next write that waits: nil where another command was faster, empty where it comes to nothing.
func (v *Vault) deliver(ctx context.Context) (*Delivered, error) {
	out, r, err := Do(ctx, v, delivery{}, Options{})
	if err != nil || out == nil {
		return nil, err
	}
	if r.Commit == "" {
		return new(Delivered), nil
	}
	out.Warn(r.Notes...)
	return out, nil
}

// delivery makes the write that has waited longest. Which one that is is asked
// under the lock, so that no two commands make the same.
type delivery struct{}

// Name is shown as what the lock's holder does. The commit carries the name of the verb
// that waited.
func (delivery) Name() string { return "deliver" }

// Plan plans the write as it was queued; nil where none waits.
func (delivery) Plan(ctx context.Context, tx *Tx) (*Delivered, error) {
	q, err := askVault(ctx, tx, "next", tx.v.Store.Next)
	if err != nil || q == nil {
		return nil, err
	}
	tx.about.Queued, tx.about.Verb = q, q.Verb
	tx.AllowSecret() // it was looked at, and let pass, before it was queued
	out, err := q.plan(ctx, tx)
	return &out, err
}

// id returns the id of the memory that the write is to make.
func (q *Queued) id() ID {
	var o struct{ ID ID }
	_ = json.Unmarshal(q.Options, &o)
	return o.ID
}

// plan plans a write as it was queued, as that of who queued it.
func (q *Queued) plan(ctx context.Context, tx *Tx) (Delivered, error) {
	verb, known := tx.v.Deliverable[q.Verb]
	if !known {
		return Delivered{}, Errorf(CodeDamaged, "run the newer cp that queued it", "a queued write has a verb that this cp does not know: %s", Clip(q.Verb, 40))
	}
	o := verb()
	if err := json.Unmarshal(q.Options, o); err != nil {
		return Delivered{}, Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write cannot be read: %w", err)
	}
	tx.about.Agent = q.Agent
	return o.Plan(ctx, tx)
}
