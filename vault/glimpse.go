package vault

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/vault/header"
)

// Glimpse is an empty mirror in memory. It serves point reads while the vault's own mirror
// has never been filled: it is given only the few files that one answer needs.
type Glimpse struct {
	Mirror Mirror
	Names  []Path // the files that the reference may name
	Close  func() error
}

// NarrowTo returns v itself unless its mirror is empty. Then it returns a vault that knows the
// memory that ref names, those above it and, when asked for them, those below. A path costs
// one file and those above it; an id costs all headers, since of several files with that id
// one has it, and that is for the mirror to say. So if several have it, or if nothing is
// found, it returns v: the prefix of an id needs all files, too.
//
// The vault does not know what only other files say: that one of them has the id of the
// file that was asked for by its path, or that one supersedes the memory.
func (v *Vault) NarrowTo(ctx context.Context, ref string) (*Vault, func() error) {
	far := func() error { return nil }
	if v.Glimpse == nil {
		return v, far
	}
	g, err := v.Glimpse(ctx, ref)
	if err != nil || g == nil {
		return v, far
	}
	p := v.findRefFile(ctx, ref, g.Names)
	if p == "" {
		return v, g.Close
	}
	near := *v
	around := append(p.above(), p)
	near.Store.Commits, near.Mirror, near.Glimpse = nearCommits{v.Store, around}, g.Mirror, nil
	if _, err = g.Mirror.CatchUp(ctx, near.Store.Source, Scope{Paths: around}); err == nil {
		_, err = near.Reading().OpenFromMirror(ctx, ref)
	}
	if err != nil {
		return v, g.Close
	}
	return &near, g.Close
}

// Locate finds a memory's file, of any type, without scanning.
func (v *Vault) Locate(ctx context.Context, ref string) (Node, error) {
	v, done := v.NarrowTo(ctx, ref)
	defer done()
	p, err := v.Reading().Open(ctx, ref)
	if err != nil {
		return Node{}, err
	}
	return p.Node, nil
}

// findRefFile returns the file that ref names, as a path or as the id that its header alone has.
func (v *Vault) findRefFile(ctx context.Context, ref string, names []Path) Path {
	if id, ok := header.ParseID(ref); ok && !Path(ref).IsNote() {
		var at Path
		_, err := v.Store.Scan(ctx, Scope{}, func(f File) error {
			switch {
			case f.Problem != nil || !v.claims(f.Path, ID(id)):
			case at != "":
				return errFound
			default:
				at = f.Path
			}
			return nil
		})
		switch {
		case err != nil:
			return ""
		case at != "":
			return at
		}
	}
	for _, p := range names {
		if _, _, err := v.Store.Read(p); err == nil {
			return p
		}
	}
	return ""
}

// errFound ends a scan.
var errFound = errors.New("found")

// claims reports whether the header of the file p has the id.
func (v *Vault) claims(p Path, id ID) bool {
	text, _, err := v.Store.Read(p)
	if err != nil {
		return false
	}
	m := Memory{Path: p}
	head, _ := header.Split(text)
	m.identity(head, text)
	return m.ID.Is(id)
}

// above returns the names of the files that may stand above p.
func (p Path) above() []Path {
	var all []Path
	for dir := p.Dir(); dir != ""; dir = dir.Dir() {
		all = append(all, dir+".md", dir+".MD")
		for _, name := range [...]Path{"index.md", "_index.md", "README.md", "readme.md", "Readme.md"} {
			if seat := dir + "/" + name; seat != p {
				all = append(all, seat)
			}
		}
	}
	return all
}

// nearCommits are commits that hold nothing but paths.
type nearCommits struct {
	Store
	paths []Path
}

// Changes is [Commits.Changes] for the paths alone.
func (c nearCommits) Changes(ctx context.Context, from, to string, fn func(Path, string) error) error {
	if from != "" {
		return c.Store.Changes(ctx, from, to, fn)
	}
	for _, p := range c.paths {
		text, err := c.ReadAt(ctx, to, p)
		if CodeOf(err) == CodeNotFound {
			continue
		}
		if err == nil {
			err = fn(p, c.BlobID(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
