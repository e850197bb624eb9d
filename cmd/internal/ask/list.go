package ask

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// List returns a page of the family's memories, the newest first. Each vault keeps its own
// order; between vaults the day decides, and of one day the order of the projects.
func (f *Family) List(ctx context.Context, filter app.Filter) (p app.Page, err error) {
	asked, err := FilterMembers(ctx, f.Members, filter)
	if err != nil {
		return p, err
	}
	pages, err := Each(ctx, f, asked, func(ctx context.Context, a Asked) (tree.Page, error) {
		o := a.Options
		if len(asked) > 1 {
			o.Offset, o.Limit = 0, filter.Offset+filter.Limit
		}
		page, err := tree.List(ctx, a.Vault, o)
		f.fillOrigins(a.Member, page.Rows)
		return page, err
	})
	if err != nil {
		return p, err
	}
	p = app.Page{Page: f.joinPages(pages, len(asked), filter), Offset: filter.Offset}
	f.fillFacts(ctx, filter, p.Rows)
	if len(asked) == 1 && p.Total == 0 {
		p.Hint, err = recall.FindUnknownLabel(ctx, labels(asked), filter.Labels)
	}
	return p, err
}

// joinPages makes one page of those of the members that were asked. That of one is it as it stands.
func (f *Family) joinPages(pages []tree.Page, asked int, filter app.Filter) (p tree.Page) {
	if asked == 1 && len(pages) == 1 {
		return pages[0]
	}
	p.Rows = []tree.ListRow{}
	for _, page := range pages {
		p.Total += page.Total
	}
	merged, twins := f.mergePages(pages, filter.Offset+filter.Limit)
	p.Total -= twins
	p.Rows = append(p.Rows, merged[min(filter.Offset, len(merged)):]...)
	return p
}

// fillFacts writes into rows what the memories speak of, if the filter asks for it. Facts that
// cannot be read are none: sync and doctor name them.
func (f *Family) fillFacts(ctx context.Context, filter app.Filter, rows []tree.ListRow) {
	if !filter.Facts {
		return
	}
	for i := range rows {
		r := &rows[i]
		if m, ok := f.Holder(r.Origin, r.Path); ok && !r.New {
			r.Facts, _ = graph.ToldFacts(ctx, m.Vault, r.ID)
		}
	}
}

// fillOrigins writes into rows from which project they are.
func (f *Family) fillOrigins(m Member, rows []tree.ListRow) {
	for i := range rows {
		rows[i].Origin = m.Origin(rows[i].Path)
	}
}

// mergePages takes the newest rows of pages that are in order, at most so many. It leaves out
// what a clone has as well, and says how many these were.
func (f *Family) mergePages(pages []tree.Page, most int) (out []tree.ListRow, twins int) {
	at := make([]int, len(pages))
	seen := f.Twins()
	for len(out) < most {
		best := -1
		for i, p := range pages {
			if at[i] < len(p.Rows) && (best < 0 || newer(p.Rows[at[i]], pages[best].Rows[at[best]])) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		row := pages[best].Rows[at[best]]
		at[best]++
		if !row.New && seen.Again(row.ID, row.Origin, row.Path) {
			twins++
			continue
		}
		out = append(out, row)
	}
	return out, twins
}

// newer reports whether a row comes before another vault's: it is in no commit yet, or was
// made on a later day.
func newer(a, b tree.ListRow) bool {
	if a.IsUncommitted() != b.IsUncommitted() {
		return a.IsUncommitted()
	}
	return a.Created.After(b.Created)
}

// Hot returns the family's memories that are read more often than their parents, the most
// read first.
func (f *Family) Hot(ctx context.Context, minDepth, limit int) ([]tree.HotRow, error) {
	lists, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) ([]tree.HotRow, error) {
		rows, err := tree.Hot(ctx, a.Vault, minDepth, limit)
		for i := range rows {
			rows[i].Origin = a.Origin(rows[i].Path)
		}
		return slices.DeleteFunc(rows, func(r tree.HotRow) bool { return !a.Share.Has(string(r.Path)) }), err
	})
	rows := slices.Concat(lists...)
	slices.SortStableFunc(rows, func(a, b tree.HotRow) int { return b.AccessCount - a.AccessCount })
	if rows == nil {
		rows = []tree.HotRow{}
	}
	return rows[:min(limit, len(rows))], err
}

// AllMembers are all members, for a question without filters.
func (f *Family) AllMembers() (all []Asked) {
	for _, m := range f.Members {
		all = append(all, Asked{Member: m})
	}
	return all
}

// Below is a project under the current one, as overviews tell of it.
type Below struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Memories int    `json:"memories"`
}

// ProjectsBelow returns the projects that answer beside the current one, each with its own memories.
func (f *Family) ProjectsBelow(ctx context.Context) (all []Below, err error) {
	if !f.Several() {
		return nil, nil
	}
	lists, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) ([]int, error) { return a.CountMemories(ctx) })
	if err != nil || len(lists) != len(f.Members) {
		return nil, err
	}
	for _, p := range f.Projects {
		for i, m := range f.Members {
			for j, h := range m.Held {
				if h.Vault == p.Vault && h.Part == p.Part && !(h.Vault == f.Of.Vault && h.Part == f.Of.Part) {
					all = append(all, Below{p.Name, p.Path, lists[i][j]})
				}
			}
		}
	}
	return all, nil
}

func (f *Family) warn(p family.Project, err error) {
	f.Warnings = append(f.Warnings, registry.Unavailable(p, err))
}

// View is the tree of a member.
type View struct {
	tree.Outlined
	Of family.Project
}

// Trees returns the tree of the current project, or what lies below the memory or in the
// folder that ref names; without one those of the other vaults follow.
func (f *Family) Trees(ctx context.Context, ref string, q tree.Outline) ([]View, error) {
	members := f.AllMembers()
	if ref == "" && !f.Of.IsVault() {
		ref = f.Of.Part
	}
	if ref != "" {
		members = members[:1]
	}
	return Each(ctx, f, members, func(ctx context.Context, a Asked) (View, error) {
		v, err := a.Tree(ctx, ref, q)
		if f.Several() {
			for _, n := range v.Roots {
				n.Origin = a.Held[0].Origin()
			}
		}
		return View{v, a.Held[0]}, err
	})
}
