package object

import (
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Store is the object database.
type Store interface {
	// Read returns an object. The error is [ErrMissing] if there is none of that id.
	Read(ctx context.Context, id string) (kind string, data []byte, err error)

	// Write adds an object and returns its id. It may be on the disk only after Flush.
	Write(ctx context.Context, kind string, data []byte) (id string, err error)

	// Flush makes every object written so far durable, and young to a prune.
	Flush(ctx context.Context) error

	// Complete reports whether every object written is there.
	Complete(ctx context.Context) (bool, error)

	// Close lets go of open files and of a running git.
	Close()
}

// Texts turns blobs into the text that the work tree would hold, and back.
type Texts interface {
	// Text returns what the work tree would hold at path for a blob.
	Text(ctx context.Context, path, id string) ([]byte, error)

	// Blob adds a text as the blob that git would make of it at path.
	Blob(ctx context.Context, path string, text []byte) (id string, err error)
}

// ErrMissing is the error for an id of no object.
var ErrMissing = errors.New("no such object")

// ErrMoved says that the repository changed since it was read: all is to be read anew.
var ErrMoved = errors.New("the repository moved on")

// Database is the objects, and the texts that are made of them.
type Database struct {
	Store
	Texts
}

// ReadKind reads an object that must exist and be of that kind.
func ReadKind(ctx context.Context, o Store, kind, id string) ([]byte, error) {
	is, data, err := o.Read(ctx, id)
	return data, expect(kind, id, is, err)
}

// expect returns the error for an object that was read and is not what it has to be.
func expect(kind, id, is string, err error) error {
	switch {
	case errors.Is(err, ErrMissing):
		return vault.Errorf(vault.CodeIO, "run: git fsck", "the repository lacks the %s %s: %w", kind, id, err)
	case err == nil && is != kind:
		return vault.Errorf(vault.CodeIO, "run: git fsck", "%s is a %s, not a %s", id, is, kind)
	}
	return err
}

// TreeOf returns the id of a commit's tree, and a tree's own id. For no commit it returns
// "".
func TreeOf(ctx context.Context, o Store, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	kind, data, err := o.Read(ctx, commit)
	if err == nil && kind == KindTree {
		return commit, nil
	}
	if err := expect(KindCommit, commit, kind, err); err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	id, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return "", vault.Errorf(vault.CodeIO, "run: git fsck", "the commit %s names no tree", commit)
	}
	return id, nil
}
