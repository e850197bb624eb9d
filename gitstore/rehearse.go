package gitstore

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Rehearse reports why a commit could not be published, and changes nothing that anybody
// sees: what a person has staged may exclude a history that is joined, and a filter or an
// encoding may refuse a file's text. Of these the error, a CodeFilter, joins one for each file.
func (r *Repo) Rehearse(ctx context.Context, c vault.Commit) error {
	p := &publication{Repo: r, commit: c}
	var err error
	if p.settings, err = r.Settings(ctx); err != nil {
		return err
	}
	eng, err := r.engine(ctx, pathsOfEdits(c.Edits))
	if err != nil {
		return err
	}
	defer eng.Close()
	if c.Join == nil {
		return p.convert(ctx, eng)
	}
	_, err = p.joinedStage(ctx, eng, c.Join.Base, c.Join.Tree)
	return err
}

// refusing are the attributes under which git may refuse a text. Line endings and idents it
// converts in any text, unless core.safecrlf forbids that.
var refusing = []string{"filter", "working-tree-encoding"}

// MayRefuse reports whether git may refuse to convert one of the files.
func (r *Repo) MayRefuse(ctx context.Context, paths []string) (bool, error) {
	s, err := r.Settings(ctx)
	if err != nil {
		return false, err
	}
	if plumb.IsTrue(s["core.safecrlf"]) {
		return true, nil
	}
	if x, err := r.survey(); err == nil && x.Named && r.hasNoConversion(s, x.Attribute, paths) {
		return false, nil
	}
	return r.haveAttribute(ctx, paths, refusing)
}

// convert makes the edits, one after the other, and keeps nothing but the blobs.
func (p *publication) convert(ctx context.Context, eng engine) error {
	head, err := p.Tip(ctx)
	if err != nil {
		return err
	}
	on, err := p.openVersions(ctx, eng, head)
	if err != nil {
		return err
	}
	e := p.editor(ctx, eng, head, on)
	var refused []error
	for i := range p.commit.Edits {
		e.commit.Edits = p.commit.Edits[i : i+1]
		if err := e.editAll(ctx); vault.CodeOf(err) == vault.CodeFilter {
			refused = append(refused, err)
		} else if err != nil {
			return err
		}
	}
	return errors.Join(refused...)
}
