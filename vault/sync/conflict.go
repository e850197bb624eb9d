package sync

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
)

// listUnmerged lists the files that a merge under way left in conflict.
func (v *Syncer) listUnmerged(ctx context.Context) ([]Conflicted, error) {
	if v.Conflicts == nil {
		return nil, nil
	}
	return v.Conflicts.ListUnmerged(ctx)
}

// resolveMerge is Sync in the middle of a person's merge. A conflicted file that nobody
// has touched gets the text that the merge driver makes of it. In a file that somebody has
// touched, their prose stays and only the markers in front matter and block go. It changes
// only files of the work tree; staging and committing are left to the person.
func (v *Syncer) resolveMerge(ctx context.Context, all []Conflicted, o Options) (Synced, error) {
	out := Synced{Discrepancies: []Discrepancy{}, Conflicts: []Conflict{}, Problems: []vault.Problem{}}
	if !o.DryRun {
		unlock, err := v.Store.Lock(ctx, "sync")
		if err != nil {
			return out, err
		}
		defer unlock()
		if all, err = v.Conflicts.ListUnmerged(ctx); err != nil {
			return out, err
		}
	}
	sides, err := v.Conflicts.FindSides(ctx)
	if err != nil {
		return out, err
	}
	for _, c := range all {
		if err := v.resolveFile(ctx, c, sides, o, &out); err != nil {
			return out, err
		}
	}
	out.Conflicts = converge.WithoutRepeats(out.Conflicts)
	out.Fixed = !o.DryRun && len(out.Discrepancies) > 0
	last := "`" + addAll(all) + "` and `git commit` finish the merge; then run `cp memory sync` once more"
	if len(out.Problems) > 0 {
		last = "edit the text at these lines; then " + last
	}
	out.Warnings = append(out.Warnings, last)
	return out, nil
}

// namesTold bounds the files that a command names.
const namesTold = 10

// addAll returns the command that tells git, in the vault, that the files in conflict are
// settled. With --all, files that are in no commit would come along, and what is staged of others
// would give way to the disk.
func addAll(all []Conflicted) string {
	if len(all) > namesTold {
		return "git diff --relative --name-only --diff-filter=U -z | xargs -0 git add --"
	}
	words := []string{"git add --"}
	for _, c := range all {
		words = append(words, c.Path.QuoteForShell())
	}
	return strings.Join(words, " ")
}

func (v *Syncer) resolveFile(ctx context.Context, c Conflicted, sides [2]string, o Options, out *Synced) error {
	if c.Ours == nil || c.Theirs == nil {
		if word := oneSided(c); word != "" {
			out.Warnings = append(out.Warnings, string(c.Path)+": "+word)
		}
		return nil
	}
	doc, _, err := v.Store.Read(c.Path)
	if vault.CodeOf(err) == vault.CodeNotFound {
		out.Warnings = append(out.Warnings, string(c.Path)+": it is in conflict and not on disk")
		return nil
	} else if err != nil {
		return err
	}
	if c.Path.IsFacts() {
		return v.resolveFacts(ctx, c, doc, sides, o, out)
	}
	text, gave, plain := resolveText(c, doc)
	told, err := v.findDropped(ctx, c, gave, sides)
	if err != nil {
		return err
	}
	if told == nil && len(gave) > 0 {
		text, plain = doc, "its front matter or block holds two values of "+gave[0].Key+", of which one is in no commit; choose one by hand"
	}
	if plain != "" {
		out.Warnings = append(out.Warnings, string(c.Path)+": "+plain)
	}
	if !bytes.Equal(text, doc) {
		done := o.DryRun
		if !done {
			if done, err = v.Conflicts.Rewrite(ctx, c.Path, doc, text); err != nil {
				return err
			}
		}
		if !done {
			text = doc
			out.Warnings = append(out.Warnings, string(c.Path)+": it was saved at this moment; run the command again")
		} else {
			out.Conflicts = append(out.Conflicts, told...)
			out.Discrepancies = append(out.Discrepancies, Discrepancy{Type: ConflictMarkers, Path: c.Path, Fixed: "settled the conflict in its front matter and pointer block"})
		}
	}
	for _, p := range vault.Parse(c.Path, text).Problems {
		if p.Kind == vault.ProblemMarkers {
			out.Problems = append(out.Problems, p)
		}
	}
	return nil
}

