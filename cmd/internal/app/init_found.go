package app

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Found tells which Markdown there was before the vault.
type Found struct {
	Markdown  int    `json:"markdown"`         // files in the vault: memories that sync takes in
	Elsewhere int    `json:"elsewhere"`        // files in the repository, outside of the vault
	Import    string `json:"import,omitempty"` // the folder with most of those, relative to the working directory
}

// findMarkdown looks for Markdown that git does not ignore.
func (a *maker) findMarkdown(ctx context.Context, s *Session, at site) (f Found, err error) {
	_, err = s.Store.Scan(ctx, vault.Scope{}, func(file vault.File) error {
		if file.Problem == nil && file.Path.IsMarkdown() {
			f.Markdown++
		}
		return nil
	})
	if err != nil || at.root == cmp.Or(at.code, at.top) {
		return f, err
	}
	return f, a.foundElsewhere(ctx, at, &f)
}

// foundElsewhere counts the Markdown of the repository outside of the vault, and names the
// folder at the top that holds most of it. Hidden folders are for tools.
func (a *maker) foundElsewhere(ctx context.Context, at site, f *Found) error {
	top := cmp.Or(at.code, at.top)
	list, err := a.Git(ctx, top, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	names := strings.Split(list, "\x00")
	others := vaultsAmong(names)
	in, most := map[string]int{}, ""
	for _, name := range names {
		if !vault.Path(name).IsMarkdown() || isHidden(name) || vault.Path(filepath.Join(top, name)).Within(vault.Path(at.root)) || others.hasMemory(name) {
			continue
		}
		f.Elsewhere++
		if dir, _, deeper := strings.Cut(name, "/"); deeper {
			in[dir]++
			if cmp.Or(in[dir]-in[most], strings.Compare(most, dir)) > 0 {
				most = dir
			}
		}
	}
	if most != "" {
		f.Import = filepath.Join(top, most)
		if rel, err := filepath.Rel(a.Dir, f.Import); err == nil {
			f.Import = rel
		}
	}
	return nil
}

// vaultFolders are the folders of vaults in a repository, relative to its top.
type vaultFolders []vault.Path

// vaultsAmong finds the vaults whose markers are among the files of a repository.
func vaultsAmong(names []string) (all vaultFolders) {
	for _, name := range names {
		if root, ok := strings.CutSuffix("/"+name, "/.cp/vault.yaml"); ok {
			all = append(all, vault.Path(strings.TrimPrefix(root, "/")))
		}
	}
	return all
}

// hasMemory reports whether a file is a memory of one of the vaults: nobody imports it.
func (v vaultFolders) hasMemory(name string) bool {
	return slices.ContainsFunc(v, func(root vault.Path) bool { return vault.Path(name).Within(root) })
}
