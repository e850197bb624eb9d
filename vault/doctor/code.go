package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// Code is what the memories of a vault are about.
type Code struct {
	about.Bindings
	Judge func() (*about.Judge, error)
}

// code are the checks of it.
var code = []Check{
	{Name: "about-unparsed", Severity: Warning, Fix: "write it as `cp help code` says", OK: "every binding to code can be read", Look: checkUnparsed},
	{Name: "about-matches-nothing", Severity: Warning, Fix: "cp memory unbind <id> <binding>, or bind it to what is there", OK: "every folder and glob that a memory is about has files", Look: checkMatchesNothing},
	{Name: "about-unchecked", Severity: Info, Fix: "cp memory confirm --unchecked", OK: "every binding to code was confirmed", Look: checkUnchecked},
	{Name: "about-twice", Severity: Warning, Fix: "cp memory unbind the one that is not meant", OK: "no memory is bound twice to the same lines", Look: checkTwice},
	{Name: "code-blobs-missing", Severity: Info, Fix: "git fetch --unshallow, in the repository of the code", OK: "git has what the code was", Look: checkBlobs},
}

// eachBinding calls fn for the bindings of the vault.
func (p *Patient) eachBinding(ctx context.Context, fn func(about.Row, about.Binding, error) []Finding) (found []Finding, err error) {
	if p.Code.Bindings == nil {
		return nil, nil
	}
	rows, err := p.Code.AllBindings(ctx)
	for _, r := range rows {
		b, perr := about.Parse(r.Text)
		for _, f := range fn(r, b, perr) {
			f.Path = r.File
			found = append(found, f)
		}
	}
	return found[:min(len(found), maxFindings)], err
}

func checkUnparsed(ctx context.Context, p *Patient) ([]Finding, error) {
	return p.eachBinding(ctx, func(r about.Row, b about.Binding, err error) []Finding {
		if err == nil {
			err = b.Check()
		}
		return when(err != nil, "", "", "%s is about %q: %v", r.ID, r.Text, err)
	})
}

func checkUnchecked(ctx context.Context, p *Patient) ([]Finding, error) {
	return p.eachBinding(ctx, func(r about.Row, b about.Binding, err error) []Finding {
		return when(err == nil && r.Stamp == nil && !b.Glob && !b.IsFolder(), "", "", "nobody has confirmed %s of %s", r.Text, r.ID)
	})
}

// checkMatchesNothing looks for folders and globs without a file, and for files that were never there.
func checkMatchesNothing(ctx context.Context, p *Patient) ([]Finding, error) {
	var files []string
	listed := false
	return p.eachBinding(ctx, func(r about.Row, b about.Binding, err error) []Finding {
		if err != nil || b.Project != "" || r.Stamp != nil {
			return nil
		}
		if !listed {
			listed = true
			if judge, jerr := p.Code.Judge(); jerr == nil && judge.Code.List != nil {
				files, _ = judge.Code.List(ctx)
			}
		}
		return when(len(files) > 0 && !slices.ContainsFunc(files, b.Covers), "", "", "%s of %s is no file of the code", r.Text, r.ID)
	})
}

// checkTwice looks for bindings of one memory whose lines overlap: two people confirmed what had moved.
func checkTwice(ctx context.Context, p *Patient) ([]Finding, error) {
	type place struct {
		id   vault.ID
		path string
	}
	last := make(map[place]about.Binding)
	return p.eachBinding(ctx, func(r about.Row, b about.Binding, err error) []Finding {
		if err != nil || b.From == 0 {
			return nil
		}
		at := place{r.ID, b.Path}
		was, again := last[at]
		last[at] = b
		return when(again && was.Meets(b), "", "", "%s is about %s and %s", r.ID, was, b)
	})
}

// checkBlobs looks for bindings that cannot be judged since git does not have what the code was.
func checkBlobs(ctx context.Context, p *Patient) ([]Finding, error) {
	if p.Code.Bindings == nil {
		return nil, nil
	}
	rows, err := p.Code.AllBindings(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	judge, err := p.Code.Judge()
	if err != nil {
		return nil, nil // there is no code
	}
	states, err := judge.StatesOf(ctx, rows)
	missing := 0
	for _, c := range states {
		for _, b := range c.Bindings {
			if strings.HasPrefix(b.Why, about.NoBlob) {
				missing++
			}
		}
	}
	return when(missing > 0, "", "", "of %s git does not have what the code was", vault.Plural(missing, "binding", "bindings")), err
}