// findDropped reports the values that were dropped in a file, each with the commit that has it.
// It returns nil if a value is in neither of the commits that are being joined.
func (v *Syncer) findDropped(ctx context.Context, c Conflicted, gave []merge.Dropped, sides [2]string) ([]Conflict, error) {
	for i, version := range [...][]byte{c.Ours, c.Theirs} {
		if len(gave) == 0 || sides[i] == "" {
			continue
		}
		texts, err := v.Merges.Texts(ctx, sides[i], []vault.Path{c.Path})
		if err != nil {
			return nil, err
		}
		if text, there := texts[c.Path]; there && !bytes.Equal(text, version) {
			sides[i] = "" // what is stashed is from elsewhere
		}
	}
	told := converge.NewConflicts(vault.Parse(c.Path, c.Ours).ID, c.Path, gave, sides)
	if slices.ContainsFunc(told, func(c Conflict) bool { return c.Commit == "" && c.Dropped != "" }) {
		return nil, nil
	}
	return told, nil
}

// oneSided says what becomes of a file that only one side has under that name.
func oneSided(c Conflicted) string {
	switch {
	case c.Base == nil && c.Ours == nil && c.Theirs == nil, c.Ours == nil && c.Theirs == nil:
		return ""
	case c.Base == nil && c.Path.Foreign(): // sync replays merges of *.md alone
		return "one side has moved it here and the other elsewhere; remove one of both, else `cp memory sync` after the commit gives one a new id"
	case c.Base == nil:
		return "one side has moved it here and the other elsewhere; add both, and `cp memory sync` after the commit leaves one"
	}
	if kept := append(c.Ours, c.Theirs...); !c.Path.Foreign() && converge.OnlyPointers(c.Base, kept) {
		return "one side deleted it and the other only changed its pointers: add it, and `cp memory sync` after the commit deletes it"
	}
	return "one side deleted it and the other edited it: the edit wins, and `git add` keeps it"
}

// resolveText returns the text that a file in conflict is to have, with the values that
// give way in it, or why it stays.
func resolveText(c Conflicted, doc []byte) (text []byte, gave []merge.Dropped, why string) {
	ours, theirs := merge.SideNames(doc)
	r := merge.Merge(c.Base, c.Ours, c.Theirs, merge.Options{Ours: ours, Theirs: theirs})
	switch {
	case c.Base == nil && differ(c.Ours, c.Theirs):
		return doc, nil, "two memories were made at this path; add it as it is, and `cp memory sync` after the commit makes two files of it"
	case r.Plain != "" || bytes.Equal(doc, r.Text):
		return doc, nil, ""
	case merge.HasHunks(doc) && merge.WithoutBaseAndNames(doc) == merge.WithoutBaseAndNames(merge.MergeText(c.Base, c.Ours, c.Theirs, merge.Options{}).Text):
		return r.Text, r.Dropped, ""
	}
	text, gave = resolveMarkers(c.Path, doc, r)
	return text, gave, ""
}

// differ reports whether two texts are of memories with different ids.
func differ(a, b []byte) bool {
	x, y := vault.Parse("", a).ID, vault.Parse("", b).ID
	return x != "" && y != "" && x != y
}

// resolveMarkers returns a text that a person has begun to edit without the markers in
// front matter and block; the block says what it says in merged.
func resolveMarkers(p vault.Path, doc []byte, merged merge.Result) ([]byte, []merge.Dropped) {
	out, gave := merge.ResolveHeader(doc)
	head, body := header.Split(out)
	if head.Err() != nil {
		return out, gave
	}
	if _, err := pointer.FindBlock(string(body)); err == nil {
		return out, gave
	}
	text, err := pointer.SetSubMemories(string(body), vault.Parse(p, merged.Text).Pointers)
	if err != nil {
		return out, gave
	}
	for _, d := range merged.Dropped {
		if d.Pointer != "" {
			gave = append(gave, d)
		}
	}
	if whole, err := header.Join(out, text); err == nil {
		return whole, gave
	}
	return out, gave
}
