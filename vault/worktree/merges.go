package worktree

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/converge"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// Merges implements [sync.Merges] and [sync.Conflicts].
type Merges struct{ store *Store }

var (
	_ sync.Merges    = Merges{}
	_ sync.Conflicts = Merges{}
)

// Merges returns the merges of the vault, which has a repository.
func (s *Store) Merges() Merges { return Merges{s} }

// markFile holds the commit up to which merges have been looked at. Without it
// they are looked at once more.
func (m Merges) markFile() string { return filepath.Join(m.store.state, "merges") }

// ListMerges returns the merges since the last one that was marked.
func (m Merges) ListMerges(ctx context.Context) (all []converge.Merge, first bool, err error) {
	mark, err := os.ReadFile(m.markFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) { // another user's may be read
		return nil, false, m.store.writeError(err)
	}
	tip, err := m.store.repo.Tip(ctx)
	since := strings.TrimSpace(string(mark))
	if err != nil || since == tip {
		return nil, len(mark) == 0, err
	}
	if all, err = m.store.repo.Merges(ctx, since); err == nil && len(all) == 0 {
		_ = m.Mark(ctx, tip) // there is nothing to do up to here; unmarked, the next look costs as much again
	}
	return all, len(mark) == 0, err
}

// Mark remembers how far the merges have been looked at.
func (m Merges) Mark(_ context.Context, commit string) error {
	if old, err := os.ReadFile(m.markFile()); err == nil && strings.TrimSpace(string(old)) == commit {
		return nil
	}
	if err := disk.Replace(m.markFile(), []byte(commit+"\n"), 0o666); err != nil {
		return m.store.writeError(err)
	}
	return nil
}

// Texts returns the texts of the paths that a commit has.
func (m Merges) Texts(ctx context.Context, commit string, paths []vault.Path) (map[vault.Path][]byte, error) {
	names := m.store.repoPaths(paths)
	texts := make(map[vault.Path][]byte)
	err := m.store.repo.TextsAt(ctx, commit, names, func(name string, text []byte) error {
		if p, ok := m.store.inVault(name); ok {
			texts[p] = text
		}
		return nil
	})
	return texts, err
}

// Others returns what a commit has below the folders that is no memory.
func (m Merges) Others(ctx context.Context, commit string, folders []vault.Path) (map[vault.Path]string, error) {
	names := m.store.repoPaths(folders)
	found := make(map[vault.Path]string)
	err := m.store.repo.FilesAt(ctx, commit, names, func(name, blob string) {
		if p, ok := m.store.inVault(name); ok && !p.IsMarkdown() {
			if _, err := vault.ParsePath(string(p)); err == nil {
				found[p] = blob
			}
		}
	})
	return found, err
}

// Replay merges two commits once more, as git does it by itself.
func (m Merges) Replay(ctx context.Context, a, b string, how converge.Replay) (text func(vault.Path) ([]byte, error), err error) {
	merged, err := m.store.repo.Replay(ctx, a, b, how)
	if err != nil || merged.Tree == "" {
		return nil, err
	}
	return func(p vault.Path) (text []byte, err error) {
		err = m.store.repo.TextsAt(ctx, merged.Tree, []string{string(m.store.inRepo(p, false))}, func(_ string, b []byte) error {
			text = b
			return nil
		})
		return text, err
	}, nil
}

// FindArrival returns the commit between base and tip that brought a file.
func (m Merges) FindArrival(ctx context.Context, base, tip string, p vault.Path) (vault.Revision, error) {
	return m.store.repo.FindArrival(ctx, base, tip, string(m.store.inRepo(p, false)))
}

// ListUnmerged lists the vault's files with conflicts, but for read-only notes, which are git's
// and their person's.
func (m Merges) ListUnmerged(ctx context.Context) ([]sync.Conflicted, error) {
	var all []sync.Conflicted
	err := m.store.repo.EachUnmerged(ctx, m.store.prefix, func(name string, base, ours, theirs []byte) error {
		if p, ok := m.store.inVault(name); ok && m.store.leaves.Candidate(p) && !readOnly(p, ours, theirs) {
			all = append(all, sync.Conflicted{Path: p, Base: base, Ours: ours, Theirs: theirs})
		}
		return nil
	})
	return all, err
}

// readOnly reports whether one of the versions of a file is a read-only note, in which nothing
// is written.
func readOnly(p vault.Path, versions ...[]byte) bool {
	return p.Foreign() && slices.ContainsFunc(versions, func(doc []byte) bool { return doc != nil && vault.ParseText(p, doc).ReadOnly() })
}

// FindSides returns the commits that are being joined.
func (m Merges) FindSides(ctx context.Context) ([2]string, error) { return m.store.repo.FindSides(ctx) }

// Rewrite exchanges a file for a new text, and keeps what it replaces. The
// vault's lock is held.
func (m Merges) Rewrite(ctx context.Context, p vault.Path, was, text []byte) (bool, error) {
	op, err := m.store.operations().New()
	if err != nil {
		return false, err
	}
	e := &edit{Edit: vault.Edit{Path: p, Steps: []vault.Step{{Op: vault.OpSetText, Text: string(text)}}}, Kind: changes}
	r := m.store.newRun(ctx, &intent{Op: op})
	at := m.store.abs(p, false)
	cur, err := readVersion(at)
	if err != nil || !bytes.Equal(cur.text, was) {
		return false, files.IgnoreMissing(err)
	}
	done, err := r.swap(at, cur, text, e)
	if err == nil {
		err = r.sync()
	}
	if err != nil {
		return done, m.store.writeError(err)
	}
	return done, nil
}
