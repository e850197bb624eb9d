package exchange

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// keepWork refuses to push commits with paths that are not this vault's: a person's work
// is pushed when that person says so. Commit by commit the paths decide, and in the vault
// that the commit is one of ours, which moves a memory with all that lies in its folder.
func (x *Exchange) keepWork(ctx context.Context, at standing, commit string) error {
	t := &touched{x: x, seen: make(map[string]bool)}
	err := x.History.EachPushedPath(ctx, commit, at.up, at.tip, func(rev vault.Revision, path string) error {
		t.noteTouched(rev, path)
		return nil
	})
	if err != nil {
		return err
	}
	found, err := t.works(ctx, commit, at.tip)
	if err == nil && len(found) == 0 {
		found, err = x.undone(ctx, at, commit, t.seen)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	return refuseWork(found)
}

// publishes reports whether pushes are meant for a path of the repository, whatever lies
// beside it.
func (x *Exchange) publishes(path string) bool {
	p, ok := x.inVault(path)
	return path == ".cp.yaml" || x.isMemoryFile(path) || ok && (p == ".gitattributes" || p.Within(".cp"))
}

// undone is for a merge that settled on an older state of files that upstream has:
// no commit of ours touches those, and a push would take them back all the same. seen are
// the paths that commits do touch, and that may go.
func (x *Exchange) undone(ctx context.Context, at standing, commit string, seen map[string]bool) ([]work, error) {
	if at.tip == "" {
		return nil, nil
	}
	if holds, err := x.History.Includes(ctx, commit, at.tip); !holds || err != nil {
		return nil, err
	}
	different, err := x.History.Differences(ctx, at.tip, commit)
	if err != nil {
		return nil, err
	}
	t := &touched{x: x, seen: make(map[string]bool)}
	for _, d := range different {
		if !seen[d.Path] {
			t.noteTouched(vault.Revision{Commit: commit, Subject: "with a merge before it"}, d.Path)
		}
	}
	return t.works(ctx, commit, at.tip)
}

// touched are the paths that commits touch and that may be none of the vault's.
type touched struct {
	x        *Exchange
	memories []string // touched, too: some may be in none of the commits that are asked
	paths    []string
	by       []vault.Revision // of each path
	seen     map[string]bool  // those, and what our commits touch
}

func (t *touched) noteTouched(rev vault.Revision, path string) {
	switch p, in := t.x.inVault(path); {
	case t.x.isMemoryFile(path):
		t.memories = append(t.memories, path)
	case t.x.publishes(path):
	case in && rev.Op != "" && !isHidden(p):
		t.seen[path] = true
	default:
		t.seen[path] = true
		t.paths, t.by = append(t.paths, path), append(t.by, rev)
	}
}

// works returns the commits that touch what is not the vault's, as some commits have it.
func (t *touched) works(ctx context.Context, commits ...string) (found []work, err error) {
	if len(t.paths) == 0 {
		return nil, nil
	}
	own, err := t.x.belongings(ctx, commits...)
	if err != nil {
		return nil, err
	}
	for _, m := range t.memories {
		own.takeFile(m)
	}
	if found = t.not(own); len(found) > commitsTold {
		return found, nil
	}
	for _, w := range found { // a memory that was there then may be elsewhere in all the others
		if err := own.takeCommit(ctx, w.Commit); err != nil {
			return nil, err
		}
	}
	return t.not(own), nil
}

// not returns the commits with the paths that do not belong to the vault.
func (t *touched) not(own *belongings) (found []work) {
	for i, path := range t.paths {
		if !own.has(path) {
			found = addPath(found, t.by[i], path)
		}
	}
	return found
}

// work is a commit that touches what is no memory.
type work struct {
	vault.Revision
	paths []string // the first few
	more  int
}

const (
	commitsTold = 20 // of those that hold a push up
	pathsTold   = 3  // of each
)

// addPath adds a path to the last of the commits.
func addPath(all []work, rev vault.Revision, path string) []work {
	if len(all) == 0 || all[len(all)-1].Commit != rev.Commit {
		all = append(all, work{Revision: rev})
	}
	if w := &all[len(all)-1]; len(w.paths) < pathsTold {
		w.paths = append(w.paths, path)
	} else {
		w.more++
	}
	return all
}

// String describes the commit: 1f2e3d4c5b "fix it" (a.go, b.go and 3 more).
func (w work) String() string {
	return fmt.Sprintf("%.10s %s (%s%s)", w.Commit, strconv.Quote(w.Subject), strings.Join(w.paths, ", "), vault.More(w.more))
}

func refuseWork(found []work) error {
	var told strings.Builder
	for _, w := range found[:min(len(found), commitsTold)] {
		told.WriteString("\n" + w.String())
	}
	told.WriteString(strings.Replace(vault.More(len(found)-commitsTold), " ", "\n", 1))
	touch := "commits touch"
	if len(found) == 1 {
		touch = "commit touches"
	}
	return vault.Errorf(vault.CodeConfirm, "if they are to go, too, repeat the command with --with-code; if not, move them to a branch of their own first",
		"%d %s what is no memory of this vault, so nothing was pushed:%s", len(found), touch, told.String())
}
