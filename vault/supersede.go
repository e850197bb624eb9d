package vault

import (
	"context"
	"slices"
)

// Supersede says that one memory has taken the place of another.
type Supersede struct {
	Old, New string
}

// Superseded is the outcome of Supersede.
type Superseded struct {
	Old       ID       `json:"old"`
	OldTitle  string   `json:"old_title"`
	New       ID       `json:"new"`
	NewTitle  string   `json:"new_title"`
	Unchanged bool     `json:"unchanged,omitempty"` // it was said before
	Warnings  []string `json:"-"`
}

// Supersede writes into both files, in one commit, that the new memory has taken
// the old one's place. The old one stays where it is and readable; it is found
// below the new one and marked. What would make a circle is refused.
func (v *Vault) Supersede(ctx context.Context, o Supersede) (Superseded, error) {
	var out Superseded
	r, err := v.Update(ctx, "supersede", Scope{}, func(ctx context.Context, t Tree) (*Change, error) {
		before, err := v.pinMemory(ctx, t, o.Old)
		if err != nil {
			return nil, err
		}
		after, err := v.pinMemory(ctx, t, o.New)
		if err != nil {
			return nil, err
		}
		out = Superseded{Old: before.ID, OldTitle: before.Title, New: after.ID, NewTitle: after.Title}
		return v.planSupersede(ctx, t, before, after, &out)
	})
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, err
}

func (v *Vault) planSupersede(ctx context.Context, t Tree, before, after *pinned, out *Superseded) (*Change, error) {
	if before.ID == after.ID {
		return nil, Errorf(CodeInvalid, "name the memory that has taken its place", "a memory cannot supersede itself")
	}
	if circle, err := v.supersedes(ctx, t, before.ID, after); err != nil || circle {
		return nil, firstError(err, Errorf(CodeInvalid, "take `superseded_by` out of "+string(after.Path)+" first",
			"%s was superseded by %s; they cannot supersede each other", after.ID, before.ID))
	}
	if err := firstError(before.editable(), after.editable()); err != nil {
		return nil, err
	}
	change := &Change{Verb: "supersede", ID: before.ID, Title: before.Title}
	said := slices.Contains(before.mem.SupersededBy, after.ID) && slices.Contains(after.mem.Supersedes, before.ID)
	if out.Unchanged = said; said {
		return change, nil
	}
	old, err := v.adopt(ctx, t, before)
	if err != nil {
		return nil, err
	}
	young, err := v.adopt(ctx, t, after)
	if err != nil {
		return nil, err
	}
	out.Old, out.New, change.ID = before.ID, after.ID, before.ID
	old = append(old, Step{Op: OpAddToList, Key: "superseded_by", List: []string{string(after.ID)}})
	young = append(young, Step{Op: OpAddToList, Key: "supersedes", List: []string{string(before.ID)}})
	change.Edits = []Edit{{Path: before.Path, Steps: old, Adopt: true}, {Path: after.Path, Steps: young, Adopt: true}}
	return change, nil
}

// superseded is what has taken the memory's place, as its own file or, where the
// mirror knows it, its successor's says.
func (p *pinned) superseded() ID {
	if len(p.mem.SupersededBy) > 0 {
		return p.mem.SupersededBy[0]
	}
	return p.Superseded
}

// supersedes reports whether p was superseded, in however many steps, by the
// memory id.
func (v *Vault) supersedes(ctx context.Context, t Tree, id ID, p *pinned) (bool, error) {
	seen := map[ID]bool{}
	next := append(slices.Clone(p.mem.SupersededBy), p.Superseded)
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		if at == id {
			return true, nil
		}
		if at == "" || seen[at] {
			continue
		}
		seen[at] = true
		q, err := v.pin(ctx, t, string(at))
		switch {
		case CodeOf(err) == CodeNotFound || CodeOf(err) == CodeAmbiguous: // deleted since
		case err != nil:
			return false, err
		default:
			next = append(append(next, q.mem.SupersededBy...), q.Superseded)
		}
	}
	return false, nil
}
