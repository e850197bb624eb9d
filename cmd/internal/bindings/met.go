package bindings

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// Met is a file that an agent has met: it did not ask what is known of it.
type Met struct {
	File     string // absolute, the links of its folder resolved
	From, To int    // the lines that it has seen; 0 for all
}

// Met returns the memories that are bound to a file, in the order of [Room.About], without those that
// wait for a decision, are denied or closed. Of a file that lies outside of the code, in a .git
// folder or in the vault it returns none. A vault in which nothing is bound is not looked through.
func (r Room) Met(ctx context.Context, m Met) ([]Known, error) {
	if r.HasIndex() {
		if any, err := r.Bindings.HasAny(ctx); err != nil || !any {
			return nil, err
		}
	}
	asked, ok, err := r.placeOf(m)
	if err != nil || !ok {
		return nil, err
	}
	if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	all, err := r.findBound(ctx, asked)
	all = slices.DeleteFunc(all, func(f found) bool { return f.hidden })
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return r.makeKnown(ctx, asked, all)
}

// placeOf returns a file as a binding has it. ok is false where no binding can mean it.
func (r Room) placeOf(m Met) (asked about.Binding, ok bool, err error) {
	judge, err := r.Judge()
	if err != nil || judge.Code.Root == "" || r.isOwn(m.File, judge.Code.Root) {
		return asked, false, err
	}
	rel, err := filepath.Rel(judge.Code.Root, m.File)
	if err != nil || !filepath.IsLocal(rel) || rel == "." || about.IsInGit(filepath.ToSlash(rel)) {
		return asked, false, nil
	}
	return about.Binding{Path: norm.NFC.String(filepath.ToSlash(rel)), From: m.From, To: m.To}, true, nil
}

// isOwn reports whether a file is the vault's own. Where that is all of the code's repository, its
// notes are.
func (r Room) isOwn(file, top string) bool {
	root := r.State.Root()
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	return root != top || strings.HasSuffix(rel, ".md") || strings.HasPrefix(rel, ".cp/")
}
