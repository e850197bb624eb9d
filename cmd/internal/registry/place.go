package registry

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/family"
)

// checkout is where a folder stands in git. It is empty outside of any work tree.
type checkout struct {
	top    string // of the work tree
	common string // the repository, which all of its work trees share
	module bool   // it is a submodule
}

// checkoutOf finds the work tree around a folder.
func checkoutOf(dir string) checkout { return checkouts{}.findWorkTree(dir) }

// checkouts are the work trees around folders that were looked at. A thousand projects, twenty
// one below another, cost 24 ms where each looks up to the root by itself, and 2 ms so.
type checkouts map[string]checkout

// findWorkTree finds the work tree around a folder.
func (c checkouts) findWorkTree(dir string) (found checkout) {
	if was, ok := c[dir]; ok {
		return was
	}
	dot, up := filepath.Join(dir, ".git"), filepath.Dir(dir)
	info, err := os.Lstat(dot)
	switch {
	case err == nil && info.IsDir():
		found = checkout{top: dir, common: dot}
	case err == nil:
		found = readGitFile(dir, dot)
	case dir != up:
		found = c.findWorkTree(up)
	}
	c[dir] = found
	return found
}

// readGitFile reads a .git that is a file, as linked work trees and submodules have it.
func readGitFile(dir, dot string) checkout {
	b, err := os.ReadFile(dot)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if err != nil || !ok {
		return checkout{top: dir, common: dot}
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(dir, to)
	}
	to = filepath.Clean(to)
	b, err = os.ReadFile(filepath.Join(to, "commondir"))
	if err != nil {
		return checkout{top: dir, common: to, module: strings.Contains(filepath.ToSlash(to), "/.git/modules/")}
	}
	common := strings.TrimSpace(string(b))
	if !filepath.IsAbs(common) {
		common = filepath.Join(to, common)
	}
	return checkout{top: dir, common: filepath.Clean(common)}
}

// Standing says of projects that are there whether they stand apart, as it is now: what git
// ignores and whose files they are may have changed since they were noted.
func (f *Finder) Standing(ctx context.Context, all []family.Project) []family.Project {
	for i := range all {
		if p := &all[i]; !p.Joins {
			p.Apart, p.Within = f.whyApart(ctx, p.Path, p.Vault)
		}
	}
	return all
}

// apart is why a project joins no family by itself: what it says comes from other people, and an
// ancestor would put it before an agent unasked. within is the folder of which that holds, with
// all that lies in it: a project there hears it. Both are empty where nothing speaks against it.
type apart struct{ why, within string }

// whyApart returns why a project stands apart, and the folder of which that holds.
func (f *Finder) whyApart(ctx context.Context, path, root string) (why, within string) {
	info, err := os.Lstat(filepath.Join(root, ".cp", "vault.yaml"))
	if err != nil {
		return "", ""
	}
	if !sysfile.IsOwn(info) {
		return "its files are another user's", path
	}
	is := f.whyApartIn(ctx, path, f.trees.findWorkTree(path))
	return is.why, is.within
}

// whyApartIn returns why a folder of a work tree stands apart: itself, or the whole tree.
func (f *Finder) whyApartIn(ctx context.Context, path string, at checkout) apart {
	switch {
	case at.top == "":
		return apart{}
	case at.module:
		return apart{"it is a submodule", at.top}
	}
	outer := f.trees.findWorkTree(filepath.Dir(at.top))
	if path != at.top {
		if why, within := f.whyIgnored(ctx, at.top, path); why != "" {
			return apart{why, within}
		}
	}
	if outer.common == at.common { // a work tree among the files of another one of the same repository
		return apart{}
	}
	whole, ok := f.tops[at.top]
	if !ok {
		whole = f.whyApartIn(ctx, at.top, outer)
		f.tops[at.top] = whole
	}
	return whole
}

// whyIgnored returns why git takes a folder for what is not the repository's own, and the topmost
// folder of which that holds; both are empty where it does not. Where git cannot say, nobody is
// to hear of the folder unasked.
func (f *Finder) whyIgnored(ctx context.Context, top, path string) (why, within string) {
	ask, ok := f.ignores[top]
	if !ok {
		var err error
		if ask, err = f.App.IgnoredFolders(ctx, top); err != nil {
			f.App.Debugf("what git ignores in %s: %v", top, err)
			ask = nil
		}
		if f.ignores == nil {
			f.ignores = map[string]func(string) string{}
		}
		f.ignores[top] = ask
	}
	if ask == nil {
		return "git cannot say whether it ignores its folder", path
	}
	if within = ask(path); within == "" {
		return "", ""
	}
	return "git ignores its folder", within
}

// folds reports whether the file system takes upper and lower case for one at a path: the
// folder is there under its name in the other case as well.
func folds(path string) bool {
	base := filepath.Base(path)
	other := strings.ToUpper(base)
	if other == base {
		other = strings.ToLower(base)
	}
	if other == base {
		return false
	}
	here, err1 := os.Lstat(path)
	there, err2 := os.Lstat(filepath.Join(filepath.Dir(path), other))
	return err1 == nil && err2 == nil && os.SameFile(here, there)
}
