package gitstore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk"
)

// cas is the record of a publication, written before its first change that
// others can see. It stays until the next publication.
type cas struct {
	Op  string `json:"op"`
	Ref string `json:"ref"`
	Old string `json:"old"` // empty on an unborn branch
	New string `json:"new"`

	// Index is the trailer of the new index, in hex: while the index carries it,
	// nobody else has changed the index since.
	Index string `json:"index"`

	// Log is the offset up to which the branch's reflog was read before, see
	// [Repo.Rewound].
	Log int64 `json:"log"`

	// Whole says that the index was made from one in which nothing was taken back,
	// see [Repo.FindReversal].
	Whole bool `json:"whole,omitempty"`

	// Path is one of the changed paths, see upToHead. It is empty if the index was not
	// changed.
	Path string `json:"path,omitempty"`
}

// replaceRecord replaces the record.
func (c cas) replaceRecord(state string) error {
	b, err := json.Marshal(c)
	if err != nil {
		return err
	}
	path := markPath(state, casRecord)
	if err := disk.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := disk.ReplaceSync(path, append(b, '\n'), 0o644); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// readCAS returns the record of the last publication. None is empty, and so is
// a torn one, which never became true.
func readCAS(state string) (cas, error) {
	b, err := os.ReadFile(markPath(state, casRecord))
	if errors.Is(err, fs.ErrNotExist) {
		return cas{}, nil
	}
	if err != nil {
		return cas{}, err
	}
	var c cas
	if json.Unmarshal(bytes.TrimSpace(b), &c) != nil {
		return cas{}, nil
	}
	return c, nil
}

// Holds reports whether the commit of that operation is reachable from HEAD.
func (r *Repo) Holds(ctx context.Context, op, state string) (bool, error) {
	head, err := r.Tip(ctx)
	if err != nil || head == "" {
		return false, err
	}
	c, err := readCAS(state)
	if err != nil {
		return false, plumb.IOError(err)
	}
	if c.Op == op && c.New != "" {
		if held, err := r.Includes(ctx, head, c.New); held && err == nil {
			return true, nil
		}
	}
	return r.HasOperation(ctx, op, head)
}
