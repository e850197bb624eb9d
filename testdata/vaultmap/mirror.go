package vaultmap

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/naming"
	"github.com/cp-memory/cp/vault/tree"
)

// mirror is what an index would say of the files as they were at the last catch-up.
type mirror struct {
	w          *World
	generation int64
	disk, head Files // at the last catch-up
	texts      map[vault.Path]*vault.Memory
	nodes      map[vault.Path]*vault.Node
	order      []vault.Path
}

// CatchUp makes the rows anew where anything in scope has changed.
func (m *mirror) CatchUp(_ context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	if m.w.Fails != nil {
		return vault.Report{}, m.w.Fails
	}
	disk := m.w.seen()
	r := vault.Report{Complete: !m.w.Partly, Files: len(disk), Moved: !scope.None && !maps.Equal(m.head, m.w.Head())}
	for _, p := range differing(m.disk, disk) {
		text, there := disk[p]
		switch {
		case scope.None || !within(scope, p):
			continue
		case there:
			m.disk[p] = text
		default:
			delete(m.disk, p)
		}
		r.Changed++
	}
	for _, p := range scope.Paths { // a source may show what is on no disk
		if text, _, err := src.Read(p); err == nil && m.disk[p] != string(text) {
			m.disk[p] = string(text)
			r.Changed++
		}
	}
	if r.Differs() {
		m.rows()
	}
	r.Generation, _ = m.Generation(context.Background())
	return r, nil
}

// saying returns the rows of the memories with a doc hash.
func (m *mirror) saying(_ context.Context, hash string) (all []vault.Node, err error) {
	for _, p := range m.order {
		if tree.HashOf(m.texts[p]) == hash {
			all = append(all, *m.nodes[p])
		}
	}
	return all, nil
}

// Generation tells the state of the rows.
func (m *mirror) Generation(context.Context) (vault.Generation, error) {
	return vault.Generation{Epoch: 1, Number: m.generation}, nil
}

// ApplyReceipt brings the rows up to date after a commit.
func (m *mirror) ApplyReceipt(context.Context, vault.Source, vault.Receipt) error {
	m.fill()
	return nil
}

// within reports whether a catch-up looks at a file.
func within(s vault.Scope, p vault.Path) bool {
	return p.Within(s.Dir) && (len(s.Paths) == 0 || slices.ContainsFunc(s.Paths, p.Within))
}

// Find resolves a reference.
func (m *mirror) Find(ctx context.Context, ref string) (vault.Node, error) {
	return naming.FindTyped(ctx, m, ref, "")
}

// those returns the rows that are asked for, at most limit of them.
func (m *mirror) those(limit int, asked func(vault.Path, *vault.Node) bool) (all []vault.Node) {
	for _, p := range m.order {
		if n := m.nodes[p]; asked(p, n) && len(all) < limit {
			all = append(all, *n)
		}
	}
	return all
}

// ByID, ByPath, ByPrefix, ByName and ByLink are [naming.Names].
func (m *mirror) ByID(_ context.Context, id vault.ID) ([]vault.Node, error) {
	return m.those(1, func(_ vault.Path, n *vault.Node) bool { return n.ID.Fold() == id.Fold() }), nil
}

func (m *mirror) ByPath(_ context.Context, paths ...vault.Path) ([]vault.Node, error) {
	for _, p := range paths {
		if n := m.nodes[p]; n != nil {
			return []vault.Node{*n}, nil
		}
	}
	return nil, nil
}

func (m *mirror) ByPrefix(_ context.Context, beginning string, limit int) ([]vault.Node, error) {
	all := m.those(len(m.order), func(_ vault.Path, n *vault.Node) bool {
		return strings.HasPrefix(n.ID.Fold(), vault.ID(beginning).Fold())
	})
	slices.SortFunc(all, func(a, b vault.Node) int { return strings.Compare(a.ID.Fold(), b.ID.Fold()) })
	return all[:min(len(all), limit)], nil
}

func (m *mirror) ByName(_ context.Context, name string, limit int) ([]vault.Node, error) {
	name = vault.ID(name).Fold()
	return m.those(limit, func(p vault.Path, n *vault.Node) bool {
		return slices.ContainsFunc(append([]string{n.Title}, m.texts[p].Aliases...), func(s string) bool { return vault.ID(s).Fold() == name })
	}), nil
}

func (m *mirror) ByLink(_ context.Context, target string, limit int) ([]vault.Node, error) {
	end := vault.ID("/" + vault.Path(target).Stem()).Fold()
	return m.those(limit, func(p vault.Path, _ *vault.Node) bool { return strings.HasSuffix(vault.ID("/"+p.Stem()).Fold(), end) }), nil
}

// At returns the memory whose file is p.
func (m *mirror) At(_ context.Context, p vault.Path) (vault.Node, bool, error) {
	if n := m.nodes[p]; n != nil {
		return *n, true, nil
	}
	return vault.Node{}, false, nil
}

// Owner returns the memory whose children live in dir.
func (m *mirror) Owner(ctx context.Context, dir vault.Path) (vault.Node, bool, error) {
	seats := make(tree.FolderNotes)
	for p, t := range m.texts {
		if t.IsMemory() {
			seats.Add(p)
		}
	}
	for ; dir != ""; dir = dir.Dir() {
		if p, ok := seats[dir]; ok {
			return m.At(ctx, p)
		}
	}
	return vault.Node{}, false, nil
}

// Children returns the direct children in display order.
func (m *mirror) Children(_ context.Context, id vault.ID) ([]vault.Node, error) {
	var all []vault.Node
	for _, n := range m.below(id) {
		all = append(all, *n)
	}
	return all, nil
}

