package worktree

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// archive is the past of the store's vault. Questions that name no path are answered by
// the repository itself.
type archive struct {
	*Repo
	store *Store
}

// Archive returns the past of the vault, which has a repository.
func (s *Store) Archive() *past.Archive {
	a := archive{s.repo, s}
	return &past.Archive{Revisions: a, Trails: a, Texts: a}
}

// Log calls fn for the commits of a query, the newest first.
func (a archive) Log(ctx context.Context, q past.LogQuery, fn func(vault.Revision) bool) error {
	file := ""
	if q.Path != "" {
		file = a.name(q.Path)
	}
	return a.Repo.Log(ctx, q, a.store.prefix, file, fn)
}

// ListTouched lists the memories' and facts files that differ between two commits. A facts file
// does not move: one goes and another comes.
func (a archive) ListTouched(ctx context.Context, from, to string) ([]past.Touch, error) {
	var all []past.Touch
	err := a.Repo.EachTouched(ctx, from, to, a.store.prefix, func(status byte, was, now, blob string) {
		p, ok := a.store.inVault(now)
		old, moved := a.store.inVault(was)
		moved = moved && a.store.leaves.Candidate(old)
		switch in := ok && a.store.leaves.Candidate(p); {
		case in && moved && (p.IsFacts() || old.IsFacts()):
			all = append(all, past.Touch{Path: old, Blob: blob, Gone: true}, past.Touch{Path: p, Blob: blob, New: true})
		case in && status == 'R' && moved:
			all = append(all, past.Touch{Path: p, From: old, Blob: blob})
		case in:
			all = append(all, past.Touch{Path: p, Blob: blob, Gone: status == 'D', New: status == 'A' || status == 'R'})
		case moved: // out of the vault, or to a name that is none
			all = append(all, past.Touch{Path: old, Blob: blob, Gone: true})
		}
	})
	return all, err
}

// FindFormerPath returns where the file of a commit was in another one.
func (a archive) FindFormerPath(ctx context.Context, from, to string, p vault.Path) (vault.Path, error) {
	was, err := a.Repo.FindFormerName(ctx, from, to, a.store.prefix, a.name(p))
	old, ok := a.store.inVault(was)
	if err != nil || !ok || !a.store.leaves.Candidate(old) || old.IsFacts() {
		return "", err
	}
	return old, nil
}

// Seek returns the path of the file that carries the id in a commit.
func (a archive) Seek(ctx context.Context, commit string, id vault.ID) (vault.Path, error) {
	names, err := a.Repo.Seek(ctx, commit, string(id), a.store.prefix)
	for _, name := range names {
		if p, ok := a.carries(ctx, commit, name, id); ok {
			return p, nil
		}
	}
	return "", err
}

// FindDeletion returns the newest commit that took the file with the id away.
func (a archive) FindDeletion(ctx context.Context, from string, id vault.ID) (commit string, p vault.Path, err error) {
	err = a.Repo.EachRemoved(ctx, from, a.store.prefix, func(c, name string, text []byte) bool {
		at, ok := a.store.inVault(name)
		if ok && a.store.leaves.Candidate(at) && !at.IsFacts() && vault.Parse(at, text).ID.Is(id) {
			commit, p = c, at
		}
		return commit == ""
	})
	if err == nil && commit == "" {
		err = vault.NotFound(string(id))
	}
	return commit, p, err
}

// Versions calls fn for each of the files that a commit has.
func (a archive) Versions(ctx context.Context, commit string, files []past.Version, fn func(p vault.Path, text []byte) error) error {
	var known []past.Version
	var names []string
	at := make(map[string]vault.Path)
	for _, f := range files {
		if f.Blob != "" {
			known = append(known, f)
			continue
		}
		name := a.name(f.Path)
		names, at[name] = append(names, name), f.Path
	}
	if err := a.blobs(ctx, known, fn); err != nil {
		return err
	}
	return a.Repo.TextsAt(ctx, commit, names, func(name string, text []byte) error { return fn(at[name], text) })
}

// blobs calls fn for files whose blobs are known.
func (a archive) blobs(ctx context.Context, files []past.Version, fn func(p vault.Path, text []byte) error) error {
	if len(files) == 0 {
		return nil
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = a.name(f.Path)
	}
	read, done, err := a.Repo.Texts(ctx, names)
	if err != nil {
		return err
	}
	defer done()
	for i, f := range files {
		text, err := read(ctx, names[i], f.Blob)
		if err == nil {
			err = fn(f.Path, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// carries reports whether the file of that name is in the vault and has the id in a
// commit.
func (a archive) carries(ctx context.Context, commit, name string, id vault.ID) (vault.Path, bool) {
	p, ok := a.store.inVault(name)
	if !ok || !a.store.leaves.Candidate(p) || p.IsFacts() {
		return "", false
	}
	doc, err := a.store.ReadAt(ctx, commit, p)
	return p, err == nil && vault.Parse(p, doc).ID.Is(id)
}

// Diff returns the changes that turn a commit's version of a file into the one on disk.
func (a archive) Diff(ctx context.Context, commit string, was, now vault.Path) (string, error) {
	return a.Repo.Diff(ctx, commit, a.name(was), a.name(now))
}

// Blame tells of each line of the file on disk which commit wrote it.
func (a archive) Blame(ctx context.Context, p vault.Path) ([]past.BlameRow, error) {
	return a.Repo.Blame(ctx, a.name(p))
}

func (a archive) name(p vault.Path) string { return string(a.store.inRepo(p, false)) }
