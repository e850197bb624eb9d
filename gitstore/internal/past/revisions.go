package past

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// logFields are the fields that git log prints for each commit, in the order in which
// revision reads them. Each ends in NUL.
var logFields = [...]string{
	"%H", "%ct", "%an", "%s", plumb.Trailer("Cp-Op"), plumb.Trailer("Cp-Verb"), plumb.Trailer("Cp-Id"), plumb.Trailer("Cp-Agent"),
	plumb.Trailer("Cp-Undoes"), "%(trailers:key=Cp-Adopts,valueonly,separator=%x0a)",
}

// Revisions calls fn for the commits that git log lists with the arguments, until
// fn returns false.
func (p Past) Revisions(ctx context.Context, args []string, fn func(vault.Revision) bool) error {
	args = append([]string{"-c", "log.follow=false", "log", "--no-show-signature", "--no-decorate", "--no-patch",
		"--format=" + strings.Join(logFields[:], "%x00") + "%x00"}, args...)
	return p.git.Stream(ctx, nil, args, func(out io.Reader) (more bool, err error) {
		return eachRevision(bufio.NewReader(out), fn)
	})
}

// eachRevision parses what git log writes in logFields; more is false when fn had enough.
func eachRevision(in *bufio.Reader, fn func(vault.Revision) bool) (more bool, err error) {
	for {
		var f [len(logFields)]string
		for i := range f {
			s, err := in.ReadString(0)
			if errors.Is(err, io.EOF) && strings.TrimSpace(s) == "" && i == 0 {
				return true, nil
			}
			if err != nil {
				return false, err
			}
			f[i] = strings.TrimSpace(strings.TrimSuffix(s, "\x00"))
		}
		seconds, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			return false, err
		}
		if !fn(vault.Revision{Commit: f[0], Time: time.Unix(seconds, 0).UTC(), Author: f[2], Subject: f[3],
			Op: f[4], Verb: f[5], ID: vault.ID(f[6]), Agent: f[7], Undoes: strings.Fields(f[8]),
			Adopts: strings.FieldsFunc(f[9], func(r rune) bool { return r == '\n' })}) {
			return false, nil
		}
	}
}

// History calls fn for the commits reachable from HEAD that touched any of the
// paths, the newest first, until fn returns false. A rename is not followed.
func (p Past) History(ctx context.Context, paths []string, fn func(vault.Revision) bool) error {
	head, err := p.source.Tip(ctx)
	if err != nil || head == "" || len(paths) == 0 {
		return err
	}
	return p.Revisions(ctx, append([]string{head, "--"}, paths...), fn)
}

// HasOperation reports whether the history of head holds a commit of that operation. It
// looks for the trailer, which a rebase keeps while the commit's id changes.
func (p Past) HasOperation(ctx context.Context, op, head string) (found bool, err error) {
	err = p.Revisions(ctx, []string{"--fixed-strings", "--grep=Cp-Op: " + op, head}, func(rev vault.Revision) bool {
		found = rev.Op == op
		return !found
	})
	return found, err
}

// Between returns the commits that to reaches and from does not, the oldest
// first; none where one of the two is gone.
func (p Past) Between(ctx context.Context, from, to string) (all []vault.Revision) {
	err := p.Revisions(ctx, []string{"--topo-order", "--reverse", to, "^" + from, "--"}, func(rev vault.Revision) bool {
		all = append(all, rev)
		return true
	})
	if err != nil {
		return nil
	}
	return all
}

// FindArrival returns the commit between base and tip that brought a path.
func (p Past) FindArrival(ctx context.Context, base, tip, path string) (first vault.Revision, err error) {
	args := []string{"--topo-order", tip, "--", path}
	if base != "" {
		args = []string{"--topo-order", tip, "^" + base, "--", path}
	}
	err = p.Revisions(ctx, args, func(rev vault.Revision) bool {
		first = rev
		return true
	})
	return first, err
}

// Includes reports whether descendant's history holds ancestor. No commit is in
// every history.
func (p Past) Includes(ctx context.Context, descendant, ancestor string) (bool, error) {
	if descendant == "" || ancestor == "" || descendant == ancestor {
		return ancestor == "" || descendant == ancestor, nil
	}
	_, err := p.git.Run(ctx, nil, "merge-base", "--is-ancestor", ancestor, descendant)
	if plumb.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