// below returns the memories directly below an id, the roots below the empty one.
func (m *mirror) below(id vault.ID) []*vault.Node {
	var all []*vault.Node
	for _, p := range m.order {
		if n := m.nodes[p]; n.Parent == id && n.IsMemory() {
			all = append(all, n)
		}
	}
	rank := func(n *vault.Node) int {
		if up := m.up(n); up != nil {
			if i := m.position(up, n); i >= 0 {
				return i
			}
		}
		return vault.MaxPointers
	}
	slices.SortStableFunc(all, func(a, b *vault.Node) int {
		late := func(n *vault.Node) int64 {
			if n.Created.IsZero() {
				return 1 << 62
			}
			return n.Created.Unix()
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(late(a), late(b)))
	})
	return all
}

// Ancestry returns the way from the root to the memory itself.
func (m *mirror) Ancestry(_ context.Context, id vault.ID) ([]vault.Node, error) {
	var way []vault.Node
	for n := m.byID(id); n != nil; n = m.up(n) {
		way = append([]vault.Node{*n}, way...)
	}
	if way == nil {
		return nil, vault.NotFound(string(id))
	}
	return way, nil
}

// Walk returns the subtree in display order, depth first. A closed memory is left
// out unless it has open descendants.
func (m *mirror) Walk(_ context.Context, o vault.WalkOptions) (all []vault.Node, err error) {
	depth := min(cmp.Or(o.MaxDepth, vault.TreeCap), vault.TreeCap)
	if o.Root != "" {
		root := m.byID(o.Root)
		if root == nil {
			return nil, vault.NotFound(string(o.Root))
		}
		all, depth = append(all, *root), depth+root.Depth
	}
	var walk func(id vault.ID)
	walk = func(id vault.ID) {
		for _, n := range m.below(id) {
			at := len(all)
			if n.Depth > depth {
				continue
			}
			all = append(all, *n)
			walk(n.ID)
			if n.Status == vault.StatusClosed && !o.Closed && len(all) == at+1 {
				all = all[:at]
			}
		}
	}
	walk(o.Root)
	if o.Each != nil {
		slices.SortFunc(all, func(a, b vault.Node) int { return cmp.Compare(a.Path, b.Path) })
		for _, n := range all {
			o.Each(n)
		}
		return nil, nil
	}
	return slices.DeleteFunc(all, func(n vault.Node) bool { return !n.Path.Within(o.Dir) }), nil
}

// Linking returns all files: more than the index would, and never less. It knows no shifts of
// folders, but by the files in them.
func (m *mirror) Linking(_ context.Context, shifts []vault.Shift) (vault.Linking, error) {
	names := query.ShiftNames(m.shifted(shifts))
	rows := make(map[int64][]query.Offer)
	for p, n := range m.nodes {
		for _, name := range query.NamesOf(p, n.ID, n.Title) {
			rows[name.Key] = append(rows[name.Key], query.Offer{Path: p, Rank: name.Rank})
		}
	}
	leads := func(_ context.Context, asked []string) (all []vault.Lead, err error) {
		for _, name := range asked {
			key := query.HashName(query.LinkName("", vault.Reference{Kind: "wikilink", Target: name}))
			all = append(all, names.Lead(key, rows[key]))
		}
		return all, nil
	}
	return vault.Linking{Files: slices.Clone(m.order), Leads: leads}, nil
}

// shifted returns the shifts of single files, with ids and titles.
func (m *mirror) shifted(shifts []vault.Shift) (all []vault.Shift) {
	for _, s := range shifts {
		for p, n := range m.nodes {
			if single := p == s.Row && !s.Tree; single || s.Tree && p.Within(s.Row) && !slices.ContainsFunc(shifts, func(o vault.Shift) bool { return o.Row == p }) {
				all = append(all, vault.Shift{Row: p, Was: s.Was + p[len(s.Row):], Is: s.Is + p[len(s.Row):], ID: n.ID, Title: n.Title})
			}
		}
		if s.Row == "" {
			all = append(all, s)
		}
	}
	return all
}

// Problems returns what is wrong with single files.
func (m *mirror) Problems(context.Context) (all []vault.Problem, err error) {
	for _, p := range m.order {
		all = append(all, m.texts[p].Problems...)
		if id := m.texts[p].ID; id != "" && id != m.nodes[p].ID {
			all = append(all, vault.Problem{Path: p, Kind: vault.ProblemDuplicateID, Msg: "the id " + string(id) + " belongs to " + string(m.byID(id).Path)})
		}
	}
	return all, nil
}

// Parents calls fn for every memory with children or a block, or for the one named.
func (m *mirror) Parents(ctx context.Context, only vault.ID, fn func(vault.Family) error) error {
	for _, p := range m.order {
		n, t := m.nodes[p], m.texts[p]
		f := vault.Family{Parent: *n, Problems: t.Problems}
		for _, e := range t.IndexedPointers() {
			e.Extra = nil
			f.Entries = append(f.Entries, e)
		}
		f.Children, _ = m.Children(ctx, n.ID)
		if !n.IsMemory() || only != "" && n.ID != only || !n.HasBlock && len(f.Children) == 0 {
			continue
		}
		if err := fn(f); err != nil {
			return err
		}
	}
	return nil
}

// Drift lists the files on which disk and HEAD disagree.
func (m *mirror) Drift(context.Context) (all []vault.Drift, err error) {
	for _, p := range differing(m.disk, m.head) {
		if !p.IsMarkdown() {
			continue
		}
		d := vault.Drift{Path: p}
		if n := m.nodes[p]; n != nil {
			d.Hash, d.ID = n.Hash, m.texts[p].ID
		}
		if text, ok := m.head[p]; ok {
			d.Head = blob(text)
		}
		all = append(all, d)
	}
	return all, nil
}
