package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// maxMerges is how many merges of a history are looked at.
const maxMerges = 200

// Merges returns the merges of two commits in HEAD's history, the oldest first,
// at most the latest 200; those that since reaches are left out, where there is
// such a commit.
func (r *Repo) Merges(ctx context.Context, since string) ([]vault.Meeting, error) {
	tip, err := r.Tip(ctx)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := r.logSince(ctx, tip, since, "--merges", "--topo-order", "--max-count="+strconv.Itoa(maxMerges), "--format=%H %P%x09%(trailers:key=Cp-Op,valueonly,separator=%x2c)")
	if err != nil {
		return nil, err
	}
	var all []vault.Meeting
	for line := range strings.Lines(string(out)) {
		names, op, _ := strings.Cut(line, "\t")
		commits := strings.Fields(names)
		if len(commits) != 3 {
			continue
		}
		base, err := r.MergeBase(ctx, commits[1], commits[2])
		if err != nil {
			return nil, err
		}
		all = append(all, vault.Meeting{Commit: commits[0], Base: base, Sides: [2]string{commits[1], commits[2]}, Ours: strings.TrimSpace(op) != ""})
	}
	slices.Reverse(all)
	if since == "" && len(all) > 0 {
		if err := r.markNew(ctx, all, tip); err != nil {
			return nil, err
		}
	}
	return r.unsettled(ctx, all, tip, since)
}

// markNew marks the merges that are not in what this clone began with, as far back as
// its reflog goes.
func (r *Repo) markNew(ctx context.Context, all []vault.Meeting, tip string) error {
	log, err := os.ReadFile(filepath.Join(r.GitDir(), "logs", "HEAD"))
	fields := strings.SplitN(string(log), " ", 3)
	if err != nil || len(fields) < 3 || !object.IsHex(fields[1]) {
		return nil // whatever is not told of them then was told when they were made
	}
	out, err := r.logSince(ctx, tip, fields[1], "--merges", "--format=%H")
	young := strings.Fields(string(out))
	for i := range all {
		all[i].New = slices.Contains(young, all[i].Commit)
	}
	return err
}

// logSince is git log of what tip reaches and since does not, where there is
// such a commit.
func (r *Repo) logSince(ctx context.Context, tip, since string, options ...string) ([]byte, error) {
	args := append([]string{"log", "--no-show-signature", "--ignore-missing"}, options...)
	args = append(args, tip)
	if len(since) == r.IDs.Len() && object.IsHex(since) {
		args = append(args, "^"+since)
	}
	return r.Run(ctx, nil, append(args, "--")...)
}

// unsettled leaves out the merges that a later commit says to have put right.
func (r *Repo) unsettled(ctx context.Context, all []vault.Meeting, tip, since string) ([]vault.Meeting, error) {
	if len(all) == 0 {
		return nil, nil
	}
	out, err := r.logSince(ctx, tip, since, "--grep=^Cp-Settles: ", "--format=%(trailers:key=Cp-Settles,valueonly)")
	if err != nil {
		return nil, err
	}
	settled := make(map[string]bool)
	for _, commit := range strings.Fields(string(out)) {
		settled[commit] = true
	}
	return slices.DeleteFunc(all, func(m vault.Meeting) bool { return settled[m.Commit] }), nil
}

// MergeBase returns the best common ancestor of two commits, of several the one
// whose id is the smallest; empty for histories that have none.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.Run(ctx, nil, "merge-base", "--all", a, b)
	if plumb.ExitCode(err) == 1 {
		return "", nil
	}
	bases := strings.Fields(string(out))
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return slices.Min(bases), nil
}

// Arrived returns the commit between base and tip that brought a path.
func (r *Repo) Arrived(ctx context.Context, base, tip, path string) (first vault.Revision, err error) {
	args := []string{"--topo-order", tip, "--", path}
	if base != "" {
		args = []string{"--topo-order", tip, "^" + base, "--", path}
	}
	err = r.log(ctx, args, func(rev vault.Revision) bool {
		first = rev
		return true
	})
	return first, err
}

// Joined returns the commits that are being joined: HEAD, and that of a merge,
// cherry-pick, rebase or revert under way, else the one stashed last; empty where
// there is none.
func (r *Repo) Joined(ctx context.Context) (sides [2]string, err error) {
	if sides[0], err = r.Tip(ctx); err != nil {
		return sides, err
	}
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD^", "refs/stash"} {
		if sides[1], err = r.Resolve(ctx, name); vault.CodeOf(err) != vault.CodeNotFound {
			return sides, err
		}
	}
	return sides, nil
}

// Unmerged calls fn for each path below prefix that the index holds in several
// versions: the base's, ours and theirs, nil where there is none.
func (r *Repo) Unmerged(ctx context.Context, prefix string, fn func(path string, base, ours, theirs []byte) error) error {
	if !r.unmerged() {
		return nil
	}
	args := []string{"ls-files", "--unmerged", "-z", "--full-name", "--"}
	if prefix != "" {
		args = append(args, prefix)
	}
	out, err := r.Run(ctx, nil, args...)
	if err != nil {
		return err
	}
	eng := object.OpenCommand(r.Git)
	defer eng.Close()
	var order []string
	stages := make(map[string]*[3][]byte)
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		what, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(what)
		if !ok || len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		if stages[path] == nil {
			stages[path] = new([3][]byte)
			order = append(order, path)
		}
		text, err := eng.Text(ctx, path, fields[1])
		if err != nil {
			return err
		}
		if text == nil {
			text = []byte{}
		}
		stages[path][fields[2][0]-'1'] = text
	}
	for _, path := range order {
		if err := fn(path, stages[path][0], stages[path][1], stages[path][2]); err != nil {
			return err
		}
	}
	return nil
}
