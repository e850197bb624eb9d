package app

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// Reanchor has entries tell of what their commits were rewritten to.
type Reanchor struct {
	Own      bool      `flag:"own" help:"move them off memory commits instead, to the newest work before each"`
	DryRun   bool      `flag:"dry-run" help:"say what would be written, and write nothing"`
	Rewrites io.Reader // lines of two commits, the old and the new one, as git's post-rewrite hook has them; nil looks for the successors
}

// Reanchored is the outcome, with the commits that nothing is left of.
type Reanchored struct {
	journal.Reanchored
	Lost []LostAnchor `json:"lost"`
}

// LostAnchor is a commit that HEAD does not reach, that no branch or tag has, and of which no successor
// is known.
type LostAnchor struct {
	Commit     string   `json:"commit"`
	Candidates []string `json:"candidates,omitempty"` // where several may be its successor
}

// Reanchor writes them in one commit.
func (s *Session) Reanchor(ctx context.Context, o Reanchor) (out Reanchored, err error) {
	out.Lost = []LostAnchor{}
	top, err := s.CodeTop()
	if err != nil {
		return out, errNoCode(err)
	}
	all, err := s.anchors(ctx)
	if err != nil {
		return out, err
	}
	all = slices.DeleteFunc(all, func(a header.Anchor) bool { return !vault.IsCommit(a.Commit) })
	var moves []journal.Reanchor
	switch {
	case o.Own && o.Rewrites != nil:
		return out, vault.Errorf(vault.CodeInvalid, "run them one after the other", "--own does not go with --from-rewrite")
	case o.Own:
		moves, err = s.offOwn(ctx, top, all)
	case o.Rewrites != nil:
		moves, err = s.toRewritten(ctx, top, all, o.Rewrites)
	default:
		var lost []LostAnchor
		moves, lost, err = s.toSuccessors(ctx, top, all)
		out.Lost = append(out.Lost, lost...)
	}
	if err != nil {
		return out, err
	}
	out.Reanchored, err = journal.Reanchors{Moves: moves}.Do(ctx, s.Vault, o.DryRun)
	return out, err
}

// toSuccessors finds what commits were rewritten to. One that a branch or a tag has stays as it is.
func (s *Session) toSuccessors(ctx context.Context, top string, all []header.Anchor) (moves []journal.Reanchor, lost []LostAnchor, err error) {
	known, err := s.successors(ctx, top, all)
	if err != nil {
		return nil, nil, err
	}
	strayed := slices.DeleteFunc(slices.Clone(all), func(a header.Anchor) bool { return known.Next[a.Commit].Commit == a.Commit })
	seen, err := s.inspect(ctx, top, strayed)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range strayed {
		next := known.Next[a.Commit]
		switch {
		case seen.Kept[a.Commit]:
		case next.Commit == "":
			lost = append(lost, LostAnchor{a.Commit, next.Candidates})
		default:
			to, err := s.app.Commits.FindCommit(ctx, top, next.Commit)
			if err != nil {
				return nil, nil, err
			}
			moves = append(moves, journal.Reanchor{Old: a.Commit, Anchor: to})
		}
	}
	return moves, lost, nil
}

func (s *Session) inspect(ctx context.Context, top string, all []header.Anchor) (header.Inspection, error) {
	if len(all) == 0 {
		return header.Inspection{}, nil
	}
	ids := make([]string, len(all))
	for i, a := range all {
		ids[i] = a.Commit
	}
	return s.app.Commits.Inspect(ctx, top, ids)
}

// offOwn finds the newest work before each write of the program's.
func (s *Session) offOwn(ctx context.Context, top string, all []header.Anchor) (moves []journal.Reanchor, err error) {
	seen, err := s.inspect(ctx, top, all)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if !seen.Own[a.Commit] {
			continue
		}
		to, err := s.app.Commits.NewestWork(ctx, top, a.Commit, s.IsWork(top))
		if err != nil {
			return nil, err
		}
		moves = append(moves, journal.Reanchor{Old: a.Commit, Anchor: to})
	}
	return moves, nil
}

// maxRewrites bounds the chain of rewrites of one commit.
const maxRewrites = 100

// toRewritten reads what commits were rewritten to.
func (s *Session) toRewritten(ctx context.Context, top string, all []header.Anchor, in io.Reader) (moves []journal.Reanchor, err error) {
	to := map[string]string{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		if len(words) < 2 || !vault.IsCommit(words[0]) || !vault.IsCommit(words[1]) { // git may add more words
			return nil, vault.Errorf(vault.CodeInvalid, "as git's post-rewrite hook has them: <old commit> <new commit>", "line %d names no two commits", n)
		}
		to[words[0]] = words[1]
	}
	if err := lines.Err(); err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read the lines: %w", err)
	}
	for _, a := range all {
		now := a.Commit
		for i := 0; to[now] != "" && i < maxRewrites; i++ {
			now = to[now]
		}
		if now == a.Commit {
			continue
		}
		found, err := s.app.Commits.FindCommit(ctx, top, now)
		if err != nil {
			return nil, err
		}
		moves = append(moves, journal.Reanchor{Old: a.Commit, Anchor: found})
	}
	return moves, nil
}

// findOwnAnchors is [doctor.Patient.OwnAnchors].
func (s *Session) findOwnAnchors(ctx context.Context) ([]doctor.Finding, error) {
	top, all := s.anchorsOfCode(ctx)
	seen, err := s.inspect(ctx, top, all)
	own := 0
	for _, a := range all {
		if seen.Own[a.Commit] {
			own++
		}
	}
	if err != nil || own == 0 {
		return nil, err
	}
	return []doctor.Finding{{Evidence: "entries tell of " + vault.Plural(own, "memory commit", "memory commits") + ", and of no work"}}, nil
}

// findLostAnchors is [doctor.Patient.LostAnchors].
func (s *Session) findLostAnchors(ctx context.Context) (found []doctor.Finding, err error) {
	top, all := s.anchorsOfCode(ctx)
	if len(all) == 0 {
		return nil, nil
	}
	_, lost, err := s.toSuccessors(ctx, top, all)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	seen, err := s.inspect(ctx, top, all)
	if seen.Shallow {
		return []doctor.Finding{{Evidence: "entries tell of " + vault.Plural(len(lost), "commit", "commits") + " that this shallow clone does not have", Fix: "git fetch --unshallow"}}, err
	}
	for _, l := range lost[:min(len(lost), maxLost)] {
		f := doctor.Finding{Evidence: "entries tell of commit " + vault.Short(l.Commit) + ", which is gone", Fix: "leave it, or name the commit that has its work: echo OLD NEW | cp memory reanchor --from-rewrite -"}
		for i, c := range l.Candidates {
			f.Evidence += [...]string{"; it may be ", " or "}[min(i, 1)] + vault.Short(c)
		}
		found = append(found, f)
	}
	if more := len(lost) - maxLost; more > 0 {
		found = append(found, doctor.Finding{Evidence: vault.Plural(more, "more commit is", "more commits are") + " gone", Fix: "cp memory reanchor --dry-run"})
	}
	return found, err
}

// maxLost bounds the commits that doctor names.
const maxLost = 20

// anchorsOfCode returns the code and the commits that entries tell of; none where there is no code.
func (s *Session) anchorsOfCode(ctx context.Context) (string, []header.Anchor) {
	all, err := s.anchors(ctx)
	all = slices.DeleteFunc(all, func(a header.Anchor) bool { return !vault.IsCommit(a.Commit) })
	if err != nil || len(all) == 0 {
		return "", nil
	}
	top, err := s.CodeTop()
	if err != nil {
		return "", nil
	}
	return top, all
}
