package ask

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/past"
)

// ListChanges tells which of the family's memories are not what they were. A commit is one of the
// current vault's; a vault that lacks it is compared with how it was at that time.
func (f *Family) ListChanges(ctx context.Context, o past.Changes, filter app.Filter) (past.Changed, error) {
	own := f.Members[0]
	lists, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) (out past.Changed, err error) {
		asked := o
		if a.Session != own.Session {
			if asked.Since, err = own.History().Elsewhere(ctx, o.Since, a.History()); err != nil {
				return out, err
			}
		}
		chosen, err := a.Selection(ctx, filter)
		if err != nil {
			return out, err
		}
		out, err = a.History().Changes(ctx, asked)
		out.Rows = slices.DeleteFunc(out.Rows, func(r past.ChangeRow) bool {
			return !a.Share.Has(string(r.Path)) || chosen != nil && !chosen[r.Path]
		})
		for i := range out.Rows {
			out.Rows[i].Origin = a.Origin(out.Rows[i].Path)
		}
		out.Projects = []past.ChangedIn{{Origin: a.Held[0].Origin(), Since: out.Since, Head: out.Head}}
		return out, err
	})
	if err != nil {
		return past.Changed{}, err
	}
	out := lists[0]
	seen := f.Twins()
	for _, l := range lists[1:] {
		out.Projects = append(out.Projects, l.Projects...)
	}
	if len(lists) == 1 {
		out.Projects = nil
		return out, nil
	}
	out.Rows = []past.ChangeRow{}
	for _, l := range lists {
		for _, r := range l.Rows {
			if r.Change == past.ChangeDeleted || !seen.Again(r.ID, r.Origin, r.Path) {
				out.Rows = append(out.Rows, r)
			}
		}
	}
	past.SortChanges(out.Rows)
	return out, nil
}
