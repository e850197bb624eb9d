package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
)

// Excludes returns the texts of the ignore files outside of the work tree, the weakest
// first: the person's own (core.excludesFile) and the repository's info/exclude. A missing
// one is nil. fold says that git takes names that differ in case alone for the same.
func (r *Repo) Excludes(ctx context.Context) (fold bool, texts [][]byte, err error) {
	personal, fold, err := r.Git.Excludes(ctx)
	if err != nil {
		return false, nil, err
	}
	for _, file := range []string{personal, filepath.Join(r.CommonDir(), "info", "exclude")} {
		text, err := os.ReadFile(file)
		if err != nil {
			text = nil
		}
		texts = append(texts, text)
	}
	return fold, texts, nil
}

// AskTracked returns a question: whether the index or HEAD hold a file of that name, or a
// folder with such a file. done ends it. HEAD is asked where the index has not got it. An
// index or a HEAD that cannot be read holds nothing: a reader is told of it elsewhere.
func (r *Repo) AskTracked(ctx context.Context) (has func(name string, folder bool) bool, done func()) {
	index := r.indexNames(ctx)
	h := &headNames{repo: r}
	return func(name string, folder bool) bool { return index(name, folder) || h.hasName(ctx, name) }, h.close
}

// indexNames returns a question for the names in the index, those in conflict included.
func (r *Repo) indexNames(ctx context.Context) func(name string, folder bool) bool {
	x, err := gitindex.Read(r.indexFile())
	if err == nil && x.HasAllNames() {
		return x.Tracks
	}
	names, _ := r.List(ctx, nil, "ls-files", "-z")
	sort.Strings(names)
	return func(name string, folder bool) bool {
		if folder {
			name += "/"
		}
		i := sort.SearchStrings(names, name)
		return i < len(names) && (names[i] == name || folder && strings.HasPrefix(names[i], name))
	}
}

// headNames knows what HEAD holds, from the first question on.
type headNames struct {
	repo    *Repo
	opened  bool
	objects object.Store
	tree    *object.Tree // nil where there is none to read
}

func (h *headNames) hasName(ctx context.Context, name string) bool {
	if !h.opened {
		h.opened = true
		h.openTip(ctx)
	}
	if h.tree == nil {
		return false
	}
	_, ok, err := h.tree.Find(ctx, name)
	return ok && err == nil
}

func (h *headNames) openTip(ctx context.Context) {
	tip, err := h.repo.Tip(ctx)
	if err == nil && tip != "" {
		h.objects, err = h.repo.Objects()
	}
	if err == nil && h.objects != nil {
		h.tree, _ = object.OpenTree(ctx, h.objects, h.repo.IDs, tip)
	}
}

func (h *headNames) close() {
	if h.objects != nil {
		h.objects.Close()
	}
}
