package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/internal/past"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/gitstore/remote"
	"github.com/cp-memory/cp/vault"
)

// Repo is one work tree of a git repository. It holds no open files, and may be
// used by many goroutines.
type Repo struct {
	remote.Remote
	past.Past
	format format

	driver string // git's command line of the merge driver for memories; empty leaves it to git's configuration

	wait         time.Duration // for a lock of git's that another program holds
	patience     time.Duration // for a git reset that has let go of its lock
	plumbingOnly bool          // tests: never the native engine

	surveyed atomic.Pointer[gitindex.Survey] // the last one
}

// BlobID returns git's object id of b as a blob.
func (r *Repo) BlobID(b []byte) string { return r.IDs.HashObject(object.KindBlob, b) }

// Exchanging returns the repository set up for exchanges: driver is the command with which
// MergeTrees merges memories, written as in git's configuration, limit bounds a talk with
// a remote, and team says whether the counts of other clones are fetched, too.
func (r *Repo) Exchanging(driver string, limit time.Duration, team bool) *Repo {
	c := r.twin()
	c.driver, c.Limit, c.Team = driver, limit, team
	return c
}

// Beside returns the repository set up for a vault on a branch of its own: it talks to
// remotes from the folder dir.
func (r *Repo) Beside(dir string) *Repo {
	c := r.twin()
	c.Remote.Beside = dir
	return c
}

// Hasty returns the same repository for callers that wait for no lock of another program.
func (r *Repo) Hasty() *Repo {
	c := r.twin()
	c.wait = 0
	return c
}

// twin returns the same repository for another kind of use. Both share what is known of
// git's settings.
func (r *Repo) twin() *Repo {
	c := &Repo{Remote: r.Remote, format: r.format, driver: r.driver,
		wait: r.wait, patience: r.patience, plumbingOnly: r.plumbingOnly}
	c.Past = past.New(c.Git, c.IDs, c)
	return c
}

// FindRepo returns the repository whose work tree holds dir, which must exist. The error has
// CodeNoGit if there is none, is an [ErrBare] if the repository has no work tree, and a
// [vault.ErrRefused] if git would refuse it.
func FindRepo(dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	start, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	for at := start; ; at = filepath.Dir(at) {
		gitDir, err := gitDirIn(at)
		if err != nil {
			return nil, err
		}
		if gitDir != "" {
			return openRepo(at, gitDir)
		}
		if isGitDir(at) {
			return nil, errBareRepo("%s is a bare repository or the inside of a .git folder: it has no files to keep memories in", at)
		}
		if filepath.Dir(at) == at {
			return nil, vault.Errorf(vault.CodeNoGit, "run: git init "+start, "%s is in no git repository", start)
		}
	}
}

// ErrBare is the cause of the error for a repository without a work tree.
var ErrBare = errors.New("bare repository")

func errBareRepo(format, dir string) error {
	return &vault.Error{Code: vault.CodeNoGit, Msg: fmt.Sprintf(format, dir), Hint: "clone it and use the clone's work tree", Err: ErrBare}
}

// Init makes dir, which must exist, a git repository.
func Init(ctx context.Context, dir string) error {
	_, err := plumb.Command(ctx, dir, "init", "--quiet", dir)
	return err
}

// gitDirIn returns the git directory that dir/.git is or names; empty without one.
func gitDirIn(dir string) (string, error) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return "", nil
	}
	if info.IsDir() {
		if err := refusePipes(dot); err != nil || !isGitDir(dot) {
			return "", err
		}
		return filepath.EvalSymlinks(dot)
	}
	to, err := plumb.ReadGitFile(dot)
	if err == nil && to != "" {
		err = refusePipes(to)
	}
	if err != nil {
		return "", err
	}
	if to == "" {
		return "", vault.Errorf(vault.CodeNoGit, "repair it, or give it another name", "%s is neither a git directory nor the name of one", dot)
	}
	if !isGitDir(to) {
		return "", vault.Errorf(vault.CodeNoGit, "try: git worktree repair", "%s names %s, which is no git directory", dot, to)
	}
	return filepath.EvalSymlinks(to)
}

// refusePipes fails if a file that is read of every git directory is a pipe or a device: who opened it
// would wait for ever.
func refusePipes(gitDir string) error {
	for _, name := range []string{"HEAD", "commondir", "config", "index", "packed-refs"} {
		file := filepath.Join(gitDir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return vault.Errorf(vault.CodeIO, "put a file in its place", "%s is a pipe or a device, and no file", file)
		}
	}
	return nil
}

// isGitDir applies git's own test: a HEAD, and objects and refs here or in the common directory.
func isGitDir(dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, "HEAD")); err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, err := os.ReadFile(filepath.Join(dir, "HEAD"))
	if err != nil || !(bytes.HasPrefix(head, []byte("ref: refs/")) || plumb.IsHex(strings.TrimSpace(string(head)))) {
		return false
	}
	common, err := plumb.CommonDirOf(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// openRepo completes what Find discovered.
func openRepo(top, gitDir string) (*Repo, error) {
	common, err := plumb.CommonDirOf(gitDir)
	if err == nil && common != gitDir {
		err = refusePipes(common)
	}
	if err != nil {
		return nil, err
	}
	git := plumb.NewGit(top, gitDir, common)
	if err := git.CheckTrust(context.Background()); err != nil {
		return nil, err
	}
	own, err := git.Own(context.Background())
	if err != nil {
		return nil, err
	}
	f := readFormat(own, gitDir)
	if f.bare && gitDir == common {
		return nil, errBareRepo("%s is a bare repository: it has no files to keep memories in", gitDir)
	}
	if f.worktree != "" && gitDir == common { // it says nothing of linked worktrees
		if top, err = filepath.EvalSymlinks(f.worktree); err != nil {
			return nil, err
		}
	}
	r := Repo{Remote: remote.Remote{Git: plumb.NewGit(top, gitDir, common), IDs: f.ids}, format: f, wait: lockWait, patience: nestedWait}
	return r.twin(), nil
}
