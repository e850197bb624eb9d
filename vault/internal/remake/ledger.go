package remake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

// The ledger is a file in the state, one line for each acknowledged write, the oldest first:
//
//	20261102T140247.120-k3v9q2m1 refs/heads/main <before> <commit>
//	- refs/heads/main - <commit>
//
// The second form notes a look: at that commit all that stands above was there, or its
// absence has been told. A dash stands for nothing. A line that is cut off is none. The file
// is not synced: what a power cut takes of it is not told of, and lost it is not, since it is
// in a commit.
const (
	ledgerFile = "ledger"
	rememberIn = 30 * 24 * time.Hour // as long as git keeps what is off the branch
	tooLong    = 2 * most            // lines at which the file is written anew
	nothing    = "-"
)

func (s Shelf) ledger() string { return filepath.Join(s.State, ledgerFile) }

// readLedger reads the ledger, without what is too old, or one too many.
func (s Shelf) readLedger() (all []vault.Acknowledged, lines int) {
	b, _ := os.ReadFile(s.ledger()) // none before the first write
	for line := range strings.Lines(string(b)) {
		lines++
		if e, ok := parseEntry(line); ok && (e.Op == "" || s.young(e.Op)) {
			all = append(all, e)
		}
	}
	return all[max(0, len(all)-most):], lines
}

func (s Shelf) young(op string) bool {
	at, ok := operation.MomentOf(op)
	return ok && s.Now().Sub(at) < rememberIn
}

func parseEntry(line string) (vault.Acknowledged, bool) {
	words := strings.Fields(line)
	if len(words) != 4 || !strings.HasSuffix(line, "\n") {
		return vault.Acknowledged{}, false
	}
	for i, w := range words {
		if w == nothing {
			words[i] = ""
		}
	}
	return vault.Acknowledged{Op: words[0], Ref: words[1], Before: words[2], Commit: words[3]}, words[1] != "" && words[3] != ""
}

func formatEntry(e vault.Acknowledged) string {
	words := []string{e.Op, e.Ref, e.Before, e.Commit}
	for i, w := range words {
		if w == "" {
			words[i] = nothing
		}
	}
	return strings.Join(words, " ") + "\n"
}

// noteFinished notes that a write is finished. One that recovery finishes once more stands there.
func (s Shelf) noteFinished(op string) error {
	e, err := s.Repo.LastPublication(s.State)
	if err != nil || e.Op != op || e.Before == e.Commit {
		return err
	}
	return s.noteWrite(e)
}

func (s Shelf) noteWrite(e vault.Acknowledged) error {
	all, lines := s.readLedger()
	if len(all) > 0 && all[len(all)-1] == e {
		return nil
	}
	if lines >= tooLong {
		return s.rewrite(append(all, e))
	}
	return disk.Append(s.ledger(), []byte(formatEntry(e)), 0o600)
}

func (s Shelf) rewrite(all []vault.Acknowledged) error {
	var b strings.Builder
	for _, e := range all {
		b.WriteString(formatEntry(e))
	}
	return disk.ReplaceSync(s.ledger(), []byte(b.String()), 0o600)
}

// branchEntries returns the entries of a branch, and the commit up to which nothing is missing: that
// of the last entry before the first one that was made on a commit nobody has looked at.
func branchEntries(all []vault.Acknowledged, ref string) (ops []vault.Acknowledged, at string) {
	whole := true
	for _, e := range all {
		if e.Ref != ref {
			continue
		}
		if whole = e.Op == "" || whole && (at == "" || e.Before == at); whole {
			at = e.Commit
		}
		if e.Op != "" {
			ops = append(ops, e)
		}
	}
	return ops, at
}

// HasBranchMoved reports whether the branch is where no look and no write of ours has left it. It
// reads one small file, and HEAD.
func (s Shelf) HasBranchMoved(ctx context.Context) bool {
	all, _ := s.readLedger()
	if len(all) == 0 {
		return false
	}
	tip, err := s.Refs.Tip(ctx)
	if _, at := branchEntries(all, all[len(all)-1].Ref); err != nil || at == tip {
		return false
	}
	head, err := s.Refs.Head(ctx)
	ops, at := branchEntries(all, head.Branch)
	return err == nil && head.Busy == "" && len(ops) > 0 && at != head.Commit
}

