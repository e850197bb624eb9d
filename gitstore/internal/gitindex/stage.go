package gitindex

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
)

// staged is an entry of the index.
type staged struct {
	object.Entry
	intent bool // git add --intent-to-add: announced, with no content yet
	skip   bool // outside a sparse checkout
	stat   statData
}

// entries are the entries of an index as it was read.
type entries interface {
	Find(name string) (staged, bool)
	below(dir string, fn func(name string, s staged))
}

// Stage is the index that is being changed in memory. An entry that is only
// announced counts as absent.
type Stage struct {
	base    entries
	changes map[string]change
	folders map[string]bool // those that names were put in
}

// NewStage begins to change the index that has the entries.
func NewStage(base entries) *Stage {
	return &Stage{base: base, changes: map[string]change{}, folders: map[string]bool{}}
}

// Find returns the entry at path.
func (x *Stage) Find(_ context.Context, path string) (object.Entry, bool, error) {
	s, ok := x.lookup(path)
	return s.Entry, ok && !s.intent, nil
}

func (x *Stage) lookup(path string) (staged, bool) {
	if c, ok := x.changes[path]; ok {
		return c.staged, !c.gone
	}
	return x.base.Find(path)
}

// Put sets an entry. Files in the place of its folders, and a folder in its
// place, go: the index cannot hold both.
func (x *Stage) Put(ctx context.Context, path string, e object.Entry) error {
	old, ok := x.lookup(path)
	if ok && !old.intent && old.Entry == e {
		return nil
	}
	x.stageFile(path, staged{Entry: e, skip: old.skip})
	return x.DropAll(ctx, path)
}

func (x *Stage) stageFile(path string, s staged) {
	for i := range path {
		if path[i] == '/' {
			x.folders[path[:i]] = true
			if _, ok := x.lookup(path[:i]); ok {
				x.changes[path[:i]] = change{gone: true}
			}
		}
	}
	x.changes[path] = change{staged: s}
}

// Drop removes the entry at path. A missing entry is no error.
func (x *Stage) Drop(_ context.Context, path string) error {
	if _, ok := x.lookup(path); ok {
		x.changes[path] = change{gone: true}
	}
	return nil
}

// DropAll removes the entries below the folder dir.
func (x *Stage) DropAll(_ context.Context, dir string) error {
	for _, name := range x.namesBelow(dir) {
		x.changes[name] = change{gone: true}
	}
	return nil
}

// MoveAll moves the entries below a folder to another.
func (x *Stage) MoveAll(_ context.Context, from, to string) error {
	for _, name := range x.namesBelow(from) {
		s, _ := x.lookup(name)
		x.changes[name] = change{gone: true}
		x.stageFile(to+strings.TrimPrefix(name, from), s)
	}
	return nil
}

// namesBelow returns the names below a folder, in order.
func (x *Stage) namesBelow(dir string) []string {
	var names []string
	x.base.below(dir, func(name string, _ staged) {
		if c, ok := x.changes[name]; !ok || !c.gone {
			names = append(names, name)
		}
	})
	if !x.folders[dir] { // or putting n files would look at all n each time
		return names
	}
	for name, c := range x.changes {
		if c.gone || !strings.HasPrefix(name, dir+"/") {
			continue
		}
		if _, ok := x.base.Find(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// NamesChange reports whether a name comes or goes.
func (x *Stage) NamesChange() bool {
	for name, c := range x.changes {
		if _, ok := x.base.Find(name); ok == c.gone {
			return true
		}
	}
	return false
}

// First returns the first of the names that are changed; empty for none.
func (x *Stage) First() string {
	names := append(slices.Sorted(maps.Keys(x.changes)), "")
	return names[0]
}

// LeftOut returns a changed file that a sparse checkout has left out of the work
// tree; false for none.
func (x *Stage) LeftOut() (name string, ok bool) {
	for name := range x.changes {
		if old, ok := x.base.Find(name); ok && old.skip {
			return name, true
		}
	}
	return "", false
}
