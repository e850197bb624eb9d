package sync

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// refusals are the files whose text git cannot convert, with its words.
type refusals map[vault.Path]string

// joinRefusals returns the refusals and those of an error; false if it has none that is new.
func (known refusals) joinRefusals(err error) (refusals, bool) {
	all := maps.Clone(known)
	if all == nil {
		all = make(refusals)
	}
	all.collect(err)
	return all, len(all) > len(known)
}

// collect adds the files that an error and its causes name.
func (known refusals) collect(err error) {
	if e, ok := err.(*vault.Error); ok && e.Code == vault.CodeFilter && e.Path != "" {
		known[vault.Path(e.Path)] = e.Msg
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			known.collect(one)
		}
	} else if err != nil {
		known.collect(errors.Unwrap(err))
	}
}

// spareRefused leaves the files out of the pass, and names each. What HEAD has of one that is
// gone from the disk cannot be read: it may be any of those that seem to be missing.
func (r *reconciler) spareRefused() {
	for _, p := range slices.Sorted(maps.Keys(r.refused)) {
		why := r.refused[p]
		on := r.fileAt(r.pathBefore(p))
		on.left, on.damaged, on.refused = true, true, true
		if r.isGone(p) {
			r.out.Report.Complete = false
		}
		r.out.spared = append(r.out.spared, vault.Problem{Path: p, Kind: vault.ProblemFilter, Msg: why})
	}
}

// pathBefore returns where a file is that lies at p once the folders have followed.
func (r *reconciler) pathBefore(p vault.Path) vault.Path {
	for _, f := range r.followed {
		if was := f.From + p[min(len(f.To), len(p)):]; p.Within(f.To) && r.fileAt(was).isInMirror() {
			return was
		}
	}
	return p
}

// isGone reports whether HEAD has a file that is not on disk.
func (r *reconciler) isGone(p vault.Path) bool {
	return slices.ContainsFunc(r.drift, func(d vault.Drift) bool { return d.Path == p && d.Hash == "" })
}

// rehearseDryRun returns the error with CodeFilter with which git would refuse the change of a dry run.
func (p pass) rehearseDryRun(ctx context.Context, c *vault.Change) error {
	if !p.DryRun {
		return nil // it is about to be told
	}
	if err := p.Store.Rehearse(ctx, c); vault.CodeOf(err) == vault.CodeFilter {
		return err
	}
	return nil
}

// reconcile makes one pass, and where git cannot convert the text of some files another one
// without them.
func (v *Syncer) reconcile(ctx context.Context, o Options) (out Synced, receipt vault.Receipt, err error) {
	p, more := pass{Syncer: v, Options: o}, true
	for more {
		if out, receipt, err = doVerb(ctx, v, o, p); err == nil {
			return out, receipt, nil
		}
		p.refused, more = p.refused.joinRefusals(err)
	}
	return out, receipt, err
}
