package vaultmap

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
)

// lists answers in rows. It counts no readings and ranks nothing; a test that needs such
// an answer gives one.
type lists struct {
	vault.Lists
	m *mirror
}

// List returns a page of files: those in no commit, and then the others by the commits that
// brought them, the newest first.
func (l lists) List(_ context.Context, o vault.ListOptions) (all []vault.Node, n int, err error) {
	for _, p := range l.m.order {
		if n := l.m.nodes[p]; l.kind(n, o) && l.place(n, o) {
			all = append(all, *n)
		}
	}
	slices.SortStableFunc(all, func(a, b vault.Node) int {
		one, two := l.m.w.brought(a.Path), l.m.w.brought(b.Path)
		if one == two && one == len(l.m.w.commits) {
			return l.made(&b).Compare(l.made(&a))
		}
		return cmp.Compare(two, one)
	})
	n = len(all)
	all = all[min(n, o.Offset):]
	return all[:min(len(all), cmp.Or(o.Limit, 20))], n, nil
}

// Roots returns the open memories of the tree without a parent, by path.
func (l lists) Roots(context.Context) (all []vault.Node, err error) {
	for _, p := range l.m.order {
		if n := l.m.nodes[p]; n.Parent == "" && n.InTree() && n.Status != vault.StatusClosed {
			all = append(all, *n)
		}
	}
	return all, nil
}

// kind reports whether a file passes the filters on what it says of itself.
func (l lists) kind(n *vault.Node, o vault.ListOptions) bool {
	in := func(word string, words []string) bool {
		return slices.Contains(words, "*") || slices.Contains(words, word)
	}
	now := o.Now
	if now.IsZero() {
		now = Now
	}
	open := n.Status != vault.StatusClosed && (n.Deferred.IsZero() && n.Status != vault.StatusDeferred || !n.Deferred.IsZero() && !n.Deferred.After(now))
	return (in(n.Type, o.Types) || len(o.Types) == 0 && (n.InTree() || o.Under != "" && n.IsMemory())) &&
		(o.Spec == "" || n.Spec == o.Spec) &&
		(in(n.Status, o.Status) || len(o.Status) == 0 && open) &&
		(len(o.Labels) == 0 || slices.ContainsFunc(n.Labels, func(s string) bool { return slices.Contains(o.Labels, s) })) &&
		!l.made(n).Before(o.Since)
}

// made is when a memory was made: as it says, or when it was brought or written.
func (l lists) made(n *vault.Node) time.Time {
	switch {
	case !n.Created.IsZero():
		return n.Created
	case l.m.w.brought(n.Path) < len(l.m.w.commits):
		return Now
	}
	return time.Unix(0, stat(l.m.w.Disk[n.Path]).MTime).Truncate(time.Second)
}

// brought returns which commit brought the file, after the last one where none did.
func (w *World) brought(p vault.Path) int {
	for i := len(w.commits) - 1; i >= 0; i-- {
		text, ok := w.commits[i].files[p]
		if !ok {
			return len(w.commits)
		}
		if before := w.before(i); before[p] == "" {
			if p = whence(before, w.commits[i].files, text); p == "" {
				return i
			}
		}
	}
	return len(w.commits)
}

// place reports whether a file passes those on where it stands.
func (l lists) place(n *vault.Node, o vault.ListOptions) bool {
	under := o.Under == ""
	for up := l.m.up(n); up != nil; up = l.m.up(up) {
		if under = under || up.ID == o.Under; o.Direct {
			break
		}
	}
	return under && n.Path.Within(o.Dir) && o.Share.Has(string(n.Path)) && (!o.Roots || n.Parent == "")
}

// Counts counts the files.
func (l lists) Counts(ctx context.Context) (c vault.Counts, err error) {
	for _, n := range l.m.nodes {
		c.Total++
		switch n.Status {
		case vault.StatusOpen:
			c.Open++
		case vault.StatusClosed:
			c.Closed++
		default:
			c.Other++
		}
		if n.InTree() {
			c.Memories++
			c.Tokens += n.Tokens
			c.MaxDepth = max(c.MaxDepth, n.Depth)
			if n.Parent == "" {
				c.Roots++
			}
		}
	}
	drift, _ := l.m.Drift(ctx)
	problems, _ := l.m.Problems(ctx)
	c.Uncommitted, c.Problems = len(drift), len(problems)
	return c, nil
}
