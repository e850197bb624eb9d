package bindings

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/journal"
)

// sight is the code of a memory as it is at a moment.
type sight struct {
	rows    []about.Row
	judge   *about.Judge
	state   *vault.CodeState
	confirm about.Change
	refused error // why it cannot be confirmed
}

// look looks at the code of a memory.
func (r Room) look(ctx context.Context, id vault.ID) (s sight, err error) {
	if s.rows, err = r.Bindings.OfMemories(ctx, []vault.ID{id}); err != nil {
		return s, err
	}
	if s.judge, err = r.Judge(); err != nil {
		return s, err
	}
	states, err := s.judge.StatesOf(ctx, s.rows)
	if err != nil {
		return s, err
	}
	s.state = states[id]
	s.confirm, s.refused = r.confirmation(ctx, string(id), nil)
	return s, context.Cause(ctx)
}

// hash names what was seen: how the bindings stand, and what a confirmation would stamp. A commit
// of the same code and a later time change nothing.
func (s *sight) hash() string {
	sum := sha256.New()
	_ = json.NewEncoder(sum).Encode(s.state)
	for _, line := range s.confirm.AboutAt {
		stamp, _ := about.ParseStamp(line)
		_ = json.NewEncoder(sum).Encode([]string{stamp.Binding, cmp.Or(stamp.Text, stamp.Blob)})
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Show returns what a person is shown of the code under a memory.
func (r Room) Show(ctx context.Context, id vault.ID) (journal.SeenCode, error) {
	s, err := r.look(ctx, id)
	if err != nil {
		return journal.SeenCode{}, err
	}
	out := journal.SeenCode{Diff: diffUnder(ctx, s.judge, s.rows, id), CodeHash: s.hash()}
	if s.refused != nil {
		out.Unconfirmable = s.refused.Error()
	}
	return out, nil
}

// ConfirmSeen returns the change that confirms a memory whose code is as it was seen.
func (r Room) ConfirmSeen(ctx context.Context, id vault.ID, hash string) (about.Change, error) {
	s, err := r.lookAgain(ctx, id, hash)
	return s.confirm, cmp.Or(err, s.refused)
}

// UnbindSeen returns the change that takes off a memory what [ToUnbind] names, where the code is as
// it was seen.
func (r Room) UnbindSeen(ctx context.Context, id vault.ID, hash string) (c about.Change, err error) {
	s, err := r.lookAgain(ctx, id, hash)
	if err != nil {
		return c, err
	}
	c.RemoveAbout = ToUnbind(s.state)
	return c, nil
}

// ToUnbind returns the bindings of a loud memory whose code is gone, or where none is, those whose
// code has changed: these can be confirmed once the others are off.
func ToUnbind(c *vault.CodeState) (all []string) {
	if !c.IsLoud() {
		return nil
	}
	state := vault.CodeChanged
	if slices.ContainsFunc(c.Bindings, func(b vault.BindingState) bool { return b.State == vault.CodeGone }) {
		state = vault.CodeGone
	}
	for _, b := range c.Bindings {
		if b.State == state {
			all = append(all, b.At)
		}
	}
	return all
}

// lookAgain looks at code that has to be loud, and as it was seen; an empty hash does not check that.
func (r Room) lookAgain(ctx context.Context, id vault.ID, hash string) (sight, error) {
	s, err := r.look(ctx, id)
	switch {
	case err != nil:
		return s, err
	case !s.state.IsLoud():
		return s, vault.Errorf(vault.CodeConflict, "look at it again", "the code of %s is as the memory knows it", id)
	case hash != "" && hash != s.hash():
		return s, vault.Errorf(vault.CodeConflict, "look at it again and decide then", "the code of %s was changed meanwhile", id)
	}
	return s, nil
}
