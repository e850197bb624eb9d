package branch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Link says where a clone has the vault of a branch.
type Link struct {
	Name   string // of the branch, without refs/heads/
	Root   string // the vault's folder, absolute
	common string // the git directory of all worktrees
}

// prefix begins the names of the folders that belong to a branch.
const prefix = "branch-"

// State returns the folder of the vault's state. All worktrees share it.
func (l *Link) State() string { return filepath.Join(l.common, "cp", prefix+escape(l.Name)) }

// admin returns the git directory of the vault's worktree.
func (l *Link) admin() string {
	return filepath.Join(l.common, "worktrees", "cp-"+prefix+escape(l.Name))
}

// placeFile returns the file that holds the vault's place.
func (l *Link) placeFile() string { return filepath.Join(l.State(), "place") }

// git returns the git command on the vault's worktree, also where its .git is missing.
func (l *Link) git() plumb.Git { return plumb.NewGit(l.Root, l.admin(), l.common) }

// Main returns the top of the code's main worktree; empty in a repository without one.
func (l *Link) Main(ctx context.Context) (string, error) { return mainTop(ctx, l.common) }

// Beside returns the folder from which git talks to remotes for the vault. A relative
// address of a remote counts from there, as for the code.
func (l *Link) Beside(ctx context.Context) (string, error) {
	top, err := l.Main(ctx)
	if top == "" {
		top = l.common
	}
	return top, err
}

// A branch may have slashes in its name; a folder may not.
var (
	escapes   = strings.NewReplacer("%", "%25", "/", "%2F")
	unescapes = strings.NewReplacer("%25", "%", "%2F", "/")
)

func escape(name string) string   { return escapes.Replace(name) }
func unescape(name string) string { return unescapes.Replace(name) }

// FindLink returns the link of the repository whose .git is in dir; nil if there is none.
func FindLink(dir string) (*Link, error) {
	gitDir := gitDirIn(dir)
	if gitDir == "" {
		return nil, nil
	}
	common, err := plumb.CommonDirOf(gitDir)
	if err != nil {
		return nil, nil // gitstore.Find says what is wrong
	}
	return findLink(common)
}

// For returns the link of the vault in root; nil if that is none of a branch. A vault
// whose .git leads to the branch of another folder is refused.
func For(root string) (*Link, error) {
	for dir := root; ; dir = filepath.Dir(dir) {
		link, err := FindLink(dir)
		if err != nil || link != nil && link.Root == root {
			return link, err
		}
		if link != nil && dir == root && gitDirIn(root) == link.admin() {
			return nil, errCopied(root, link)
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

func errCopied(root string, l *Link) error {
	return vault.Errorf(vault.CodeConfig, "use "+l.Root+"; if that was moved here, move it back; to have memories of its own: rm "+vault.Path(filepath.Join(root, ".git")).QuoteForShell(),
		"%s is a copy: its .git leads to the branch %s of the vault %s", root, l.Name, l.Root)
}

// findLink returns the link of the repository with that common directory. In that of another
// user, who alone can enter the folder, there is none.
func findLink(common string) (*Link, error) {
	entries, err := os.ReadDir(filepath.Join(common, "cp"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok {
			continue
		}
		l := &Link{Name: unescape(name), common: common}
		b, err := os.ReadFile(l.placeFile())
		if errors.Is(err, fs.ErrNotExist) {
			continue // a folder of another vault
		}
		if err != nil {
			return nil, plumb.IOError(err)
		}
		l.Root = l.from(strings.TrimSuffix(string(b), "\n"))
		return l, nil
	}
	return nil, plumb.IOError(err)
}

// from reads a place: a path that is relative counts from the common directory, so that
// it stays true when the repository moves.
func (l *Link) from(place string) string {
	if filepath.IsAbs(place) {
		return filepath.Clean(place)
	}
	return filepath.Join(l.common, place)
}

// formatPlace writes the vault's place as from reads it.
func (l *Link) formatPlace(main string) string {
	if main != "" && inside(main, l.Root) || inside(filepath.Dir(l.common), l.Root) {
		if rel, err := filepath.Rel(l.common, l.Root); err == nil {
			return rel + "\n"
		}
	}
	return l.Root + "\n"
}

// inside reports whether path lies below dir.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// gitDirIn returns the git directory that dir/.git is or names, links resolved; empty where
// there is none.
func gitDirIn(dir string) string {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		if dot, err = plumb.ReadGitFile(dot); err != nil {
			return ""
		}
	}
	if _, err := os.Stat(filepath.Join(dot, "HEAD")); err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(dot)
	if err != nil {
		return ""
	}
	return real
}

// mainTop returns the top of the main worktree of the repository with that common
// directory; empty for a bare one.
func mainTop(ctx context.Context, common string) (string, error) {
	own, err := plumb.NewGit(common, common, common).Own(ctx)
	if err != nil || plumb.IsTrue(own["core.bare"]) {
		return "", err
	}
	top := own["core.worktree"]
	switch {
	case top == "" && filepath.Base(common) != ".git":
		return "", nil
	case top == "":
		return filepath.Dir(common), nil
	case !filepath.IsAbs(top):
		top = filepath.Join(common, top)
	}
	return filepath.EvalSymlinks(top)
}
