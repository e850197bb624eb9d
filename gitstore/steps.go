package gitstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// step is a commit of the branch with the files that it changed against its first parent.
type step struct {
	vault.Revision
	parent string
	files  []vault.Difference
}

// stepFormat is what readStep reads.
var stepFormat = "--format=%H|%P|%s|" + plumb.Trailer("Cp-Verb") + "|" + plumb.Trailer("Cp-Id") + "|" + plumb.Trailer("Cp-Op")

// readSteps returns the commits of a log that are wanted, the oldest first.
func (r *Repo) readSteps(ctx context.Context, wanted func(op string) bool, args ...string) (all []step, err error) {
	args = append([]string{"log", "--no-show-signature", "--topo-order", "--reverse", "-m", "--root", "-z", "--raw", "--no-abbrev", "--no-renames",
		"--ignore-submodules=none", stepFormat}, append(args, "--")...)
	at := "" // the commit before: a merge is compared with its first parent alone
	var to *step
	header := func(text string) {
		s, ok := readStep(text)
		if ok, to = ok && s.Commit != at && wanted(s.Op), nil; ok {
			all = append(all, s)
			to = &all[len(all)-1]
		}
		at = s.Commit
	}
	err = r.EachChange(ctx, args, header, func(c plumb.Change) (bool, error) {
		if to != nil {
			to.files = append(to.files, c.Difference)
		}
		return true, nil
	})
	return all, err
}

func readStep(text string) (s step, ok bool) {
	hash, rest, _ := strings.Cut(text, "|")
	parents, rest, _ := strings.Cut(rest, "|")
	parent, _, _ := strings.Cut(parents, " ")
	fields := strings.Split(rest, "|") // the subject may hold the sign itself
	if len(fields) < 4 {
		return s, false
	}
	n := len(fields) - 3
	s.Revision = vault.Revision{Commit: hash, Subject: strings.Join(fields[:n], "|"), Verb: fields[n], ID: vault.ID(fields[n+1]), Op: fields[n+2]}
	s.parent = parent
	return s, true
}

const lookBack = 64 // commits of which the files may be staged as they were before

// readRecentSteps returns the last commits of the branch, back to the oldest operation that
// counts. Older commits may touch any number of files, so git compares none of them.
func (r *Repo) readRecentSteps(ctx context.Context, head string, counts func(op string) bool) ([]step, error) {
	n, last := 0, 0
	err := r.Revisions(ctx, []string{"--first-parent", "--max-count=" + strconv.Itoa(lookBack), head, "--"}, func(rev vault.Revision) bool {
		if n++; counts(rev.Op) {
			last = n
		}
		return true
	})
	if err != nil || last == 0 {
		return nil, err
	}
	all := func(string) bool { return true }
	return r.readSteps(ctx, all, "--first-parent", "--max-count="+strconv.Itoa(last), head)
}

// readWrites returns the commits of the writes up to tip. A rebase keeps the operation's name.
func (r *Repo) readWrites(ctx context.Context, ops []vault.Acknowledged, tip string) ([]step, error) {
	known := func(op string) bool {
		return slices.ContainsFunc(ops, func(e vault.Acknowledged) bool { return e.Op == op })
	}
	args := []string{tip}
	if ops[0].Before != "" {
		args = append(args, "^"+ops[0].Before)
	}
	return r.readSteps(ctx, known, args...)
}
