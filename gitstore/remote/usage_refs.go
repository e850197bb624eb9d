package remote

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
)

// Each clone that shares its readings has a ref of its own at the remote, which
// nobody else writes: a commit without parent whose tree holds the counts. It
// is no branch, so no clone, status or merge sees it.
const (
	usageRefs   = "refs/cp/usage/"
	usageFile   = "counts"
	maxCounts   = 16 << 20 // bytes of one clone's counts
	usageAuthor = "cp <cp@localhost>"
)

// usageCopies returns the place for the copies of an upstream's usage refs.
func usageCopies(up vault.Upstream) string { return cpRef("usage-of", up) + "/" }

// Counts returns what the clones at upstream have counted, by clone, as of the
// last fetch that asked for it.
func (r Remote) Counts(ctx context.Context, up vault.Upstream) (map[string][]byte, error) {
	refs := usageCopies(up)
	out, err := r.Run(ctx, nil, "for-each-ref", "--format=%(refname)", refs)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]byte)
	for ref := range strings.Lines(string(out)) {
		ref = strings.TrimSpace(ref)
		counts, err := r.counts(ctx, ref)
		if err != nil {
			continue // another's, and not as we write it
		}
		all[strings.TrimPrefix(ref, refs)] = counts
	}
	return all, nil
}

func (r Remote) counts(ctx context.Context, ref string) ([]byte, error) {
	size, err := r.Run(ctx, nil, "cat-file", "-s", ref+":"+usageFile)
	if err != nil {
		return nil, err
	}
	var n int64
	if _, err := fmt.Sscan(string(size), &n); err != nil || n > maxCounts {
		return nil, vault.Errorf(vault.CodeRemote, "", "%s holds too much", ref)
	}
	return r.Run(ctx, nil, "cat-file", "blob", ref+":"+usageFile)
}

// GiveCounts brings a clone's counts to upstream, where that has not got them
// yet. The ref is the clone's own, and the only one that is ever overwritten.
func (r Remote) GiveCounts(ctx context.Context, up vault.Upstream, clone string, counts []byte, say func(string)) error {
	if there, err := r.counts(ctx, usageCopies(up)+clone); err == nil && bytes.Equal(there, counts) {
		return nil
	}
	commit, err := r.commitCounts(ctx, counts)
	if err != nil {
		return err
	}
	ref := usageRefs + clone
	if _, err := r.Run(ctx, nil, "update-ref", ref, commit); err != nil {
		return err
	}
	out, err := r.network(ctx, say, "push", "--no-progress", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
		"--end-of-options", up.Remote, "+"+ref+":"+ref)
	if why, rejected := rejection(out); rejected {
		return vault.Errorf(vault.CodeRemote, "", "%s refused %s: %s", up.Remote, ref, why)
	}
	if err != nil {
		return err
	}
	_, err = r.Run(ctx, nil, "update-ref", usageCopies(up)+clone, commit)
	return err
}

func (r Remote) commitCounts(ctx context.Context, counts []byte) (string, error) {
	p := object.OpenCommand(r.Git)
	defer p.Close()
	blob, err := p.Write(ctx, object.KindBlob, counts)
	if err != nil {
		return "", err
	}
	root, err := object.OpenTree(ctx, p, r.IDs, "")
	if err != nil {
		return "", err
	}
	if err := root.Put(ctx, usageFile, object.Entry{Mode: object.ModeFile, ID: blob}); err != nil {
		return "", err
	}
	tree, err := root.Write(ctx)
	if err != nil {
		return "", err
	}
	stamp := fmt.Sprintf("%s %d +0000", usageAuthor, time.Now().Unix())
	return p.Write(ctx, object.KindCommit, fmt.Appendf(nil, "tree %s\nauthor %s\ncommitter %s\n\nmemory: readings of one clone\n", tree, stamp, stamp))
}
