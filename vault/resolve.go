package vault

import (
	"context"
	"fmt"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Names are what a mirror knows memories by. Ids and names are compared folded.
type Names interface {
	// ByID returns the memory of that id, none or one.
	ByID(ctx context.Context, id ID) ([]Node, error)
	// ByPath returns those whose file is one of the paths, the first of them first.
	ByPath(ctx context.Context, paths ...Path) ([]Node, error)
	// ByPrefix returns those whose id begins so, by id, at most limit.
	ByPrefix(ctx context.Context, beginning string, limit int) ([]Node, error)
	// ByName returns those of that title or alias, by path, at most limit.
	ByName(ctx context.Context, name string, limit int) ([]Node, error)
}

// minPrefix is the shortest beginning of an id that is a reference.
const minPrefix = 3

// maxCandidates bounds the candidates that an ambiguous reference lists.
const maxCandidates = 5

// Resolve finds what a reference names: it is an id, else the path of a file with or without
// its .md, else the beginning of one id, else the title or an alias of one memory. within is
// what else it may be as a path, empty for nothing. The error is CodeNotFound, or CodeAmbiguous with the
// candidates. Package index resolves what files say under references: by the same rule, in SQL.
func Resolve(ctx context.Context, names Names, ref, within string) (Node, error) {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return Node{}, NotFound(ref)
	}
	found, err := names.ByID(ctx, ID(ref))
	if err == nil && len(found) == 0 {
		found, err = names.ByPath(ctx, Path(ref).Candidates(within)...)
	}
	if err != nil || len(found) > 0 {
		return firstOf(found), err
	}
	var begun []Node
	if len(ref) >= minPrefix && !strings.ContainsRune(ref, '/') {
		if begun, err = names.ByPrefix(ctx, ref, maxCandidates+1); err != nil || len(begun) == 1 {
			return firstOf(begun), err
		}
	}
	called, err := names.ByName(ctx, ref, maxCandidates+1)
	switch {
	case err != nil || len(called) == 1:
		return firstOf(called), err
	case len(called) > 1:
		return Node{}, ambiguous(ref, "type the id or the path", "is the title of several memories", called, func(n Node) string {
			return fmt.Sprintf("%s (%s)", n.ID, n.Path)
		})
	case len(begun) > 1:
		return Node{}, ambiguous(ref, "type more of the id", "is the beginning of several ids", begun, func(n Node) string { return string(n.ID) })
	}
	return Node{}, NotFound(ref)
}

// Candidates returns the files that a reference may name as a path, the likeliest first: it
// may lack its .md, begin with ./ or end with a slash, and be typed in another Unicode form.
// within is what else it may be.
func (p Path) Candidates(within string) (all []Path) {
	for _, name := range [...]string{string(p), within} {
		if name == "" {
			continue
		}
		name = path.Clean(name)
		forms := []string{name}
		for _, form := range [...]norm.Form{norm.NFC, norm.NFD} {
			if other := form.String(name); other != name {
				forms = append(forms, other)
			}
		}
		for _, form := range forms {
			if p := Path(form); p.IsNote() {
				all = append(all, p)
			}
			all = append(all, Path(form)+".md")
		}
	}
	return all
}

func firstOf(nodes []Node) Node {
	if len(nodes) == 0 {
		return Node{}
	}
	return nodes[0]
}

func ambiguous(ref, hint, what string, nodes []Node, say func(Node) string) error {
	var said []string
	for i, n := range nodes {
		if i == maxCandidates {
			said = append(said, "…")
			break
		}
		said = append(said, say(n))
	}
	return Errorf(CodeAmbiguous, hint, "'%s' %s: %s", Clip(ref, 80), what, strings.Join(said, ", "))
}
