package worktree

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
)

// Taking over another clone's history is a write like any other. The intent
// names the blobs each file goes from and into, not their bytes: those are in
// the repository. What a person has typed and not committed is merged with
// what comes, in the work tree alone; where the two exclude each other the whole
// is refused before anything has changed.

// blobText returns the text that a file at path would have of a blob.
type blobText func(ctx context.Context, path, id string) ([]byte, error)

// blobs opens the texts that the edits take. It returns nil if they take none.
func (s *Store) blobs(ctx context.Context, edits []vault.Edit) (blobText, func(), error) {
	var paths []string
	for _, e := range edits {
		if e.Taken != nil {
			paths = append(paths, string(e.Path))
		}
	}
	if paths == nil {
		return nil, func() {}, nil
	}
	return s.repo.Texts(ctx, paths)
}

// allThere refuses what a sparse checkout leaves out of the work tree.
func (s *Store) allThere(ctx context.Context, c *vault.Change) error {
	if c.Join == nil {
		return nil
	}
	var paths []string
	for _, e := range c.Edits {
		paths = append(paths, string(e.Path))
	}
	out, err := s.repo.LeftOut(ctx, paths)
	if err != nil || len(out) == 0 {
		return err
	}
	return vault.Errorf(vault.CodeConflict, "git pull, or: git sparse-checkout add "+files.Quote(filepath.Dir(out[0])),
		"what came changes %d files outside the sparse checkout, like %s; nothing has changed", len(out), out[0])
}

// planEdit plans what becomes of one file.
func (p *planner) planEdit(e *edit) error {
	switch {
	case !e.Outside:
		return vault.Errorf(vault.CodeInternal, "", "%s is taken by a path of the vault", e.Path)
	case !e.Taken.Plain():
		return vault.Errorf(vault.CodeConflict, "git pull", "%s is or becomes something else than an ordinary file, which cp leaves to git", e.Path)
	}
	at := p.s.abs(e.Path, true)
	now, _, err := files.Read(at)
	there := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return p.untakable(e, err)
	}
	from, into, err := p.both(e)
	if err != nil {
		return err
	}
	switch {
	case e.Taken.From != "" && !there && e.Taken.Into != "":
		return vault.Errorf(vault.CodeDirty, "cp memory sync", "%s was moved or deleted by hand, and what came changes it; nothing has changed", e.Path)
	case e.Taken.Into == "":
		return p.takeAway(e, now, from, there)
	case !there:
		e.After = files.Digest(into)
		return writable(filepath.Dir(at))
	}
	return p.takeInto(e, at, now, from, into)
}

// untakable refuses a file that cannot be read as one.
func (p *planner) untakable(e *edit, err error) error {
	if errors.Is(err, files.ErrTooBig) {
		return vault.Errorf(vault.CodeConflict, "git pull", "%s is larger than cp brings along (4 MiB)", e.Path)
	}
	return files.ReadError(p.s.abs(e.Path, true), e.Path, err)
}

// both returns the texts that the file comes from and goes to. nil means no file.
func (p *planner) both(e *edit) (from, into []byte, err error) {
	if e.Taken.From != "" {
		if from, err = p.blob(p.ctx, string(e.Path), e.Taken.From); err != nil {
			return nil, nil, err
		}
	}
	if e.Taken.Into != "" {
		if into, err = p.blob(p.ctx, string(e.Path), e.Taken.Into); err != nil {
			return nil, nil, err
		}
	}
	if len(into) > vault.MaxFile {
		return nil, nil, p.untakable(e, files.ErrTooBig)
	}
	return from, into, nil
}

// takeAway plans a removal: of a file that is as it was committed.
func (p *planner) takeAway(e *edit, now, from []byte, there bool) error {
	f := found{}
	switch {
	case !there:
	case !bytes.Equal(now, from):
		p.inWay = append(p.inWay, string(e.Path))
	default:
		f.Digest = files.Digest(now)
	}
	e.Files = append(e.Files, f)
	return writable(filepath.Dir(p.s.abs(e.Path, true)))
}

// takeInto plans what becomes of a file that is there.
func (p *planner) takeInto(e *edit, at string, now, from, into []byte) error {
	next, ok := blendVersions(e, from, now, into)
	if !ok {
		p.inWay = append(p.inWay, string(e.Path))
		return nil
	}
	e.Before, e.After = files.Digest(now), files.Digest(next)
	if err := sysfile.CanWrite(at); err != nil {
		return pathError("write", at, err)
	}
	return writable(filepath.Dir(at))
}

// blendVersions merges a person's text with the one that comes. A file that nobody committed is
// taken for that one only if both say the same.
func blendVersions(e *edit, from, now, into []byte) ([]byte, bool) {
	switch {
	case bytes.Equal(now, into):
		return now, true
	case e.Taken.From == "":
		return nil, false
	case bytes.Equal(now, from):
		return into, true
	}
	return vault.Blend(string(e.Path), from, now, into)
}

// joinable refuses what a person's uncommitted or staged edits exclude.
func (p *planner) joinable(in *intent) error {
	if len(p.inWay) > 0 {
		return vault.InTheWay("uncommitted edits or untracked files", "commit or move them first", p.inWay)
	}
	if in.Join == nil {
		return nil
	}
	c := vault.Commit{Op: in.Op, Join: in.Join}
	for _, e := range in.Edits {
		c.Edits = append(c.Edits, vault.Edit{Path: e.Path, Taken: e.Taken})
	}
	return p.s.repo.Rehearse(p.ctx, c)
}
