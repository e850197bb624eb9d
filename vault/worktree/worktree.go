package worktree

import (
	"cmp"
	"crypto/rand"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

// Options are settings of a Store; the zero value is the ordinary case.
type Options struct {
	Wait   time.Duration    // for the lock; 0 means 10 s
	Now    func() time.Time // nil means time.Now
	Random io.Reader        // for the names of operations; nil means crypto/rand
	Hasty  *Repo            // the repository for those who wait for nobody; nil is repo
	State  string           // the folder for state; empty means one in the git directory
	Leaves files.Leaves     // what is no memory, whatever its name
	Others []string         // paths of files that belong to others: no memories, and never taken
	NoRepo error            // why there is a repository that is not used; nil where there is none
}

// Store implements [vault.Store]. It may be used by several goroutines; Commit
// by the holder of the lock only.
type Store struct {
	files.Dir        // the vault's folder
	top       string // of the work tree, likewise; the root itself without git
	prefix    string // of root below top, slash-separated; empty at the top
	state     string // empty without git
	shared    string // the folder for the state that all work trees share; likewise
	repo      *Repo  // nil without git
	leaves    files.Leaves
	others    []string
	ruled     *atomic.Bool // git's rules fitted something in the vault
	noRepo    error        // why, where that is not because there is none
	wait      time.Duration
	quick     *Repo // the repository of a hasty one
	hasty     bool  // it waits for nobody
	now       func() time.Time
	random    io.Reader
	notes     []string // what recovery has to tell; the next receipt takes it

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
func Open(root string, repo *Repo, o Options) (*Store, error) {
	resolved, err := resolveDir(root)
	if err != nil {
		return nil, err
	}
	s := &Store{
		Dir: files.Dir(resolved), top: resolved, repo: repo, quick: cmp.Or(o.Hasty, repo), noRepo: o.NoRepo, leaves: o.Leaves, others: o.Others, ruled: new(atomic.Bool),
		wait: cmp.Or(o.Wait, 10*time.Second), now: o.Now, random: cmp.Or(o.Random, rand.Reader), exchange: disk.Exchange, link: disk.Link,
	}
	if s.now == nil {
		s.now = time.Now
	}
	for _, name := range o.Others {
		s.leaves = append(slices.Clip(s.leaves), "/"+name)
	}
	if repo == nil {
		return s, nil
	}
	if err := s.findVault(); err != nil {
		return nil, err
	}
	if o.State != "" {
		s.state, s.shared = o.State, o.State
	}
	return s, nil
}

// findVault finds the vault in its repository.
func (s *Store) findVault() error {
	top := string(s.Dir)
	if s.repo.Top() != top {
		var err error
		if top, err = resolveDir(s.repo.Top()); err != nil {
			return err
		}
	}
	rel, err := filepath.Rel(top, string(s.Dir))
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return vault.Errorf(vault.CodeInternal, "", "the vault %s is not in the work tree %s", string(s.Dir), top)
	}
	s.top = top
	if rel != "." {
		s.prefix = filepath.ToSlash(rel)
	}
	s.state = filepath.Join(s.repo.GitDir(), "cp", stateName(s.prefix))
	s.shared = filepath.Join(s.repo.CommonDir(), "cp", stateName(s.prefix))
	return nil
}

func resolveDir(dir string) (string, error) {
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
func (s *Store) Root() string { return string(s.Dir) }

// StateDir returns the folder of this work tree's state; it may not exist yet.
// It is empty without git.
func (s *Store) StateDir() string { return s.state }

// CommonStateDir returns the folder for the state that all work trees of the clone share.
func (s *Store) CommonStateDir() string { return s.shared }

// abs returns the absolute name of a path of the vault, or of the work tree's top.
func (s *Store) abs(p vault.Path, outside bool) string {
	if outside {
		return filepath.Join(s.top, filepath.FromSlash(string(p)))
	}
	return filepath.Join(string(s.Dir), filepath.FromSlash(string(p)))
}

// inRepo returns a path relative to the top of the work tree.
func (s *Store) inRepo(p vault.Path, outside bool) vault.Path {
	if outside {
		return p
	}
	return vault.Path(path.Join(s.prefix, string(p)))
}

// repoPaths returns paths of the vault as the repository names them.
func (s *Store) repoPaths(paths []vault.Path) []string {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = string(s.inRepo(p, false))
	}
	return names
}

// operations names operations.
func (s *Store) operations() operation.Names { return operation.Names{Now: s.now, Random: s.random} }

// displacedFiles returns the folder of the files that writes replace and remove.
func (s *Store) displacedFiles() operation.KeptFiles {
	return operation.KeptFiles{Dir: filepath.Join(s.state, "displaced"), Vault: string(s.Dir), Names: s.operations()}
}
