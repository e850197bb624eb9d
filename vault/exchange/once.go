package exchange

import (
	"path"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sync"
)

// leaveOnePlace leaves a file that is no memory in one of two places to which the sides have moved
// it: that with the smaller path, whoever merges. The structural pass then takes it along
// with its memory, if that moved. It returns the other clashes.
func (x *Exchange) leaveOnePlace(clashes []vault.Clash, texts map[string][]byte, out *Pulled) []vault.Clash {
	done := make(map[string]bool)
	for _, alike := range [...]func(o, t vault.Clash) bool{sameName, sameText} {
		for _, o := range clashes {
			i := slices.IndexFunc(clashes, func(t vault.Clash) bool { return !done[o.Path] && !done[t.Path] && x.twice(o, t) && alike(o, t) })
			if i < 0 {
				continue
			}
			keep, drop := min(o.Path, clashes[i].Path), max(o.Path, clashes[i].Path)
			done[keep], done[drop] = true, true
			texts[drop] = nil
			out.Conflicts = append(out.Conflicts, sync.Conflict{Path: keep, Detail: "each side moved it to another place; it is here and not at " + drop})
		}
	}
	return slices.DeleteFunc(slices.Clone(clashes), func(c vault.Clash) bool { return done[c.Path] })
}

// twice reports whether a clash is one file at the places of our side and of theirs.
func (x *Exchange) twice(o, t vault.Clash) bool {
	return o.Kind == "rename/rename" && t.Kind == o.Kind && o.Ours != "" && o.Theirs == "" && t.Theirs != "" && t.Ours == "" && o.Ours == t.Theirs &&
		!x.isMemoryFile(o.Path) && !x.isFactsFile(o.Path) && !x.isMemoryFile(t.Path)
}

func sameName(o, t vault.Clash) bool { return path.Base(o.Path) == path.Base(t.Path) }

func sameText(o, t vault.Clash) bool { return o.Ours == t.Theirs }
