package exchange

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// keepWork refuses to push commits with paths outside this vault's memories: a person's
// work is pushed when that person says so. Only the paths decide, commit by commit.
func (x *Exchange) keepWork(ctx context.Context, at standing, commit string) error {
	var found []work
	err := x.History.Ahead(ctx, commit, at.up, at.tip, func(rev vault.Revision, path string) error {
		if !x.publishes(path) {
			found = count(found, rev, path)
		}
		return nil
	})
	if err == nil && len(found) == 0 {
		found, err = x.undone(ctx, at, commit)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	return refuseWork(found)
}

// publishes reports whether pushes are meant for a path of the repository.
func (x *Exchange) publishes(path string) bool {
	p, ok := x.inVault(path)
	return path == ".cp.yaml" || x.memory(path) || ok && (p == ".gitattributes" || p.Within(".cp"))
}

// undone is for a merge that settled on an older state of files that upstream has:
// no commit of ours touches those, and a push would take them back all the same.
func (x *Exchange) undone(ctx context.Context, at standing, commit string) (found []work, err error) {
	if at.tip == "" {
		return nil, nil
	}
	if holds, err := x.History.Includes(ctx, commit, at.tip); !holds || err != nil {
		return nil, err
	}
	different, err := x.History.Differences(ctx, at.tip, commit)
	for _, d := range different {
		if !x.publishes(d.Path) {
			found = count(found, vault.Revision{Commit: commit, Subject: "with a merge before it"}, d.Path)
		}
	}
	return found, err
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

// count adds a path to the last of the commits.
func count(all []work, rev vault.Revision, path string) []work {
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
