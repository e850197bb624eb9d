package past

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault/header"
)

// workLimit bounds the commits that NewestWork looks at.
const workLimit = 200

// pathLimit bounds the paths of a commit that are looked at. One that has so many before any that
// counts is taken for an import of notes.
const pathLimit = 1000

// errEnough and errMany end a comparison: once its answer is known, and at pathLimit.
var (
	errEnough = errors.New("enough")
	errMany   = errors.New("many")
)

// NewestWork returns the newest commit on the line of first parents from tip in which somebody
// worked: it is no write of the program's, and it changed a path that counts, or nothing at
// all. It looks at workLimit commits, and returns none if none of them is such a commit. Where
// a tree is not in this clone, the commit counts.
func (p Past) NewestWork(ctx context.Context, tip string, counts func(path string) bool) (a header.Anchor, err error) {
	o, err := p.source.Objects()
	if err != nil {
		return a, err
	}
	defer o.Close()
	for range workLimit {
		if tip == "" {
			return a, nil
		}
		data, err := object.ReadKind(ctx, o, object.KindCommit, tip)
		if err != nil {
			return a, ctx.Err() // a shallow clone ends here
		}
		parent := firstParent(data)
		if !isOwnWrite(data) && p.isWork(ctx, o, parent, tip, counts) {
			return object.AnchorOf(tip, data), ctx.Err()
		}
		tip = parent
	}
	return a, nil
}

// isWork reports whether two commits differ in a path that counts, in nothing, or cannot be
// compared.
func (p Past) isWork(ctx context.Context, o object.Store, from, to string, counts func(path string) bool) bool {
	var sides [2]object.Named
	for i, commit := range []string{from, to} {
		id, err := object.TreeOf(ctx, o, commit)
		if err != nil {
			return true
		}
		if sides[i].Mode = object.ModeTree; id != p.ids.EmptyTree() {
			sides[i].ID = id
		}
	}
	paths := 0
	differ := differ{objects: o, wants: func(string, object.Named, object.Named) bool { return true }, fn: func(path, _ string) error {
		if counts(path) {
			return errEnough
		}
		if paths++; paths == pathLimit {
			return errMany
		}
		return nil
	}}
	if sides[0].ID == sides[1].ID {
		return true
	}
	err := differ.compareFolders(ctx, "", sides[0], sides[1])
	return err != nil && !errors.Is(err, errMany)
}

// firstParent returns the first parent that a commit names; "" for none.
func firstParent(commit []byte) string {
	_, rest, _ := bytes.Cut(commit, []byte("\n")) // the tree
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	parent, ok := bytes.CutPrefix(line, []byte("parent "))
	if !ok {
		return ""
	}
	return string(parent)
}

// isOwnWrite reports whether a commit is a write of the program's, by its subject and its
// trailer. A squash of several commits keeps trailers under a subject of its own.
func isOwnWrite(commit []byte) bool {
	_, message, _ := strings.Cut(string(commit), "\n\n")
	message = strings.TrimSpace(message)
	last := message[strings.LastIndex(message, "\n\n")+1:]
	return strings.HasPrefix(message, "memory: ") && strings.Contains(last, "\nCp-Op: ")
}
