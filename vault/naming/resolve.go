package naming

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Names are what a mirror knows memories by. Ids and names are compared folded.
type Names interface {
	// ByID returns the memory of that id, none or one.
	ByID(ctx context.Context, id vault.ID) ([]vault.Node, error)
	// ByPath returns those whose file is one of the paths, the first of them first.
	ByPath(ctx context.Context, paths ...vault.Path) ([]vault.Node, error)
	// ByPrefix returns those whose id begins so, by id, at most limit.
	ByPrefix(ctx context.Context, beginning string, limit int) ([]vault.Node, error)
	// ByName returns those of that title or alias, by path, at most limit.
	ByName(ctx context.Context, name string, limit int) ([]vault.Node, error)
	// ByLink returns those that a wikilink of that target may mean: of those that it names the
	// nearest ones, by path, at most limit.
	ByLink(ctx context.Context, target string, limit int) ([]vault.Node, error)
}

// minPrefix is the shortest beginning of an id that is a reference.
const minPrefix = 3

// maxCandidates bounds the candidates that an ambiguous reference lists.
const maxCandidates = 5

// Resolve finds what a reference names: it is an id, else the path of a file with or without
// its .md, else the beginning of one id, else the title or an alias of one memory. within is
// what else it may be as a path, empty for nothing. The error is CodeNotFound, or CodeAmbiguous with the
// candidates. Package index resolves what files say under references: by the same rule, in SQL.
func Resolve(ctx context.Context, names Names, ref, within string) (vault.Node, error) {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return vault.Node{}, vault.NotFound(ref)
	}
	found, err := names.ByID(ctx, vault.ID(ref))
	if err == nil && len(found) == 0 {
		found, err = names.ByPath(ctx, Files(ref, within)...)
	}
	if err != nil || len(found) > 0 {
		return firstOf(found), err
	}
	var begun []vault.Node
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
		return vault.Node{}, ambiguous(ref, "type the id or the path", "is the title of several memories", called, idAndPath)
	case len(begun) > 1:
		return vault.Node{}, ambiguous(ref, "type more of the id", "is the beginning of several ids", begun, func(n vault.Node) string { return string(n.ID) })
	}
	return vault.Node{}, vault.NotFound(ref)
}

func firstOf(nodes []vault.Node) vault.Node {
	if len(nodes) == 0 {
		return vault.Node{}
	}
	return nodes[0]
}

func ambiguous(ref, hint, what string, nodes []vault.Node, say func(vault.Node) string) error {
	var said []string
	for i, n := range nodes {
		if i == maxCandidates {
			said = append(said, "…")
			break
		}
		said = append(said, say(n))
	}
	return vault.Errorf(vault.CodeAmbiguous, hint, "'%s' %s: %s", vault.Clip(ref, 80), what, strings.Join(said, ", "))
}
