package exchange

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// What belongs to a vault besides its memories are the files that lie in its folders: the
// pictures and tables that a text shows, which move along with it. In a repository of code a
// vault may share its folder with code. So these belong, but for what is hidden:
//
//	deploy/data.csv   it lies in the folder of a memory, deploy.md
//	img/plan.png      a picture, a sound, a film, a PDF or the like, anywhere in the vault
//	memory/in/a.csv   everything in a folder of the repository that is a vault and no more
//
// A folder is more than a vault if another file lies beside the topmost memories: go.mod, say.

// belongings are the files of a vault that are no memories, by some commits.
type belongings struct {
	x       *Exchange
	folders map[vault.Path]bool // of memories
	shared  bool                // with what is no vault's
}

// belongings asks the commits; an empty one has nothing.
func (x *Exchange) belongings(ctx context.Context, commits ...string) (*belongings, error) {
	b := &belongings{x: x, folders: make(map[vault.Path]bool), shared: x.Prefix == "" && !x.Alone}
	for _, commit := range commits {
		if err := b.takeCommit(ctx, commit); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// takeCommit takes the files of one more commit into account.
func (b *belongings) takeCommit(ctx context.Context, commit string) error {
	if commit == "" {
		return nil
	}
	all, err := b.x.History.Differences(ctx, "", commit)
	for _, d := range all {
		b.takeFile(d.Path)
	}
	return err
}

// takeFile takes a file of a commit into account.
func (b *belongings) takeFile(name string) {
	p, in := b.x.inVault(name)
	switch {
	case !in || isHidden(p):
	case b.x.isMemoryFile(name):
		b.folders[p.Stem()] = true
	case p.Dir() == "" && !p.IsNote() && !shows(p):
		b.shared = true
	}
}

// has reports whether a path of the repository belongs to the vault.
func (b *belongings) has(name string) bool {
	p, in := b.x.inVault(name)
	if !in || isHidden(p) {
		return false
	}
	if !b.shared || shows(p) {
		return true
	}
	for dir := p.Dir(); dir != ""; dir = dir.Dir() {
		if b.folders[dir] {
			return true
		}
	}
	return false
}

// isHidden reports whether a file's name, or one of its folders', begins with a dot.
func isHidden(p vault.Path) bool { return strings.Contains("/"+string(p), "/.") }

// shown are the kinds of files that a text shows: those that Obsidian takes for attachments.
var shown = strings.Fields(".avif .bmp .gif .jpeg .jpg .png .svg .webp .flac .m4a .mp3 .ogg .wav .3gp .mkv .mov .mp4 .ogv .webm .pdf .canvas .excalidraw .drawio")

// shows reports whether a file is of one of these kinds.
func shows(p vault.Path) bool {
	return slices.Contains(shown, strings.ToLower(path.Ext(string(p))))
}
