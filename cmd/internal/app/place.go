package app

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/naming"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tree"
)

// Place returns the memory that ref names, or the folder without one. A folder is a path,
// from the vault's top or from the working directory; so it comes before the beginning of
// an id and a title. Where nothing else is named so, its case and Unicode form do not count.
func (s *Session) Place(ctx context.Context, ref string) (n vault.Node, dir vault.Path, err error) {
	n, err = s.Locate(ctx, ref)
	name := strings.TrimPrefix(ref, "./")
	if err == nil && n.IsMemory() && (strings.EqualFold(string(n.ID), ref) || string(n.Path) == name || string(n.Path.Stem()) == name) {
		return n, "", nil
	}
	named := s.findFolders(ref)
	if at, ferr := s.foldersAt(ctx, named); ferr != nil || len(at) > 0 {
		return at.firstOwner(n, ferr)
	}
	if vault.CodeOf(err) != vault.CodeNotFound {
		return n, "", err
	}
	for _, dir := range named {
		switch at, ferr := s.foldersAt(ctx, s.likely(ctx, dir)); {
		case ferr != nil || len(at) == 1:
			return at.firstOwner(n, ferr)
		case len(at) > 1:
			return n, "", vault.Errorf(vault.CodeAmbiguous, "write it as it stands on disk", "%s may be %s/ or %s/", vault.Clip(ref, 80), at[0].dir, at[1].dir)
		}
	}
	for _, dir := range named {
		if s.hides(ctx, dir) {
			return n, "", vault.Errorf(vault.CodeNotFound, "`git check-ignore -v` tells by which rule", "git ignores what lies in %s/, so no memory lies in it", dir)
		}
	}
	return n, "", err
}

// PlaceBelow is [Session.Place] for what lies below: the vault's own folder, which has no name,
// is all of it.
func (s *Session) PlaceBelow(ctx context.Context, ref string) (n vault.Node, dir vault.Path, err error) {
	n, dir, err = s.Place(ctx, ref)
	if rel, rerr := filepath.Rel(s.Root, s.app.Abs(ref)); vault.CodeOf(err) == vault.CodeNotFound && rerr == nil && rel == "." {
		return vault.Node{}, "", nil
	}
	return n, dir, err
}

// CheckFile refuses a file's name that is not its path, where the memory is to be deleted: who
// deletes a file twice would delete another one of that name.
func (s *Session) CheckFile(ctx context.Context, ref string) error {
	n, err := s.Locate(ctx, ref)
	target := prose.LinkTarget(ref)
	if err != nil || !vault.Path(target).IsNote() || slices.Contains(naming.Files(target, s.pathInVault(target)), n.Path) {
		return nil // the deletion says what else is wrong
	}
	return vault.Errorf(vault.CodeNotFound, "`cp memory show "+string(n.ID)+"` shows whether it is meant", "there is no file %s; %s is %s", vault.Clip(target, 80), n.ID, n.Path)
}

// standing are folders that hold memories, each with the one whose children they are.
type standing []struct {
	dir   vault.Path
	owner vault.Node
}

func (at standing) firstOwner(n vault.Node, err error) (vault.Node, vault.Path, error) {
	switch {
	case err != nil:
		return n, "", err
	case at[0].owner.ID != "":
		return at[0].owner, "", nil
	}
	return vault.Node{}, at[0].dir, nil
}

func (s *Session) foldersAt(ctx context.Context, dirs []vault.Path) (at standing, err error) {
	for _, dir := range dirs {
		there, owner, err := tree.FolderAt(ctx, s.Vault, dir)
		if err != nil {
			return nil, err
		}
		if there {
			at = append(at, struct {
				dir   vault.Path
				owner vault.Node
			}{dir, owner})
		}
	}
	return at, nil
}

// findFolders are the places in the vault that the name of a folder may mean.
func (s *Session) findFolders(ref string) (all []vault.Path) {
	if p, err := vault.ParsePath(path.Clean(strings.TrimSuffix(ref, "/"))); err == nil && p != "" && !strings.HasPrefix(ref, "..") {
		all = append(all, p)
	}
	if p, err := vault.ParsePath(s.pathInVault(ref)); err == nil && p != "" && !slices.Contains(all, p) {
		all = append(all, p)
	}
	return all
}

// pathInVault returns the vault's path of what a person named from the working directory; empty
// for what is not in the vault.
func (s *Session) pathInVault(name string) string {
	rel, err := filepath.Rel(s.Root, s.app.Abs(name))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// likely returns what on disk has the path dir but for case and Unicode form.
func (s *Session) likely(ctx context.Context, dir vault.Path) []vault.Path {
	found := []vault.Path{""}
	for part := range strings.SplitSeq(string(dir), "/") {
		var next []vault.Path
		for _, at := range found {
			names, _ := s.Store.List(ctx, at)
			for _, name := range names {
				if p, err := vault.ParsePath(string(at.Join(name))); err == nil && filename.Fold(name) == filename.Fold(part) {
					next = append(next, p)
				}
			}
		}
		found = next
	}
	return found
}

// hides reports whether all Markdown files in the folder dir are ignored by git.
func (s *Session) hides(ctx context.Context, dir vault.Path) bool {
	names, _ := s.Store.List(ctx, dir)
	var files []vault.Path
	for _, name := range names {
		if p := dir.Join(name); p.IsMarkdown() {
			files = append(files, p)
		}
	}
	ignored, err := s.Store.ListIgnored(ctx, files)
	return err == nil && len(ignored) > 0 && len(ignored) == len(files)
}
