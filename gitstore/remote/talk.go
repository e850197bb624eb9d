package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Fetch gets what upstream has and returns its commit; an empty one when there
// is no such branch there yet. Nothing but what belongs to it is fetched, and
// the remote-tracking branch follows as git's configuration says.
func (r Remote) Fetch(ctx context.Context, up vault.Upstream, say func(string)) (string, error) {
	at := cpRef("fetched", up)
	args := slices.Concat([]string{"fetch"}, progress(say), r.wholeCloneArgs(), []string{
		"--no-tags", "--no-prune", "--no-write-fetch-head", "--no-auto-maintenance", "--recurse-submodules=no", "--end-of-options",
		up.Remote, "+" + up.Ref + ":" + at})
	if r.Team {
		args = append(args, "+"+usageRefs+"*:"+usageCopies(up)+"*")
	}
	var err error
	for range fetchTries {
		if _, err = r.network(ctx, say, args...); err == nil {
			return r.CommitOf(ctx, at)
		}
		if errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			break
		}
		_, lerr := r.network(ctx, nil, "ls-remote", "--exit-code", "--end-of-options", up.Remote, up.Ref)
		if plumb.ExitCode(lerr) == 2 { // reached, and no such branch
			return "", nil
		}
		if lerr != nil {
			return "", err
		}
	}
	return "", err
}

// fetchTries bounds the tries of a fetch that fails although the remote can be reached:
// another program may have held the lock of a ref.
const fetchTries = 3

// wholeCloneArgs has a partial clone fetch everything.
func (r Remote) wholeCloneArgs() []string {
	switch {
	case r.Refetch:
		return []string{"--no-filter", "--refetch"}
	case r.Beside != "":
		return []string{"--no-filter"}
	}
	return nil
}

func progress(say func(string)) []string {
	if say == nil {
		return []string{"--no-progress"}
	}
	return []string{"--progress"}
}

// cpRef names a ref of ours that belongs to an upstream. It does not depend on the
// remote's name.
func cpRef(kind string, up vault.Upstream) string {
	sum := sha256.Sum256([]byte(up.Remote + "\x00" + up.Ref))
	return "refs/cp/" + kind + "/" + hex.EncodeToString(sum[:8])
}

// LastSeen returns the commit of upstream that HEAD was last brought together with;
// empty when there was none yet. SetSeen notes one.
func (r Remote) LastSeen(ctx context.Context, up vault.Upstream) (string, error) {
	return r.CommitOf(ctx, cpRef("upstream", up))
}

// SetSeen notes the commit of upstream that HEAD was brought together with.
func (r Remote) SetSeen(ctx context.Context, up vault.Upstream, commit string) error {
	_, err := r.Run(ctx, nil, "update-ref", cpRef("upstream", up), commit)
	return err
}

// Pin keeps a tree that is in no commit yet from a gc that comes between a crash
// and the recovery: the intent names its blobs. The ref stays until the next one.
func (r Remote) Pin(ctx context.Context, up vault.Upstream, tree string) error {
	_, err := r.Run(ctx, nil, "update-ref", cpRef("joined", up), tree)
	return err
}

// Keep keeps a commit under a name of ours, and returns that.
func (r Remote) Keep(ctx context.Context, commit string, at time.Time) (string, error) {
	out, err := r.Run(ctx, nil, "for-each-ref", "--points-at="+commit, "--format=%(refname)", "refs/cp/rescue/")
	if ref, _, _ := strings.Cut(string(out), "\n"); err != nil || ref != "" {
		return ref, err
	}
	ref := "refs/cp/rescue/" + at.UTC().Format("20060102T150405Z") + "-" + commit[:8]
	_, err = r.Run(ctx, nil, "update-ref", ref, commit)
	return ref, err
}

// Push brings a commit to upstream, and never forces it. moved says that
// upstream has moved on, or another push was at it: fetch, and try again.
func (r Remote) Push(ctx context.Context, up vault.Upstream, commit string, say func(string)) (moved bool, err error) {
	args := slices.Concat([]string{"push"}, progress(say), []string{
		"--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no", "--end-of-options", up.Remote, commit + ":" + up.Ref})
	out, err := r.network(ctx, say, args...)
	if err == nil {
		return false, r.SetSeen(ctx, up, commit)
	}
	why, rejected := rejection(out)
	if !rejected {
		return false, err
	}
	for _, race := range []string{"fetch first", "non-fast-forward", "needs force", "failed to update ref", "cannot lock ref", "failed to lock", "incorrect old value"} {
		if strings.Contains(why, race) {
			return true, nil
		}
	}
	return false, vault.Errorf(vault.CodeRemote, "ask those who keep the remote; your commits are all here", "%s refused the push: %s", up.Remote, why)
}

// rejection returns the reason of a line of git push --porcelain that begins with "!":
//
//	!	<from>:<to>	[rejected] (fetch first)
func rejection(out string) (why string, ok bool) {
	for line := range strings.Lines(out) {
		if fields := strings.SplitN(strings.TrimSpace(line), "\t", 3); fields[0] == "!" && len(fields) == 3 {
			return fields[2], true
		}
	}
	return "", false
}

// StepAside waits before another try at a push: longer each time, and never for the same
// time as those who try beside us.
func StepAside(ctx context.Context, try int) error {
	wait := time.Duration(try) * 100 * time.Millisecond
	return plumb.Sleep(ctx, wait/2+rand.N(wait))
}
