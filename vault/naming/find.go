package naming

import (
	"context"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// FindTyped finds what somebody typed: what [Resolve] takes, the same written as a link, else what
// a wikilink of that target leads to, such as the name of a file. A path that begins with a slash
// may be the vault's. Where links go to the first of
// several that are called so, it is CodeAmbiguous here.
func FindTyped(ctx context.Context, names Names, typed, within string) (vault.Node, error) {
	n, missing := Resolve(ctx, names, typed, within)
	if vault.CodeOf(missing) != vault.CodeNotFound {
		return n, missing
	}
	target := prose.LinkTarget(typed)
	if top := strings.TrimLeft(target, "/"); top != strings.TrimSpace(typed) {
		if n, err := Resolve(ctx, names, target, top); vault.CodeOf(err) != vault.CodeNotFound {
			return n, err
		}
	}
	linked, err := names.ByLink(ctx, target, maxCandidates+1)
	switch {
	case err != nil || len(linked) == 1:
		return firstOf(linked), err
	case len(linked) > 1:
		return vault.Node{}, ambiguous(typed, "type the id or the path", "is what several memories are called", linked, idAndPath)
	}
	return vault.Node{}, missing
}

func idAndPath(n vault.Node) string { return fmt.Sprintf("%s (%s)", n.ID, n.Path) }
