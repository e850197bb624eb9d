package tree

import (
	"context"
	"path"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// broken returns the relative links of the text m of src, which goes to the path to, that
// led to a file and then lead nowhere. What lies in the memory's own folder has moved along. A link out of the vault is
// among them if it means another place by now.
func broken(ctx context.Context, tx *vault.Tx, m *vault.Memory, src *vault.Node, to vault.Path) (all []string, err error) {
	for _, l := range m.References {
		if l.Kind != "link" || strings.HasPrefix(l.Target, "/") {
			continue
		}
		was, now := at(src.Path, l.Target), at(to, l.Target)
		if was == now || now == moves(was, src, to) {
			continue
		}
		before, err := leads(ctx, tx, was)
		if err != nil {
			return nil, err
		}
		after, err := leads(ctx, tx, now)
		if err != nil {
			return nil, err
		}
		if before && (!after || outside(was)) {
			all = append(all, l.Target)
		}
	}
	return all, nil
}

// at is where a relative link of a file leads, beginning with ../ outside of the vault.
func at(from vault.Path, target string) string { return path.Join(string(from.Dir()), target) }

func outside(p string) bool { return p == ".." || strings.HasPrefix(p, "../") }

// moves returns where a file is after src went to the path to.
func moves(p string, src *vault.Node, to vault.Path) string {
	if p == string(src.Path) {
		return string(to)
	}
	home := to.Stem()
	if src.Seat {
		home = to.Dir()
	}
	if rest, ok := strings.CutPrefix(p, string(src.Folder())+"/"); ok {
		return string(home.Join(rest))
	}
	return p
}

// leads reports whether there is a file at p. Outside of the vault nobody looks.
func leads(ctx context.Context, tx *vault.Tx, p string) (bool, error) {
	if outside(p) {
		return true, nil
	}
	in, err := vault.ParsePath(p)
	if err != nil {
		return false, nil
	}
	there, err := tx.Look(ctx, in)
	return there.File, err
}
