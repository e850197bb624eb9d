package gitstore

import (
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// objects is the object database.
type objects interface {
	// read returns an object; the error is errNoObject when there is none of that id.
	read(ctx context.Context, id string) (kind string, data []byte, err error)

	// write adds an object and returns its id. It may be on the disk only after settle.
	write(ctx context.Context, kind string, data []byte) (id string, err error)

	// settle makes every object written so far durable, and young to a prune.
	settle(ctx context.Context) error

	// complete reports whether every object written is there.
	complete(ctx context.Context) (bool, error)
}

// errNoObject is the error for an id of no object.
var errNoObject = errors.New("no such object")

// readKind reads an object that has to be there and of that kind.
func readKind(ctx context.Context, o objects, kind, id string) ([]byte, error) {
	is, data, err := o.read(ctx, id)
	switch {
	case errors.Is(err, errNoObject):
		return nil, vault.Errorf(vault.CodeIO, "run: git fsck", "the repository lacks the %s %s: %w", kind, id, err)
	case err != nil:
		return nil, err
	case is != kind:
		return nil, vault.Errorf(vault.CodeIO, "run: git fsck", "%s is a %s, not a %s", id, is, kind)
	}
	return data, nil
}

// treeOf returns the id of a commit's tree; empty for no commit.
func treeOf(ctx context.Context, o objects, commit string) (string, error) {
	if commit == "" {
		return "", nil
	}
	data, err := readKind(ctx, o, kindCommit, commit)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	id, ok := strings.CutPrefix(line, "tree ")
	if !ok {
		return "", vault.Errorf(vault.CodeIO, "run: git fsck", "the commit %s names no tree", commit)
	}
	return id, nil
}
