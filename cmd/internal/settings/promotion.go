package settings

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// Promotion says what a promotion asks for, and which kinds of entries wait for a place in
// the tree.
type Promotion struct {
	tier.Thresholds
	ReviewKinds []header.Kind
}

// promotion is the key of the same name, in the vault's file and in the user's.
type promotion struct {
	ToLongTerm  threshold `yaml:"to_long_term"`
	ToCore      threshold `yaml:"to_core"`
	ReviewKinds []string  `yaml:"review_kinds"`
}

// threshold holds what is set of a threshold.
type threshold struct {
	MinCount *int  `yaml:"min_count"`
	MinDays  *int  `yaml:"min_days"`
	Approval *bool `yaml:"approval"`
}

func (p *promotion) UnmarshalYAML(n *yaml.Node) error {
	type plain promotion
	if err := n.Decode((*plain)(p)); err != nil {
		return fmt.Errorf("line %d: promotion is {to_long_term: {min_count: 2}, to_core: {min_count: 3, min_days: 7}, review_kinds: [decision]}", n.Line)
	}
	for _, number := range []*int{p.ToLongTerm.MinCount, p.ToLongTerm.MinDays, p.ToCore.MinCount, p.ToCore.MinDays} {
		if number != nil && *number < 0 {
			return fmt.Errorf("line %d: a threshold of promotion cannot be negative", n.Line)
		}
	}
	for _, word := range p.ReviewKinds {
		if _, ok := header.ParseKind(word); !ok {
			return fmt.Errorf("line %d: review_kinds holds %q, which is no kind of entry", n.Line, vault.Clip(word, 40))
		}
	}
	return nil
}

// overlayOn returns the threshold with what is set of it.
func (t threshold) overlayOn(d tier.Threshold) tier.Threshold {
	if t.MinCount != nil {
		d.MinCount = *t.MinCount
	}
	if t.MinDays != nil {
		d.MinDays = *t.MinDays
	}
	if t.Approval != nil {
		d.Unapproved = !*t.Approval
	}
	return d
}

// thresholds returns what the file sets over d.
func (p promotion) thresholds(d tier.Thresholds) tier.Thresholds {
	return tier.Thresholds{ToLongTerm: p.ToLongTerm.overlayOn(d.ToLongTerm), ToCore: p.ToCore.overlayOn(d.ToCore)}
}

// bothPromotions returns what holds of the team's rule and the user's: of each number the larger one.
// A number that neither sets is the default's.
func bothPromotions(team, user promotion) Promotion {
	var p Promotion
	own := user.thresholds(tier.Thresholds{})
	p.Thresholds = tier.Stricter(team.thresholds(tier.Thresholds{}), own)
	d := tier.Default()
	for _, n := range []struct {
		team, user *int
		to         *int
		otherwise  int
	}{
		{team.ToLongTerm.MinCount, user.ToLongTerm.MinCount, &p.ToLongTerm.MinCount, d.ToLongTerm.MinCount},
		{team.ToLongTerm.MinDays, user.ToLongTerm.MinDays, &p.ToLongTerm.MinDays, d.ToLongTerm.MinDays},
		{team.ToCore.MinCount, user.ToCore.MinCount, &p.ToCore.MinCount, d.ToCore.MinCount},
		{team.ToCore.MinDays, user.ToCore.MinDays, &p.ToCore.MinDays, d.ToCore.MinDays},
	} {
		if n.team == nil && n.user == nil {
			*n.to = n.otherwise
		}
	}
	for _, word := range slices.Concat(team.ReviewKinds, user.ReviewKinds) {
		if k, ok := header.ParseKind(word); ok && !slices.Contains(p.ReviewKinds, k) {
			p.ReviewKinds = append(p.ReviewKinds, k)
		}
	}
	return p
}
