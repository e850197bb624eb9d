package exchange

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/merge"
)

// merge joins two histories that have both moved on, and settles the conflicts that git
// left: both versions of a memory's text stay, marked, so that nobody is left in the middle
// of a merge. Conflicts in other files are refused.
func (x *Exchange) merge(ctx context.Context, ours, theirs string, out *Pulled) (string, error) {
	m, err := x.History.MergeTrees(ctx, ours, theirs)
	if err != nil {
		return "", err
	}
	if err := x.refuseClashes(ctx, m.Clashes, ours, theirs, out.Upstream); err != nil {
		return "", err
	}
	base, err := x.History.MergeBase(ctx, ours, theirs)
	if err != nil {
		return "", err
	}
	gave, err := x.Vault.ListDropped(ctx, sync.Merge{Base: base, Sides: [2]string{ours, theirs}})
	if err != nil {
		return "", err
	}
	inTree, err := x.blobs(ctx, m)
	if err != nil {
		return "", err
	}
	out.Conflicts = x.inRepo(gave)
	texts := make(map[string][]byte)
	for _, c := range x.leaveOnePlace(m.Clashes, texts, out) {
		if err := x.resolveClash(ctx, c, inTree, texts, out); err != nil {
			return "", err
		}
	}
	return x.History.Rewrite(ctx, m.Tree, texts)
}

// kept are the kinds of conflicts in which git's tree holds all there is to keep:
// an edit wins over a deletion, and a file that moved to two places is in both,
// which the structural pass settles.
var kept = []string{"contents", "modify/delete", "rename/delete", "rename/rename", "directory rename suggested", "file location"}

