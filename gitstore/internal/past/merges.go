package past

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/converge"
)

// maxMerges bounds the merges of a history that are looked at.
const maxMerges = 200

// Merges returns the merges of two commits in HEAD's history, the oldest first, at most
// the latest 200. Unless since is empty, it leaves out those that since reaches.
func (p Past) Merges(ctx context.Context, since string) ([]converge.Merge, error) {
	tip, err := p.source.Tip(ctx)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := p.logSince(ctx, tip, since, "--merges", "--topo-order", "--max-count="+strconv.Itoa(maxMerges), "--format=%H %P%x09"+plumb.Trailer("Cp-Op"))
	if err != nil {
		return nil, err
	}
	var all []converge.Merge
	for line := range strings.Lines(string(out)) {
		names, op, _ := strings.Cut(line, "\t")
		commits := strings.Fields(names)
		if len(commits) != 3 {
			continue
		}
		base, err := p.MergeBase(ctx, commits[1], commits[2])
		if err != nil {
			return nil, err
		}
		all = append(all, converge.Merge{Commit: commits[0], Base: base, Sides: [2]string{commits[1], commits[2]}, Ours: strings.TrimSpace(op) != ""})
	}
	slices.Reverse(all)
	if since == "" && len(all) > 0 {
		if err := p.markNew(ctx, all, tip); err != nil {
			return nil, err
		}
	}
	return p.withoutResolved(ctx, all, tip, since)
}

// markNew marks the merges that were made or fetched after this clone began, as far back
// as its reflog reaches.
func (p Past) markNew(ctx context.Context, all []converge.Merge, tip string) error {
	log, err := os.ReadFile(filepath.Join(p.git.GitDir(), "logs", "HEAD"))
	first, _, _ := strings.Cut(string(log), "\n")
	began, ok := plumb.ParseMove(first)
	if err != nil || !ok {
		return nil // whatever is not told of them then was told when they were made
	}
	out, err := p.logSince(ctx, tip, began.New, "--merges", "--format=%H")
	young := strings.Fields(string(out))
	for i := range all {
		all[i].New = slices.Contains(young, all[i].Commit)
	}
	return err
}

// logSince runs git log for the commits that tip reaches and since does not. Without since
// it is all that tip reaches.
func (p Past) logSince(ctx context.Context, tip, since string, options ...string) ([]byte, error) {
	args := append([]string{"log", "--no-show-signature", "--ignore-missing"}, options...)
	args = append(args, tip)
	if len(since) == p.ids.Len() && plumb.IsHex(since) {
		args = append(args, "^"+since)
	}
	return p.git.Run(ctx, nil, append(args, "--")...)
}

// withoutResolved leaves out the merges that a later commit says to have resolved.
func (p Past) withoutResolved(ctx context.Context, all []converge.Merge, tip, since string) ([]converge.Merge, error) {
	if len(all) == 0 {
		return nil, nil
	}
	out, err := p.logSince(ctx, tip, since, "--grep=^Cp-Settles: ", "--format=%(trailers:key=Cp-Settles,valueonly)")
	if err != nil {
		return nil, err
	}
	resolved := make(map[string]bool)
	for _, commit := range strings.Fields(string(out)) {
		resolved[commit] = true
	}
	return slices.DeleteFunc(all, func(m converge.Merge) bool { return resolved[m.Commit] }), nil
}

// MergeBase returns the best common ancestor of two commits. Of several it returns the one
// with the smallest id, and "" for histories without one.
func (p Past) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := p.git.Run(ctx, nil, "merge-base", "--all", a, b)
	if plumb.ExitCode(err) == 1 {
		return "", nil
	}
	bases := strings.Fields(string(out))
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return slices.Min(bases), nil
}
