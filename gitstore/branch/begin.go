package branch

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// rootEnv and rootMessage make the first commit of every such branch the same one, so that
// branches begun in two clones have it in common and can be merged.
var rootEnv = []string{
	"GIT_AUTHOR_NAME=cp", "GIT_AUTHOR_EMAIL=cp@localhost", "GIT_AUTHOR_DATE=@0 +0000",
	"GIT_COMMITTER_NAME=cp", "GIT_COMMITTER_EMAIL=cp@localhost", "GIT_COMMITTER_DATE=@0 +0000",
}

const rootMessage = "memory: a branch of its own"

// askLimit bounds the time in which the remote has to answer.
const askLimit = 10 * time.Second

// makeBranch brings the branch about.
func (m *maker) makeBranch(ctx context.Context) error {
	theirs, up, err := m.askRemote(ctx)
	if err != nil {
		return err
	}
	ours, err := m.CommitOf(ctx, "refs/heads/"+m.Name)
	if err != nil {
		return err
	}
	for _, commit := range []string{theirs, ours} {
		if err := m.isVault(ctx, commit); err != nil {
			return err
		}
	}
	if err := m.startBranch(ctx, ours, theirs); err != nil {
		return err
	}
	return m.noteUpstream(ctx, up)
}

// startBranch makes the branch from what there is: the remote's, ours, or neither.
func (m *maker) startBranch(ctx context.Context, ours, theirs string) error {
	came, err := m.converting(ctx, ours)
	switch {
	case err != nil:
		return err
	case came && m.old != nil:
		m.made.Began = Converted
		return nil
	case came: // it has no place yet: the folder in the code was the vault, and may have been written to
	case ours == "" && theirs != "":
		m.made.Began = Fetched
		return m.create(ctx, theirs)
	case ours != "":
		m.made.Began = Local
		return m.forward(ctx, ours, theirs)
	}
	root, err := m.root(ctx)
	if err == nil && m.Convert != "" {
		m.made.Began = Converted
		return m.convert(ctx, root, ours)
	}
	m.made.Began = New
	if err == nil {
		err = m.create(ctx, root)
	}
	return err
}

func (m *maker) create(ctx context.Context, commit string) error {
	_, err := m.Run(ctx, nil, "update-ref", "-m", "cp init", "refs/heads/"+m.Name, commit, "")
	return err
}

// forward takes the branch to the remote's commit if that holds it and the branch has no
// worktree yet. Histories that went apart are a pull's to join.
func (m *maker) forward(ctx context.Context, ours, theirs string) error {
	if theirs == "" || ours == theirs {
		return nil
	}
	_, err := m.Run(ctx, nil, "merge-base", "--is-ancestor", ours, theirs)
	if plumb.ExitCode(err) == 1 || m.old != nil {
		m.note("the remote's branch %s has other commits: cp memory pull brings them in", m.Name)
		return nil
	}
	if err == nil {
		_, err = m.Run(ctx, nil, "update-ref", "-m", "cp init", "refs/heads/"+m.Name, theirs, ours)
	}
	return err
}

// root writes the first commit.
func (m *maker) root(ctx context.Context) (string, error) {
	tree, err := m.Run(ctx, nil, "mktree")
	if err != nil {
		return "", err
	}
	commit, err := m.RunWith(ctx, rootEnv, nil, "commit-tree", "-m", rootMessage, strings.TrimSpace(string(tree)))
	return strings.TrimSpace(string(commit)), err
}

// askRemote returns the commit of the branch at the remote, and where that is. A remote that
// cannot be reached is a note: what begins here is brought together with it later.
func (m *maker) askRemote(ctx context.Context) (theirs string, up vault.Upstream, err error) {
	if up, err = m.upstream(ctx); err != nil || up.Remote == "" {
		return "", up, err
	}
	r := m.Remote
	r.Limit = askLimit
	if s, err := m.Settings(ctx); err == nil { // of what this clone has, it may have only a part
		r.Refetch = plumb.IsTrue(s["remote."+up.Remote+".promisor"])
	}
	if r.Beside, err = m.made.Beside(ctx); err != nil {
		return "", up, err
	}
	if theirs, err = r.Fetch(ctx, up, nil); err != nil && ctx.Err() == nil {
		m.note("%s could not be asked for the branch %s (%v)", up.Remote, m.Name, err)
		err = nil
	}
	return theirs, up, err
}

// upstream returns where the branch is exchanged: as configured, else at the only remote or
// at origin. Without one it is empty.
func (m *maker) upstream(ctx context.Context) (vault.Upstream, error) {
	ref := "refs/heads/" + m.Name
	up, err := m.Upstream(ctx, ref)
	if err == nil {
		return up, nil
	}
	s, err := m.Settings(ctx)
	if err != nil || s["remote.origin.url"] == "" {
		return vault.Upstream{}, err
	}
	return vault.Upstream{Remote: "origin", Ref: ref}, nil
}

// noteUpstream notes the upstream as git does, for git push and git pull in the vault's folder.
func (m *maker) noteUpstream(ctx context.Context, up vault.Upstream) error {
	s, err := m.Settings(ctx)
	key := "branch." + m.Name
	if err != nil || up.Remote == "" || s[key+".remote"] != "" {
		return err
	}
	if _, err = m.Run(ctx, nil, "config", "--local", key+".remote", up.Remote); err == nil {
		_, err = m.Run(ctx, nil, "config", "--local", key+".merge", up.Ref)
	}
	return err
}

// isVault refuses a branch that holds other things.
func (m *maker) isVault(ctx context.Context, commit string) error {
	if commit == "" {
		return nil
	}
	holds, err := holdsVault(ctx, m.Git, commit)
	if err != nil || holds {
		return err
	}
	return vault.Errorf(vault.CodeInvalid, "choose another name, like --branch "+m.Name+"-notes", "the branch %s holds other things than a memory vault", m.Name)
}

// holdsVault reports whether a commit is of a branch that holds a vault: with a marker at its
// top, or without any file yet.
func holdsVault(ctx context.Context, g plumb.Git, commit string) (bool, error) {
	names, err := g.List(ctx, nil, "ls-tree", "-r", "-z", "--name-only", commit)
	if err != nil || len(names) == 0 {
		return err == nil, err
	}
	for _, name := range names {
		if name == ".cp/vault.yaml" {
			return true, nil
		}
	}
	return false, nil
}
