package worktree

import (
	"bytes"
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// ListModified returns the paths of which HEAD does not hold the text on disk, and those of
// which the staged text is neither HEAD's nor the disk's (line endings aside).
func (s *Store) ListModified(ctx context.Context, paths ...vault.Path) (disk, staged []vault.Path, err error) {
	tip, err := s.Tip(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = s.versions(ctx, tip, paths, func(p vault.Path, committed, inIndex []byte) error {
		b, _, err := s.Read(p)
		there := err == nil
		if err != nil && vault.CodeOf(err) != vault.CodeNotFound {
			return err
		}
		if there && !sameLines(b, committed) {
			disk = append(disk, p)
		}
		if inIndex != nil && !sameLines(inIndex, committed) && !(there && sameLines(inIndex, b)) {
			staged = append(staged, p)
		}
		return nil
	})
	return disk, staged, err
}

// versions calls fn with the texts of the paths in a commit and in the index.
func (s *Store) versions(ctx context.Context, commit string, paths []vault.Path, fn func(p vault.Path, committed, staged []byte) error) error {
	if s.repo == nil {
		for _, p := range paths {
			if err := fn(p, nil, nil); err != nil {
				return err
			}
		}
		return nil
	}
	names := s.repoPaths(paths)
	err := s.repo.Versions(ctx, commit, names, func(i int, committed, staged []byte) error { return fn(paths[i], committed, staged) })
	return s.nameFilteredFiles(err)
}

// sameLines reports whether two texts are the same but for line endings; nil is no text.
func sameLines(a, b []byte) bool {
	return (a == nil) == (b == nil) && bytes.Equal(unixLines(a), unixLines(b))
}

func unixLines(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }

// Head reads HEAD; without git it is empty.
func (s *Store) Head(ctx context.Context) (vault.Head, error) {
	if s.repo == nil {
		return vault.Head{}, nil
	}
	return s.repo.Head(ctx)
}

// Tip returns the commit at HEAD; none without git.
func (s *Store) Tip(ctx context.Context) (string, error) {
	if s.repo == nil {
		return "", nil
	}
	return s.repo.Tip(ctx)
}

// Changes calls fn for each Markdown file below the vault and each facts file that differs
// between two commits and that a scan would look at.
func (s *Store) Changes(ctx context.Context, from, to string, fn func(p vault.Path, blob string) error) error {
	if s.repo == nil {
		return nil
	}
	nested := s.inNested()
	return s.repo.Changes(ctx, from, to, s.prefix, func(name, blob string) error {
		p, ok := s.inVault(name)
		if !ok || !s.leaves.Candidate(p) || s.leftOut(p) || nested(p) {
			return nil
		}
		return fn(p, blob)
	})
}

// Arrivals calls fn for each Markdown file of the vault that a commit brought to its path,
// the newest commit first.
func (s *Store) Arrivals(ctx context.Context, from, to string, fn func(vault.Arrival) bool) (follows bool, err error) {
	if s.repo == nil {
		return true, nil
	}
	return s.repo.Arrivals(ctx, from, to, s.prefix, func(a vault.Arrival, was, name string) bool {
		var ok bool
		if a.Path, ok = s.inVault(name); !ok || a.Path.IsFacts() || !s.leaves.Candidate(a.Path) {
			return true
		}
		if old, ok := s.inVault(was); ok && s.leaves.Candidate(old) {
			a.From = old
		}
		return fn(a)
	})
}

// ReadAt returns a file's bytes in a commit.
func (s *Store) ReadAt(ctx context.Context, commit string, p vault.Path) ([]byte, error) {
	if s.repo == nil {
		return nil, s.noGit()
	}
	text, err := s.repo.ReadAt(ctx, commit, string(s.inRepo(p, false)))
	return text, s.nameFilteredFiles(err)
}

// History calls fn for the commits that touched any of the paths, the newest first.
func (s *Store) History(ctx context.Context, paths []vault.Path, fn func(vault.Revision) bool) error {
	if s.repo == nil {
		return nil
	}
	names := s.repoPaths(paths)
	return s.repo.History(ctx, names, fn)
}

// BlobID returns git's object id of b as a blob; without git, its SHA-1 form.
func (s *Store) BlobID(b []byte) string {
	if s.repo == nil {
		return blobSHA1(b)
	}
	return s.repo.BlobID(b)
}

func (s *Store) noGit() error {
	if s.noRepo != nil {
		return s.noRepo
	}
	return vault.Errorf(vault.CodeNoGit, "cd "+files.Quote(filepath.Clean(string(s.Dir)))+" && git init && cp init",
		"the vault is in no git repository")
}

// LeftOut returns the paths that a sparse checkout leaves out; none without git.
func (s *Store) LeftOut(ctx context.Context, paths []vault.Path) ([]vault.Path, error) {
	return s.among(ctx, paths, Repo.LeftOut)
}

// ListStaged returns the paths that a person has staged; none without git.
func (s *Store) ListStaged(ctx context.Context, paths []vault.Path) ([]vault.Path, error) {
	return s.among(ctx, paths, Repo.PickStaged)
}

// among asks the repository which of the paths are of some kind.
func (s *Store) among(ctx context.Context, paths []vault.Path, ask func(Repo, context.Context, []string) ([]string, error)) ([]vault.Path, error) {
	if s.repo == nil {
		return nil, nil
	}
	names := s.repoPaths(paths)
	named, err := ask(*s.repo, ctx, names)
	var out []vault.Path
	for _, name := range named {
		if p, ok := s.inVault(name); ok {
			out = append(out, p)
		}
	}
	return out, err
}