// refuseClashes says which conflicts are a person's to settle. A picture that both sides moved
// follows its memory; nobody can unite two of them.
func (x *Exchange) refuseClashes(ctx context.Context, clashes []vault.Clash, ours, theirs, upstream string) error {
	clashes = slices.DeleteFunc(slices.Clone(clashes), func(c vault.Clash) bool {
		return x.marker(c) || (x.isMemoryFile(c.Path) || x.isFactsFile(c.Path)) && slices.Contains(kept, c.Kind)
	})
	if len(clashes) == 0 {
		return nil
	}
	own, err := x.belongings(ctx, ours, theirs)
	if err != nil {
		return err
	}
	var paths []string
	for _, c := range clashes {
		if !own.has(c.Path) || c.Kind == "contents" || !slices.Contains(kept, c.Kind) {
			paths = append(paths, c.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	told := min(len(paths), 10)
	return vault.Errorf(vault.CodeConflict, "merge by hand: git merge "+upstream, "both sides changed what only a person can bring together: %s%s; nothing has changed",
		strings.Join(paths[:told], ", "), vault.More(len(paths)-told))
}

// marker reports whether both sides made the vault's marker: two clones that began the
// vault, each for itself. Upstream's wins.
func (x *Exchange) marker(c vault.Clash) bool {
	p, ok := x.inVault(c.Path)
	return ok && p == ".cp/vault.yaml" && c.Base == "" && c.Theirs != ""
}

// blobs returns what the merged tree holds at the paths in conflict.
func (x *Exchange) blobs(ctx context.Context, m vault.Merged) (map[string]string, error) {
	at := make(map[string]string)
	if len(m.Clashes) == 0 {
		return at, nil
	}
	all, err := x.History.Differences(ctx, "", m.Tree)
	for _, d := range all {
		at[d.Path] = d.Into
	}
	return at, err
}

// resolveClash decides on one file.
func (x *Exchange) resolveClash(ctx context.Context, c vault.Clash, inTree map[string]string, texts map[string][]byte, out *Pulled) error {
	held, there := inTree[c.Path]
	switch {
	case !there:
		return nil // one of the names that a moved file had
	case x.marker(c):
		text, err := x.History.Blob(ctx, c.Theirs)
		texts[c.Path] = text
		out.Conflicts = append(out.Conflicts, sync.Conflict{Path: c.Path, Detail: "each side made the vault's marker; upstream's won"})
		return err
	case c.Ours != "" && c.Theirs != "":
		return x.resolveText(ctx, c, inTree, texts, out)
	case x.isFactsFile(c.Path):
		return nil // the edit stays; facts follow their memory afterwards
	case c.Kind == "modify/delete" || c.Kind == "rename/delete":
		if bare, err := x.onlyPointers(ctx, c); bare || err != nil {
			return err // the pass after it deletes the file, and says so
		}
		who := "deleted here and edited upstream"
		if c.Theirs == "" {
			who = "edited here and deleted upstream"
		}
		out.Conflicts = append(out.Conflicts, sync.Conflict{Path: c.Path, Detail: who + "; the edit won, so it is kept"})
	case c.Kind == "rename/rename":
		out.Conflicts = append(out.Conflicts, sync.Conflict{Path: c.Path, Detail: "moved to two places"})
	}
	text, err := x.History.Blob(ctx, held)
	if err != nil {
		return err
	}
	if merge.HasHunks(text) {
		out.Conflicts = append(out.Conflicts, sync.Conflict{Path: c.Path, Detail: "both sides changed one passage; git's conflict markers are in it"})
	}
	return nil
}

// onlyPointers reports whether the side that has the file changed nothing in it but its
// pointer block.
func (x *Exchange) onlyPointers(ctx context.Context, c vault.Clash) (bool, error) {
	if c.Base == "" || c.Ours+c.Theirs == "" || !x.isMemoryFile(c.Path) {
		return false, nil
	}
	base, err := x.History.Blob(ctx, c.Base)
	if err != nil {
		return false, err
	}
	kept, err := x.History.Blob(ctx, c.Ours+c.Theirs)
	return err == nil && sync.OnlyPointers(base, kept), err
}

// resolveText merges a text that both sides have.
func (x *Exchange) resolveText(ctx context.Context, c vault.Clash, inTree map[string]string, texts map[string][]byte, out *Pulled) error {
	var versions [3][]byte
	for i, id := range []string{c.Base, c.Ours, c.Theirs} {
		if id == "" {
			continue
		}
		var err error
		if versions[i], err = x.History.Blob(ctx, id); err != nil {
			return err
		}
	}
	base, ours, theirs := versions[0], versions[1], versions[2]
	if by := fact.Merger(c.Path); by != nil {
		texts[c.Path] = by(base, ours, theirs)
		return nil
	}
	a, b := vault.Parse(vault.Path(c.Path), ours), vault.Parse(vault.Path(c.Path), theirs)
	if c.Base == "" && a.ID != b.ID && a.ID != "" && b.ID != "" {
		return x.renameSecond(c.Path, a.ID, ours, b.ID, theirs, inTree, texts, out)
	}
	r := merge.Merge(base, ours, theirs, merge.Options{Both: true})
	if r.Binary {
		return vault.Errorf(vault.CodeConflict, "merge by hand: git merge "+out.Upstream, "both sides changed %s, which is not a text; nothing has changed", c.Path)
	}
	for _, n := range r.Notes {
		out.Conflicts = append(out.Conflicts, sync.Conflict{ID: a.ID, Path: c.Path, Detail: n})
	}
	for _, line := range r.Conflicts {
		out.Conflicts = append(out.Conflicts, sync.Conflict{ID: a.ID, Path: fmt.Sprintf("%s:%d", c.Path, line), Detail: "both sides changed one passage; both versions are there, between <!-- cp-conflict --> marks"})
	}
	texts[c.Path] = r.Text
	return nil
}

// renameSecond gives the second of two memories that took one name a name of its own;
// which is the second, their ids say, on every clone alike.
func (x *Exchange) renameSecond(path string, a vault.ID, ours []byte, b vault.ID, theirs []byte, inTree map[string]string, texts map[string][]byte, out *Pulled) error {
	first, second := ours, theirs
	if b < a {
		first, second = theirs, ours
	}
	other := freeName(path, inTree, texts)
	texts[path], texts[other] = first, second
	out.Conflicts = append(out.Conflicts, sync.Conflict{Path: path, Detail: "two memories took this name; the second is " + other})
	return nil
}

// freeName returns the next name that is not taken: x-2.md.
func freeName(path string, inTree map[string]string, texts map[string][]byte) string {
	stem := string(vault.Path(path).Stem())
	for n := 2; ; n++ {
		name := stem + "-" + strconv.Itoa(n) + path[len(stem):]
		_, there := inTree[name]
		if _, new := texts[name]; !there && !new {
			return name
		}
	}
}
