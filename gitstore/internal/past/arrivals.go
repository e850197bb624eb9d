package past

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Arrivals calls fn for each file below prefix that a commit brought to its path: that no
// parent of the commit had there. was is where it was before if it moved. The newest commit
// comes first. No clock decides about the order: a merge comes before the branch that it
// brought in, and this before what the merge found there.
//
// It tells of the commits that to reaches and from does not; an empty from is none. follows
// is false, and fn is not called, if from is not on the line of first parents of to: the
// older commits then come in another order than they did from there.
func (p Past) Arrivals(ctx context.Context, from, to, prefix string, fn func(a vault.Arrival, was, path string) (more bool)) (follows bool, err error) {
	args := []string{"-c", "log.follow=false", "-c", "log.showRoot=true", "log", "--no-show-signature", "--no-decorate", "--no-ext-diff", "--topo-order", "--full-history",
		"-c", "--raw", "-z", "--no-abbrev", p.alike(ctx), "-l1000", "--format=%H %at %an", to}
	if from != "" {
		if follows, err = p.continues(ctx, from, to); err != nil || !follows {
			return false, err
		}
		args = append(args, "^"+from)
	}
	var at vault.Arrival
	header := func(line string) {
		words := strings.SplitN(line, " ", 3)
		seconds, _ := strconv.ParseInt(words[1], 10, 64)
		at = vault.Arrival{Commit: words[0], Origin: vault.Origin{Time: time.Unix(seconds, 0).UTC(), Author: words[2]}}
	}
	return true, p.git.EachChange(ctx, limitToFolder(append(args, "--"), prefix), header, func(c plumb.Change) (more bool, err error) {
		if c.Status != 'A' && c.Status != 'R' {
			return true, nil
		}
		return fn(at, c.Was, c.Path), nil
	})
}

// alike returns the option by which moves are found. A partial clone may lack the texts
// that are compared for it; there only a file that stayed as it was counts as moved.
func (p Past) alike(ctx context.Context) string {
	own, err := p.git.Own(ctx)
	for key, value := range own {
		if err == nil && strings.HasPrefix(key, "remote.") && strings.HasSuffix(key, ".promisor") && plumb.IsTrue(value) {
			return "--find-renames=100%"
		}
	}
	return similar
}

// lineLimit bounds the commits that are read to see whether a history goes on from where
// it was. To ask git for all of it takes less than to read more of them one by one.
const lineLimit = 500

// continues reports whether from is one of the last first parents of to.
func (p Past) continues(ctx context.Context, from, to string) (bool, error) {
	o, err := p.source.Objects()
	if err != nil {
		return false, err
	}
	defer o.Close()
	for range lineLimit {
		if to == from {
			return true, nil
		}
		commit, err := object.ReadKind(ctx, o, object.KindCommit, to)
		if err != nil {
			return false, nil //nolint:nilerr // a shallow clone ends here
		}
		if to = firstParent(commit); to == "" {
			return false, nil
		}
	}
	return false, nil
}
