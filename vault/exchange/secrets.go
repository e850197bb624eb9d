package exchange

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/secret"
)

// keepSecrets refuses to push a likely credential in a person's own commit: it can still
// be taken out as long as it is only here. Text that is upstream already, or that a commit
// only moves, is not asked about again.
func (x *Exchange) keepSecrets(ctx context.Context, at standing, commit string) error {
	var found leaks
	err := x.History.Outgoing(ctx, commit, at.up, at.tip, found.scanPassage)
	if err == nil {
		err = found.errLeaks()
	}
	return err
}

// leaks are the likely credentials in the commits looked at so far.
type leaks struct {
	found  []leak
	commit string          // that is being looked at
	added  []leak          // what it adds
	gone   map[string]bool // what it takes away, as it stood
}

type leak struct {
	commit, path string
	line         int
	what         string // as it is told
	text         string // as it stands
}

func (l *leaks) scanPassage(p vault.Passage) error {
	if p.Commit != l.commit {
		l.endCommit()
		l.commit, l.gone = p.Commit, map[string]bool{}
	}
	for _, f := range secret.FindCredentials(p.Text) {
		text := string(p.Text[f.Start:f.End])
		if p.Gone {
			l.gone[text] = true
			continue
		}
		l.added = append(l.added, leak{p.Commit, p.Path, p.Line + f.Line - 1, f.String(p.Text), text})
	}
	return nil
}

// endCommit ends a commit: what it takes away in one place and adds in another is not new.
func (l *leaks) endCommit() {
	for _, a := range l.added {
		if !l.gone[a.text] {
			l.found = append(l.found, a)
		}
	}
	l.added = l.added[:0]
}

// errLeaks returns the error for the leaks. It names the oldest.
func (l *leaks) errLeaks() error {
	l.endCommit()
	if len(l.found) == 0 {
		return nil
	}
	first, more := l.found[0], ""
	if n := len(l.found) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return &vault.Error{Code: vault.CodeSecret, Path: first.path, Line: first.line,
		Msg:  fmt.Sprintf("this looks like %s, in the commit %.10s%s; a push would give it away for ever, so nothing was pushed", first.what, first.commit, more),
		Hint: fmt.Sprintf("take it out of the commit: git rebase -i %.10s^; if it is none, repeat the command with --allow-secret", first.commit)}
}