// Missing looks for acknowledged writes that the branch has no more, brings back what a
// failed git merge took, tells of the others, and forgets them: nobody hears of one twice.
func (s Shelf) Missing(ctx context.Context) (notes []string, err error) {
	head, err := s.Refs.Head(ctx)
	if err != nil || head.Busy != "" {
		return nil, err
	}
	all, _ := s.readLedger()
	ops, at := branchEntries(all, head.Branch)
	if len(ops) == 0 || at == head.Commit {
		return nil, nil
	}
	since := vault.Span{From: at, To: head.Commit}
	since.Files, _ = s.Repo.Differences(ctx, at, head.Commit) // none where the commit is gone: nothing can be said
	lost, err := s.Repo.Missing(ctx, s.State, ops, since, s.times)
	if err != nil {
		return nil, err
	}
	told := make(map[string]bool)
	for _, l := range lost {
		if files.Present(s.intent(l.Op)) { // it waits to be made again
			continue
		}
		again, err := s.shelveIntent(l, head.Commit)
		if err != nil {
			return notes, err
		}
		if again {
			notes = append(notes, fmt.Sprintf("a git merge that failed, and the commit after it, had taken back %q; it is made again", l.Subject))
		} else {
			notes = append(notes, l.String())
		}
		told[l.Op] = true
	}
	notes = append(notes, s.orphans(since.Files)...)
	all = slices.DeleteFunc(all, func(e vault.Acknowledged) bool { return told[e.Op] })
	return cutNotes(notes), s.rewrite(append(all, vault.Acknowledged{Ref: head.Branch, Commit: head.Commit}))
}

// orphans tells of the parents that somebody's commits have deleted, while memories stand
// below them yet: those hang under what is above now.
func (s Shelf) orphans(changed []vault.Difference) (notes []string) {
	added := make(map[string]bool) // by blob: a file that was moved is not deleted
	for _, d := range changed {
		if d.From == "" {
			added[d.Into] = true
		}
	}
	for _, d := range changed {
		name, isVaults := strings.CutPrefix(d.Path, s.Vault)
		folder, isMemory := strings.CutSuffix(d.Path, ".md")
		if d.Into != "" || !isVaults || !isMemory || added[d.From] || files.Present(filepath.Join(s.Top, d.Path)) {
			continue
		}
		left, _ := files.Names(filepath.Join(s.Top, folder)) // none where there is no such folder
		left = slices.DeleteFunc(left, func(name string) bool { return !strings.HasSuffix(name, ".md") })
		if len(left) > 0 {
			notes = append(notes, fmt.Sprintf("%s was deleted by a commit without what lies below it (%s), which hangs under what is above now; unless you mean that: cp memory restore %s",
				name, vault.Plural(len(left), "memory", "memories"), files.Quote(name)))
		}
	}
	return notes
}

// shelveIntent puts the intent of a write that a merge took back, to be made on top of the commit
// head; false where it stays away.
func (s Shelf) shelveIntent(l vault.Loss, head string) (bool, error) {
	if !l.ByMerge {
		return false, nil
	}
	intent, err := os.ReadFile(s.keptPath(l.Op))
	if err != nil {
		return false, files.IgnoreMissing(err)
	}
	ok, err := s.Hook.Anew(intent, head)
	if !ok || err != nil {
		return false, err
	}
	return true, disk.Remove(s.keptPath(l.Op))
}

// mostTold bounds what one command tells.
const mostTold = 10

func cutNotes(notes []string) []string {
	if n := len(notes) - mostTold; n > 0 {
		return append(notes[:mostTold:mostTold], "and "+vault.Plural(n, "other write", "other writes")+" of the last month: cp memory log")
	}
	return notes
}
