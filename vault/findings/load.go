package findings

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Filter chooses findings. Its zero value chooses all.
type Filter struct {
	Severities []string `flag:"severity" commas:"yes" help:"only these <severities>, separated by commas or repeated"`
	Categories []string `flag:"category" commas:"yes" help:"only these <categories>, separated by commas or repeated"`
	Open       bool     // only those that are not resolved
	Spec       string   `flag:"spec" help:"only those of this piece of work: a <name>"`
	Paths      []string // only those in these files and folders
	IDs        []vault.ID
}

// Check refuses words that are in no table, and tidies the others.
func (o *Filter) Check() error {
	for i, s := range o.Severities {
		o.Severities[i] = foldWord(s)
	}
	for i, c := range o.Categories {
		o.Categories[i] = categoryOf(c)
	}
	if err := CheckSeverity(o.Severities...); err != nil {
		return err
	}
	return CheckCategory(o.Categories...)
}

// Keeps reports whether the filter chooses a finding.
func (o *Filter) Keeps(k *Known) bool {
	among := func(all []string, one string) bool { return len(all) == 0 || slices.Contains(all, one) }
	return among(o.Severities, k.Severity) && among(o.Categories, k.Category) && (!o.Open || k.Open()) &&
		(o.Spec == "" || o.Spec == k.Spec) && (len(o.IDs) == 0 || slices.Contains(o.IDs, k.ID)) &&
		(len(o.Paths) == 0 || slices.ContainsFunc(o.Paths, func(p string) bool { return isBelow(k.File, p) }))
}

// isBelow reports whether a file is p or lies below it.
func isBelow(file, p string) bool { return file == p || strings.HasPrefix(file, p+"/") }

// Load returns the findings of the vault that a filter chooses, the worst first. Denied ones
// are among them: a finding is resolved, not denied.
func Load(ctx context.Context, v *vault.Vault, o Filter) (all []Known, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	var nodes []vault.Node
	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		nodes, _, err = t.List(ctx, vault.ListOptions{Types: []string{header.Review.Namespace()}, Status: []string{"*"}, Spec: o.Spec, Limit: maxRows})
		return err
	})
	reviews := make(map[string]bool)
	for i := range nodes {
		if nodes[i].Type == string(header.Review) {
			reviews[string(nodes[i].ID)] = true
		}
	}
	for i := range nodes {
		n := &nodes[i]
		if n.Type != string(header.Finding) {
			continue
		}
		text, _, err := v.Store.Read(n.Path)
		if err != nil {
			continue // it went while we read
		}
		k := FromMemory(vault.ParseText(n.Path, text))
		k.ID, k.Review = n.ID, n.Parent
		k.keepReviews(reviews)
		if o.Keeps(&k) {
			all = append(all, k)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, Worse)
	return all, err
}

// Worse orders findings, the worst first.
func Worse(a, b Known) int { return order(&a.Finding, &b.Finding) }

// keepReviews keeps those that the finding relates to and that are reviews.
func (k *Known) keepReviews(reviews map[string]bool) {
	for _, id := range k.relates {
		if reviews[id] && id != string(k.Review) {
			k.Again = append(k.Again, vault.ID(id))
		}
	}
}
