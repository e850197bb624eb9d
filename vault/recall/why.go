package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// why says why nothing was found.
func (r *run) why(ctx context.Context) (string, error) {
	if hint, err := FindUnknownLabel(ctx, labelled(r.members), r.q.Filter.Labels); hint != "" || err != nil {
		return hint, err
	}
	switch {
	case r.answer.Below > 0 && len(r.all) == 0:
		return fmt.Sprintf("%s found, and the nearest has a similarity of %.2f", vault.Plural(r.answer.Below, "memory was", "memories were"), r.best), nil
	case r.answer.LeftOut > 0:
		return fmt.Sprintf("the budget of %d tokens is too small for any of %d memories found; %d are enough for one", r.q.Budget, r.answer.LeftOut, r.answer.Least), nil
	case r.q.Filter.Offset > 0 && len(r.all) > 0:
		return fmt.Sprintf("there are only %d; --offset %d is beyond them", len(r.all), r.q.Filter.Offset), nil
	case len(r.terms) == 0:
		return "the query has no letter or digit to look for", nil
	case !slices.ContainsFunc(r.terms, func(t Term) bool { return t.Rarity > 0 }):
		return "no file holds any of these words: " + r.listTerms() + "; try broader ones, or `cp status` for what there is", nil
	}
	why := "files hold some of these words, but none that passes the filters"
	if set := filters(r.q.Filter); len(set) > 0 {
		why += "; try without " + strings.Join(set, " or ")
	}
	return why, nil
}

// filters names the filters that are set, as a person sets them.
func filters(o vault.ListOptions) (set []string) {
	for _, f := range [...]struct {
		name string
		set  bool
	}{
		{"--type", len(o.Types) > 0}, {"--spec", o.Spec != ""}, {"--commits", o.Commits != nil}, {"--level", len(o.Levels) > 0}, {"--status", len(o.Status) > 0}, {"--label", len(o.Labels) > 0},
		{"--since", !o.Since.IsZero()}, {"--until", !o.Until.IsZero()}, {"--under", o.Under != "" || o.Dir != ""}, {"--roots", o.Roots},
	} {
		if f.set {
			set = append(set, f.name)
		}
	}
	return set
}

// listTerms lists the first few terms, as they were typed.
func (r *run) listTerms() string {
	typed := strings.FieldsFunc(r.q.Text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) && !unicode.IsDigit(c) })
	var words []string
	for _, t := range r.terms[:min(len(r.terms), 8)] {
		words = append(words, wordOf(t.Text, typed))
	}
	if len(r.terms) > len(words) {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

// wordOf returns the first word that a term is the stem of, or the term itself. A stem may end in
// another letter than its word, as that of libraries does.
func wordOf(term string, typed []string) string {
	stem := []rune(term)
	begin := filename.Fold(string(stem[:max(len(stem)-1, min(len(stem), 3))]))
	for _, word := range typed {
		if strings.HasPrefix(filename.Fold(word), begin) {
			return word
		}
	}
	return term
}

// FindUnknownLabel names the first label that no file has, and labels like it. It is empty if all
// labels are in use.
func FindUnknownLabel(ctx context.Context, l Labeller, labels []string) (string, error) {
	if len(labels) == 0 {
		return "", nil
	}
	known, err := l.Labels(ctx)
	if err != nil {
		return "", err
	}
	for _, label := range labels {
		if slices.Contains(known, label) {
			continue
		}
		if near := nearest(label, known); len(near) > 0 {
			return fmt.Sprintf("no file has the label '%s'; near to it: %s", label, strings.Join(near, ", ")), nil
		}
		return fmt.Sprintf("no file has the label '%s'", label), nil
	}
	return "", nil
}

// Labeller knows the labels in use, as a Lexicon does.
type Labeller interface {
	Labels(ctx context.Context) ([]string, error)
}

// labelled knows the labels of all members.
type labelled []Member

func (all labelled) Labels(ctx context.Context) (labels []string, err error) {
	for _, m := range all {
		own, merr := m.Lexicon.Labels(ctx)
		labels, err = append(labels, own...), cmp.Or(err, merr)
	}
	if len(all) > 1 { // one that cannot be read is told elsewhere
		err = nil
	}
	slices.Sort(labels)
	return slices.Compact(labels), err
}

// nearest returns up to three known words that are like the word.
func nearest(word string, known []string) []string {
	type near struct {
		word     string
		distance int
	}
	var all []near
	folded := filename.Fold(word)
	for _, k := range known {
		other := filename.Fold(k)
		if d := filename.EditsOfLetters(folded, other); d <= 1+len(folded)/4 || strings.HasPrefix(other, folded) || strings.HasPrefix(folded, other) {
			all = append(all, near{k, d})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.distance - b.distance })
	var out []string
	for _, n := range all[:min(len(all), 3)] {
		out = append(out, n.word)
	}
	return out
}
