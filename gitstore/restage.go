package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

const (
	restagedAt   = "mended" // in the state: when the ORIG_HEAD of the last Restage was written, and how many there were
	mostRestages = 2        // for one ORIG_HEAD: a merge that fails writes the index, and then resets it
)

// restages returns how often something was put back since ORIG_HEAD was written.
func restages(state string, at time.Time) (n int) {
	times, when, _ := strings.Cut(readNote(state, restagedAt), " ")
	if when == at.String() {
		n, _ = strconv.Atoi(times)
	}
	return n
}

// Restage puts files in the index to what HEAD has of them, where they are staged
// as a Reversal found them, and notes that this was done.
func (r *Repo) Restage(ctx context.Context, state string, files []vault.Difference) error {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	o, err := r.openIndex(ctx, paths)
	if err != nil {
		return plumb.IOError(err)
	}
	defer o.Close()
	for _, f := range files {
		now, ok, err := o.stage.Find(ctx, f.Path)
		switch {
		case err != nil:
			return err
		case !ok && f.From != "" || ok && now != entryOf(f.FromMode, f.From):
			continue // somebody has staged something else
		case f.Into == "":
			err = o.stage.Drop(ctx, f.Path)
		default:
			err = o.stage.Put(ctx, f.Path, entryOf(f.IntoMode, f.Into))
		}
		if err != nil {
			return err
		}
	}
	p := &publication{Repo: r, state: state}
	if _, err := p.saveIndex(ctx, o.engine, o.stage); err != nil {
		return plumb.IOError(err)
	}
	return plumb.IOError(p.replaceIndex(ctx, o.id))
}

// replaceIndex installs the index that saveIndex made, if the index in place is still the
// one it was made from.
func (p *publication) replaceIndex(ctx context.Context, was gitindex.FileID) (err error) {
	l := p.indexLock(p.state)
	defer func() { err = errors.Join(err, l.release()) }()
	if err := l.prepare(nil, false); err != nil {
		return err
	}
	if err := l.takeLock(ctx, p.wait); err != nil {
		return err
	}
	now, err := p.indexID()
	if err == nil && now != was {
		err = vault.Errorf(vault.CodeBusy, "try again when git is done", "git's index is being changed")
	}
	if err != nil {
		return err
	}
	if _, at, err := p.origHead(); err == nil {
		if err := noteOnce(p.state, restagedAt, fmt.Sprintf("%d %s", restages(p.state, at)+1, at)); err != nil {
			return err
		}
	}
	return errors.Join(disk.Rename(markPath(p.state, newIndex), filepath.Join(p.GitDir(), "index")), disk.SyncDir(p.GitDir()))
}

// noteOnce replaces a note in the state; noted returns it, empty for none.
func noteOnce(state, name, text string) error {
	name = filepath.Join(state, name)
	return errors.Join(disk.Remove(name), disk.Write(name, []byte(text), 0o644))
}

func readNote(state, name string) string {
	b, err := os.ReadFile(filepath.Join(state, name))
	if err != nil {
		return ""
	}
	return string(b)
}
