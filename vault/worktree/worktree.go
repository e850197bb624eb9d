package worktree

import (
	"context"
	"crypto/rand"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Repo is what the vault needs of its git repository. Paths are relative to
// the top of the work tree; state is a folder for the repository's own notes.
type Repo interface {
	// Top, GitDir and CommonDir are absolute; the last two differ in linked work trees.
	Top() string
	GitDir() string
	CommonDir() string

	Head(ctx context.Context) (vault.Head, error)
	Tip(ctx context.Context) (string, error)

	// Publish records edits on HEAD's tree and on the index, and never touches
	// the files of the work tree. Publishing an Op again changes nothing.
	Publish(ctx context.Context, c vault.Commit, state string) (vault.Published, error)

	// Recover removes what a killed Publish left behind. Blocked returns why Publish
	// would have to wait then: a lock of another program's.
	Recover(ctx context.Context, state string) error
	Blocked(ctx context.Context) error

	// Holds reports whether a commit of the operation is in HEAD's history.
	Holds(ctx context.Context, op, state string) (bool, error)

	// Rewound returns the operations that a git reset which came too late took from
	// the branch and that were not made again: those that remakes says can be, and
	// of the others those that are on no remote branch.
	Rewound(ctx context.Context, state string, remakes func(op string) bool) (lost, gone []vault.Revision, err error)

	// Reverted returns the operations whose files are staged as they were before;
	// kept tells when an operation that counts was begun and done. Restage puts such
	// files in the index to what HEAD has.
	Reverted(ctx context.Context, state string, kept func(op string) (begun, done time.Time)) (vault.Reversal, error)
	Restage(ctx context.Context, state string, files []vault.Difference) error

	// Rehearse reports why a commit with a Join could not be published, and
	// changes nothing that anybody sees. Includes reports whether a commit's
	// history holds another; Texts opens blobs as files at the paths would hold them.
	Rehearse(ctx context.Context, c vault.Commit) error
	Includes(ctx context.Context, descendant, ancestor string) (bool, error)
	Texts(ctx context.Context, paths []string) (text func(ctx context.Context, path, id string) ([]byte, error), done func(), err error)

	Changes(ctx context.Context, from, to, prefix string, fn func(path, blob string) error) error
	ReadAt(ctx context.Context, commit, path string) ([]byte, error)
	Versions(ctx context.Context, commit string, paths []string, fn func(i int, committed, staged []byte) error) error
	History(ctx context.Context, paths []string, fn func(vault.Revision) bool) error
	Ignored(ctx context.Context, paths []string) ([]string, error)
	LeftOut(ctx context.Context, paths []string) ([]string, error)
	Staged(ctx context.Context, paths []string) ([]string, error)
	BlobID(b []byte) string
}

// Options are settings of a Store; the zero value is the ordinary case.
type Options struct {
	Wait   time.Duration    // for the lock; 0 means 10 s
	Now    func() time.Time // nil means time.Now
	Random io.Reader        // for the names of operations; nil means crypto/rand
	Hasty  Repo             // the repository for those who wait for nobody; nil is repo
	NoRepo error            // why there is a repository that is not used; nil where there is none
}

// Store implements [vault.Store]. It may be used by several goroutines; Commit
// by the holder of the lock only.
type Store struct {
	root   string // absolute, symbolic links resolved
	top    string // of the work tree, likewise; the root itself without git
	prefix string // of root below top, slash-separated; empty at the top
	state  string // empty without git
	repo   Repo   // nil without git
	noRepo error  // why, where that is not because there is none
	wait   time.Duration
	quick  Repo // the repository of a hasty one
	hasty  bool // it waits for nobody
	now    func() time.Time
	random io.Reader
	notes  []string // what recovery has to tell; the next receipt takes it

	// The two calls that some file systems lack; tests take them away.
	exchange func(a, b string) error
	link     func(from, to string) error
}

// Ports returns the store as the vault needs it.
func (s *Store) Ports() vault.Store {
	return vault.Store{Source: vault.Source{Files: s, Commits: s}, FileStatus: s, Snapshots: s, Writer: s, Recovery: s, Outbox: s}
}

// Open returns the store of the vault in the folder root. Without a repository
// (repo is nil) it reads; writes fail with CodeNoGit. Open changes nothing.
func Open(root string, repo Repo, o Options) (*Store, error) {
	resolved, err := resolve(root)
	if err != nil {
		return nil, err
	}
	s := &Store{
		root: resolved, top: resolved, repo: repo, noRepo: o.NoRepo, wait: o.Wait, now: o.Now, random: o.Random,
		quick: o.Hasty, exchange: disk.Exchange, link: disk.Link,
	}
	if s.quick == nil {
		s.quick = repo
	}
	if s.wait == 0 {
		s.wait = 10 * time.Second
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if repo == nil {
		return s, nil
	}
	return s, s.place()
}

// place finds the vault in its repository.
func (s *Store) place() error {
	top, err := resolve(s.repo.Top())
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(top, s.root)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return vault.Errorf(vault.CodeInternal, "", "the vault %s is not in the work tree %s", s.root, top)
	}
	s.top = top
	if rel != "." {
		s.prefix = filepath.ToSlash(rel)
	}
	s.state = filepath.Join(s.repo.GitDir(), "cp", stateName(s.prefix))
	return nil
}

func resolve(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return "", vault.Errorf(vault.CodeIO, "", "cannot open the folder %s: %w", dir, err)
	}
	return real, nil
}

// stateName turns the vault's place in the repository into one file name, a
// different one for each place.
func stateName(prefix string) string {
	switch prefix {
	case "":
		return "root"
	case "root":
		return "%72oot"
	}
	return url.PathEscape(prefix)
}

// Root returns the vault's folder, symbolic links resolved.
func (s *Store) Root() string { return s.root }

// StateDir returns the folder of this work tree's state; it may not exist yet.
// It is empty without git.
func (s *Store) StateDir() string { return s.state }

// CommonStateDir is StateDir for what all work trees of the clone share.
func (s *Store) CommonStateDir() string {
	if s.repo == nil {
		return ""
	}
	return filepath.Join(s.repo.CommonDir(), "cp", stateName(s.prefix))
}

// abs returns the absolute name of a path of the vault, or of the work tree's top.
func (s *Store) abs(p vault.Path, outside bool) string {
	if outside {
		return filepath.Join(s.top, filepath.FromSlash(string(p)))
	}
	return filepath.Join(s.root, filepath.FromSlash(string(p)))
}

// inRepo returns a path relative to the top of the work tree.
func (s *Store) inRepo(p vault.Path, outside bool) vault.Path {
	if outside {
		return p
	}
	return vault.Path(path.Join(s.prefix, string(p)))
}
