package gitstore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// refs keeps branches: in files, or in a reftable.
type refs interface {
	// head returns the branch HEAD stands on, through all symbolic refs, and
	// its commit; no branch on a detached HEAD, no commit on an unborn branch.
	head(ctx context.Context) (ref, commit string, err error)

	// prepare makes ready what update needs, before any lock is taken; discard
	// removes what is left of it.
	prepare(m move) error
	discard(m move) error

	// update moves ref from old to new (empty: no such ref), if HEAD still
	// stands on it and it on old; else the error is object.ErrMoved. install runs
	// when that is known and locked, right before the move.
	update(ctx context.Context, m move, install func() error) error
}

// move is a change of one ref.
type move struct {
	ref, old, new string
	who           string // for the reflog, with its time
	why           string // for the reflog
	log           bool   // begin a reflog where there is none
	zero          string // the null id
	state         string // folder of the markers
}

func (r *Repo) refs() refs {
	if r.format.reftable {
		return refCommand{r}
	}
	return refFiles{r}
}

// maxSymbolic is the number of symbolic refs that git follows.
const maxSymbolic = 5

// refFiles keeps each ref in a file, or in the file packed-refs.
type refFiles struct{ *Repo }

func (r refFiles) head(context.Context) (ref, commit string, err error) {
	at := filepath.Join(r.GitDir(), "HEAD")
	for range maxSymbolic {
		b, err := os.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) || plumb.IsFolder(err) {
			commit, err := r.findPacked(ref)
			return ref, commit, err
		}
		if err != nil {
			return "", "", err
		}
		to, symbolic := strings.CutPrefix(string(b), "ref:")
		if !symbolic {
			commit, err := r.parseID(at, b)
			return ref, commit, err
		}
		if ref = strings.TrimSpace(to); !plumb.ValidRef(ref) {
			return "", "", vault.Errorf(vault.CodeIO, "run: git fsck", "%s names the odd ref %q", at, ref)
		}
		at = filepath.Join(r.CommonDir(), filepath.FromSlash(ref))
	}
	return "", "", vault.Errorf(vault.CodeIO, "run: git symbolic-ref HEAD", "HEAD is a loop of symbolic refs")
}

// findPacked looks a ref up in packed-refs, whose lines are "<id> <ref>".
func (r refFiles) findPacked(ref string) (string, error) {
	b, err := os.ReadFile(filepath.Join(r.CommonDir(), "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	end := bytes.Index(b, []byte(" "+ref+"\n"))
	if end < 0 {
		return "", nil
	}
	return r.parseID("packed-refs", b[bytes.LastIndexByte(b[:end], '\n')+1:end])
}

func (r refFiles) parseID(at string, b []byte) (string, error) {
	id := strings.TrimSpace(string(b))
	if len(id) != r.IDs.Len() || !plumb.IsHex(id) {
		return "", vault.Errorf(vault.CodeIO, "run: git fsck", "%s does not hold a commit's id", at)
	}
	return id, nil
}
