package worktree

import (
	"bytes"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

// stray is a temporary file of a write that is over. A write leaves none; one comes back
// with git stash pop, with a copied folder, or with a disk that lost its last seconds.
type stray struct{ at, op string }

// Strays names the temporary files of writes that are over.
func (s *Store) Strays(ctx context.Context) (names []string, err error) {
	all, err := s.strays(ctx)
	for _, one := range all {
		names = append(names, s.relativeName(one.at))
	}
	return names, err
}

// ClearStrays puts away those strays whose text stands elsewhere too: in a file, in HEAD, or
// in the commit before that write. It returns the names of the others, which it leaves.
func (s *Store) ClearStrays(ctx context.Context) (left []string, err error) {
	all, err := s.strays(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	unlock, err := s.Lock(ctx, "sync")
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, one := range all {
		text, _, err := files.Read(one.at)
		if err != nil || !s.hasText(ctx, one, text) {
			left = append(left, s.relativeName(one.at))
			continue
		}
		if _, err := s.displacedFiles().Keep(one.op, one.at, s.relativeName(one.at), files.Digest(text)); err != nil {
			return left, s.writeError(err)
		}
	}
	return left, nil
}

// strays looks into each folder in which a scan looks, and into the top of the work tree,
// where agents' files lie.
func (s *Store) strays(ctx context.Context) (all []stray, err error) {
	if s.repo == nil {
		return nil, nil
	}
	look := func(dir string) {
		names, _ := files.Names(dir)
		for _, name := range names {
			if op, ok := tempOf(name); ok && s.isOver(op, filepath.Join(dir, name)) {
				all = append(all, stray{filepath.Join(dir, name), op})
			}
		}
	}
	if s.top != string(s.Dir) {
		look(s.top)
	}
	_, err = s.Folders(ctx, "", func(_ vault.Path, abs string) error {
		look(abs)
		return nil
	})
	return all, err
}

// isOver reports whether a temporary file is there though its write is no more. The write
// is asked for first: one that ends meanwhile has taken its file along.
func (s *Store) isOver(op, at string) bool {
	return !files.Present(s.intentFile(op)) && files.Present(at)
}

// tempOf returns the operation in the name of a temporary file.
func tempOf(name string) (op string, ok bool) {
	rest, ours := strings.CutPrefix(name, ".cp-")
	rest, temp := strings.CutSuffix(rest, tempSuffix)
	words := strings.SplitN(rest, "-", 3)
	if !ours || !temp || len(words) < 3 || words[1] == "" || words[2] == "" {
		return "", false
	}
	op = words[0] + "-" + words[1]
	_, ok = operation.MomentOf(op)
	return op, ok
}

// hasText reports whether what a stray says stands elsewhere too. One that a person has
// committed is theirs.
func (s *Store) hasText(ctx context.Context, one stray, text []byte) bool {
	tip, err := s.Tip(ctx)
	if err != nil {
		return false
	}
	there, own := s.commitHas(ctx, tip, one.at, text)
	if own || there || len(text) == 0 || files.Links(one.at) > 1 {
		return !own
	}
	if s.folderHas(one.at) {
		return true
	}
	there, _ = s.commitHas(ctx, s.beforeWrite(ctx, one), one.at, text)
	return there
}

// commitHas reports whether a commit has a file of the vault with the text, and whether it
// has the file at.
func (s *Store) commitHas(ctx context.Context, commit, at string, text []byte) (there, own bool) {
	blob, name := s.repo.BlobID(text), s.inTop(at)
	beside := make(map[string]string)
	err := s.repo.FilesAt(ctx, commit, []string{s.prefix}, func(file, id string) {
		there, own = there || id == blob && file != name, own || file == name
		if path.Dir(file) == path.Dir(name) && file != name {
			beside[file] = id
		}
	})
	if err != nil {
		return false, true
	}
	return there || s.becomes(ctx, beside, text), own
}

// becomes reports whether git makes the text of one of the blobs: line endings and filters may
// keep what a file says from being what is committed. They were compared as they are before.
func (s *Store) becomes(ctx context.Context, blobs map[string]string, text []byte) bool {
	names := slices.Sorted(maps.Keys(blobs))
	read, done, err := s.repo.Texts(ctx, names)
	if err != nil {
		return false
	}
	defer done()
	return slices.ContainsFunc(names, func(name string) bool {
		is, err := read(ctx, name, blobs[name])
		return err == nil && bytes.Equal(is, text)
	})
}

func (s *Store) inTop(at string) string {
	rel, _ := filepath.Rel(s.top, at)
	return filepath.ToSlash(rel)
}

// folderHas reports whether a file beside at has its text.
func (s *Store) folderHas(at string) bool {
	dir := filepath.Dir(at)
	names, _ := files.Names(dir)
	for _, name := range names {
		if _, temp := tempOf(name); !temp && files.SameText(at, filepath.Join(dir, name)) {
			return true
		}
	}
	return false
}

// beforeWrite returns the commit on which a write was made; none where it made no commit.
func (s *Store) beforeWrite(ctx context.Context, one stray) (parent string) {
	begun, _ := operation.MomentOf(one.op)
	folder := s.inTop(filepath.Dir(one.at))
	_ = s.repo.History(ctx, []string{folder}, func(r vault.Revision) bool {
		if r.Op == one.op {
			parent, _ = s.repo.Parent(ctx, r.Commit)
		}
		return parent == "" && r.Time.After(begun.AddDate(0, 0, -1))
	})
	return parent
}
