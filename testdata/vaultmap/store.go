package vaultmap

import (
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// store is the durable side of a World.
type store struct{ w *World }

// stat is another one for another text.
func stat(text string) vault.Stat {
	h := fnv.New32a()
	h.Write([]byte(text))
	return vault.Stat{Size: int64(len(text)), MTime: int64(h.Sum32()), Inode: 1}
}

// seen returns the files that a scan tells of: those that git ignores are none.
func (w *World) seen() Files {
	seen := maps.Clone(w.Disk)
	for _, p := range w.Ignored {
		if _, held := w.Head()[p]; !held {
			delete(seen, p)
		}
	}
	return seen
}

// Scan calls fn for the files in scope; for facts where it names them.
func (s store) Scan(_ context.Context, scope vault.Scope, fn func(vault.File) error) (bool, error) {
	facts := scope.Dir.Within(vault.FactsDir)
	for _, p := range slices.Sorted(maps.Keys(s.w.seen())) {
		wanted := p.IsMarkdown() && !facts || p.IsFacts() && (facts || len(scope.Paths) > 0)
		if !wanted || !within(scope, p) {
			continue
		}
		if err := fn(vault.File{Path: p, Stat: stat(s.w.Disk[p])}); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (store) Writes() (string, bool)      { return "", false }
func (store) BlobID(b []byte) string      { return blob(string(b)) }
func (store) Remake(context.Context) bool { return false }

// Read returns a file's text.
func (s store) Read(p vault.Path) ([]byte, vault.Stat, error) {
	text, ok := s.w.Disk[p]
	switch {
	case slices.Contains(s.w.Broken, p):
		return nil, vault.Stat{}, unreadable(p)
	case !ok:
		return nil, vault.Stat{}, missing(p)
	}
	return []byte(text), stat(text), nil
}

func unreadable(p vault.Path) error {
	return &vault.Error{Code: vault.CodeIO, Path: string(p), Msg: "cannot be read"}
}

func missing(p vault.Path) error {
	return &vault.Error{Code: vault.CodeNotFound, Path: string(p), Msg: "there is no such file"}
}

// ReadSaved is Read: nobody saves by halves.
func (s store) ReadSaved(_ context.Context, p vault.Path, whole func([]byte) bool) ([]byte, vault.Stat, error) {
	text, st, err := s.Read(p)
	if err == nil {
		whole(text)
	}
	return text, st, err
}

// Head tells where the branch stands.
func (s store) Head(ctx context.Context) (vault.Head, error) {
	tip, err := s.Tip(ctx)
	return vault.Head{Commit: tip, Branch: "refs/heads/main", Busy: s.w.Busy}, err
}

// Tip returns the newest commit.
func (s store) Tip(context.Context) (string, error) {
	if at := s.w.at("HEAD"); at != nil {
		return at.Commit, nil
	}
	return "", nil
}

// Changes calls fn for the Markdown and facts files that differ between two commits.
func (s store) Changes(_ context.Context, from, to string, fn func(vault.Path, string) error) error {
	var was, is Files
	if c := s.w.at(from); c != nil {
		was = c.files
	}
	if c := s.w.at(to); c != nil {
		is = c.files
	}
	for _, p := range differing(was, is) {
		id := ""
		if text, ok := is[p]; ok {
			id = blob(text)
		}
		if err := fn(p, id); (p.IsMarkdown() || p.IsFacts()) && err != nil {
			return err
		}
	}
	return nil
}

// Arrivals tells what each commit brought.
func (s store) Arrivals(_ context.Context, from, to string, fn func(vault.Arrival) bool) (bool, error) {
	for i := len(s.w.commits) - 1; i >= 0 && s.w.commits[i].Commit != from; i-- {
		c, before := s.w.commits[i], s.w.before(i)
		for _, p := range differing(before, c.files) {
			if before[p] != "" || c.files[p] == "" || !p.IsMarkdown() {
				continue
			}
			if !fn(vault.Arrival{Commit: c.Commit, Origin: vault.Origin{Time: c.Time, Author: c.Author}, Path: p, From: whence(before, c.files, c.files[p])}) {
				return true, nil
			}
		}
	}
	return true, nil
}

// differing returns the paths at which two maps differ, in order.
func differing(a, b Files) []vault.Path {
	all := maps.Clone(a)
	if all == nil {
		all = make(Files)
	}
	maps.Copy(all, b)
	maps.DeleteFunc(all, func(p vault.Path, text string) bool {
		was, ok := a[p]
		now, there := b[p]
		return ok == there && was == now
	})
	return slices.Sorted(maps.Keys(all))
}

// List returns the names in a folder.
func (s store) List(_ context.Context, dir vault.Path) ([]string, error) {
	names := make(map[string]bool)
	for p := range s.w.Disk {
		if p != dir && p.Within(dir) {
			name, _, _ := strings.Cut(strings.TrimPrefix(string(p[len(dir):]), "/"), "/")
			names[name] = true
		}
	}
	for _, p := range s.w.Broken {
		if p.Dir() == dir {
			return nil, unreadable(p)
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// ListModified returns the paths whose text, on disk or staged, is not HEAD's.
func (s store) ListModified(_ context.Context, paths ...vault.Path) (disk, staged []vault.Path, err error) {
	for _, p := range paths {
		committed, held := s.w.Head()[p]
		text, there := s.w.Disk[p]
		if there && (!held || text != committed) {
			disk = append(disk, p)
		}
		if in, ok := s.w.Staged[p]; ok && in != committed && !(there && in == text) {
			staged = append(staged, p)
		}
	}
	return disk, staged, nil
}

// ListIgnored returns the paths that git ignores and HEAD has not.
func (s store) ListIgnored(_ context.Context, paths []vault.Path) ([]vault.Path, error) {
	return slices.DeleteFunc(slices.Clone(paths), func(p vault.Path) bool {
		_, held := s.w.Head()[p]
		return held || !slices.Contains(s.w.Ignored, p)
	}), nil
}

// ListStaged returns the paths that a person has staged.
func (s store) ListStaged(_ context.Context, paths []vault.Path) ([]vault.Path, error) {
	return slices.DeleteFunc(slices.Clone(paths), func(p vault.Path) bool {
		in, ok := s.w.Staged[p]
		return !ok || in == s.w.Head()[p]
	}), nil
}

// LeftOut returns the paths that a sparse checkout leaves out.
func (s store) LeftOut(_ context.Context, paths []vault.Path) (all []vault.Path, err error) {
	for _, p := range paths {
		if _, there := s.w.Disk[p]; !there && slices.Contains(s.w.LeftOut, p) {
			all = append(all, p)
		}
	}
	return all, nil
}

// ReadAt returns a file's text in a commit.
func (s store) ReadAt(_ context.Context, rev string, p vault.Path) ([]byte, error) {
	if c := s.w.at(rev); c != nil {
		if text, ok := c.files[p]; ok {
			return []byte(text), nil
		}
	}
	return nil, missing(p)
}

// History calls fn for the commits that touched any of the paths.
func (s store) History(_ context.Context, paths []vault.Path, fn func(vault.Revision) bool) error {
	for i, c := range slices.Backward(s.w.commits) {
		touched := differing(s.w.before(i), c.files)
		if slices.ContainsFunc(paths, func(p vault.Path) bool { return slices.Contains(touched, p) }) && !fn(c.Revision) {
			return nil
		}
	}
	return nil
}

// before returns the files of the commit before the one at i.
func (w *World) before(i int) Files {
	if i == 0 {
		return nil
	}
	return w.commits[i-1].files
}

func (store) Lock(context.Context, string) (func(), error)      { return func() {}, nil }
func (s store) Hasty() vault.Store                              { return s.w.Vault.Store }
func (store) Recover(context.Context) ([]string, error)         { return nil, nil }
func (store) ListUnfinished(context.Context) []vault.Unfinished { return nil }
func (s store) Waiting(context.Context) ([]vault.Queued, error) { return s.w.waiting, nil }
func (s store) Queue(_ context.Context, q vault.Queued) error {
	q.Op = "waits-" + strings.Repeat("i", len(s.w.waiting)+1)
	s.w.waiting = append(s.w.waiting, q)
	return nil
}

// Next returns the write that has waited longest.
func (s store) Next(context.Context) (*vault.Queued, error) {
	if len(s.w.waiting) == 0 {
		return nil, nil
	}
	q := s.w.waiting[0]
	return &q, nil
}

// Unqueue forgets a write that waits.
func (s store) Unqueue(_ context.Context, q vault.Queued) error {
	s.w.waiting = slices.DeleteFunc(s.w.waiting, func(w vault.Queued) bool { return w.Op == q.Op })
	return nil
}
