package worktree

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/internal/files"
)

// Excluder tells what git's ignore files outside of a work tree say; see [Repository].
type Excluder interface {
	Excludes(ctx context.Context) (fold bool, texts [][]byte, err error)
}

// IgnoredFolders tells of the folders of a work tree, those without memories included, whether
// git ignores them. No process is started. It serves one command: what a folder's ignore file
// says is read once.
type IgnoredFolders struct {
	top   string
	rules map[string]*files.IgnoreRules // in a folder, by its path from the top
}

// FoldersOf returns the ignored folders of the work tree at top, which is repo's.
func FoldersOf(ctx context.Context, repo Excluder, top string) (IgnoredFolders, error) {
	fold, texts, err := repo.Excludes(ctx)
	return IgnoredFolders{top, map[string]*files.IgnoreRules{".": rulesIn(files.NewIgnoreRules(fold, texts...), "", top)}}, err
}

// Outermost returns the topmost folder that git ignores of those on the way from the top to
// dir, dir included. It is empty where git ignores none of them.
func (f IgnoredFolders) Outermost(dir string) string {
	rel, err := filepath.Rel(f.top, dir)
	if err != nil || rel == "." {
		return ""
	}
	at := "."
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		below := filepath.Join(at, name)
		if f.rules[at].Out(name, true) {
			return filepath.Join(f.top, below)
		}
		if f.rules[below] == nil {
			f.rules[below] = rulesIn(f.rules[at], name, filepath.Join(f.top, below))
		}
		at = below
	}
	return ""
}
