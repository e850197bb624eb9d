package gitstore

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Holds reports whether the commit of that operation is reachable from HEAD.
func (r *Repo) Holds(ctx context.Context, op, state string) (bool, error) {
	head, err := r.Head(ctx)
	if err != nil || head.Commit == "" {
		return false, err
	}
	c, err := readCAS(state)
	if err != nil {
		return false, plumb.IOError(err)
	}
	if c.Op == op {
		if c.New == head.Commit {
			return true, nil
		}
		if _, err := r.Run(ctx, nil, "merge-base", "--is-ancestor", c.New, head.Commit); err == nil {
			return true, nil
		}
	}
	return r.logged(ctx, op, head.Commit)
}

// logged looks for the trailer, which a rebase keeps while the commit's id changes.
func (r *Repo) logged(ctx context.Context, op, head string) (bool, error) {
	found := false
	args := []string{"--fixed-strings", "--grep=Cp-Op: " + op, head}
	err := r.log(ctx, args, func(rev vault.Revision) bool {
		found = rev.Op == op
		return !found
	})
	return found, err
}

// ReadAt returns the text of a file in a commit, named by its id or in any way
// that git understands. The error has CodeNotFound when it is not in there.
func (r *Repo) ReadAt(ctx context.Context, commit, path string) ([]byte, error) {
	eng, err := r.reader(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	defer eng.Close()
	tree, err := r.treeAt(ctx, eng, commit)
	if err != nil {
		return nil, err
	}
	root, err := object.OpenTree(ctx, eng, r.IDs, tree)
	if err != nil {
		return nil, err
	}
	e, ok, err := root.Find(ctx, path)
	if err != nil {
		return nil, err
	}
	if !ok || e.Mode == object.ModeTree || e.Mode == object.ModeSubmodule {
		return nil, vault.Errorf(vault.CodeNotFound, "", "%s is not in the commit %s", path, commit)
	}
	return eng.Text(ctx, path, e.ID)
}

// reader returns an engine that reads the texts of the paths.
func (r *Repo) reader(ctx context.Context, paths []string) (engine, error) {
	s, err := r.Settings(ctx)
	if err != nil {
		return engine{}, err
	}
	x, err := r.survey()
	if err != nil {
		return engine{}, plumb.IOError(err)
	}
	if !x.Named {
		return r.openPlumber(), nil
	}
	why, err := r.strange(ctx, s, x.Attribute, paths)
	if err != nil {
		return engine{}, err
	}
	if why != "" || r.plumbingOnly {
		return r.openPlumber(), nil
	}
	return r.openNative(nil)
}

// treeAt returns the tree of a commit.
func (r *Repo) treeAt(ctx context.Context, o object.Store, commit string) (string, error) {
	if !object.IsHex(commit) {
		out, err := r.Run(ctx, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", commit+"^{commit}")
		if err != nil {
			return "", vault.Errorf(vault.CodeNotFound, "list the commits with: git log", "there is no commit %q", commit)
		}
		commit = strings.TrimSpace(string(out))
	}
	tree, err := object.TreeOf(ctx, o, commit)
	if errors.Is(err, object.ErrMissing) {
		return "", vault.Errorf(vault.CodeNotFound, "list the commits with: git log", "there is no commit %s", commit)
	}
	return tree, err
}

// History calls fn for the commits reachable from HEAD that touched any of the
// paths, the newest first, until fn returns false. A rename is not followed.
func (r *Repo) History(ctx context.Context, paths []string, fn func(vault.Revision) bool) error {
	head, err := r.Head(ctx)
	if err != nil || head.Commit == "" || len(paths) == 0 {
		return err
	}
	return r.log(ctx, append([]string{head.Commit, "--"}, paths...), fn)
}

// logFormat gives one record of logFields fields that end in NUL.
const (
	logFormat = "--format=%H%x00%ct%x00%an%x00%s%x00" +
		"%(trailers:key=Cp-Op,valueonly,separator=%x20)%x00%(trailers:key=Cp-Verb,valueonly,separator=%x20)%x00" +
		"%(trailers:key=Cp-Id,valueonly,separator=%x20)%x00%(trailers:key=Cp-Agent,valueonly,separator=%x20)%x00" +
		"%(trailers:key=Cp-Undoes,valueonly,separator=%x20)%x00%(trailers:key=Cp-Adopts,valueonly,separator=%x0a)%x00"
	logFields = 10
)

// log streams git log.
func (r *Repo) log(ctx context.Context, args []string, fn func(vault.Revision) bool) error {
	args = append([]string{"-c", "log.follow=false", "log", "--no-show-signature", "--no-decorate", "--no-patch", logFormat}, args...)
	return r.Stream(ctx, nil, args, func(out io.Reader) (bool, error) {
		stopped, err := eachRevision(out, fn)
		return !stopped, err
	})
}

// unixTime parses the seconds since 1970.
func unixTime(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }
