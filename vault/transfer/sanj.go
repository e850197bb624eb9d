package transfer

import (
	"cmp"
	"errors"
	"path"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// The program sanj keeps observations.json, a list of what was seen with a count, sessions,
// dates and a level, and long-term-memory.md, which shows those that were promoted. Package
// tier reads both ([tier.ReadItems], [tier.ParseView]).
//
// What the files say of one text is put together. A count beyond the sessions is kept as
// seen_before.

// sanj reads the form: a file whose name ends in .md as a view of long-term memory, any other
// as JSON. An item without a date became long-term at the time that the file has.
func (r *reader) sanj() {
	var all []Item
	for _, f := range r.files {
		items, warnings, err := observations(f)
		if err != nil {
			r.Items = append(r.Items, Item{Source: f.Rel, Err: err})
		}
		for _, warning := range warnings {
			r.Items = append(r.Items, Item{Source: f.Rel, Err: errors.New(warning)})
		}
		for i := range items {
			all = append(all, Item{Source: f.Rel, Observed: &items[i]})
		}
	}
	r.union(all)
}

// observations returns what one file holds, and what in it cannot be read.
func observations(f File) (items []tier.Item, warnings []string, err error) {
	switch {
	case f.Err != nil:
		return nil, nil, f.Err
	case path.Ext(f.Rel) == ".md":
		items, warnings = tier.ParseView(string(f.Text), f.At.UTC().Truncate(time.Second))
		return items, warnings, nil
	}
	return tier.ReadItems(f.Text)
}

// union takes observations in, those of one text as one. First come those that cannot be one.
func (r *reader) union(all []Item) {
	var items []Item
	known := make(map[vault.ID]*tier.Item)
	for _, it := range all {
		key, err := tier.Key(Sanj().Name, it.Observed.Text)
		if it.Err = cmp.Or(err, checkItem(it.Observed)); it.Err != nil {
			r.Items = append(r.Items, it)
		} else if k := known[key]; k != nil {
			unite(k, it.Observed)
		} else {
			items, known[key] = append(items, it), it.Observed
		}
	}
	r.Items = append(r.Items, items...)
}

// checkItem refuses what cannot be written.
func checkItem(i *tier.Item) error {
	return cmp.Or(journal.CheckBody(i.Text), vault.CheckLine("session", i.Sessions...), vault.CheckLine("id", i.ID))
}

// unite adds what another source says of the same text. The date of a promotion that the first
// one gives stays: a view has none of its own.
func unite(k, o *tier.Item) {
	count := max(k.CountSeen(), o.CountSeen())
	forCore := ready(k) || ready(o)
	k.Sessions = append(k.Sessions, o.Sessions...)
	k.Count = count
	k.FirstSeen = journal.EarlierOf(k.FirstSeen, o.FirstSeen)
	k.LastSeen, k.Denied, k.Approved, k.Core = journal.LaterOf(k.LastSeen, o.LastSeen), journal.LaterOf(k.Denied, o.Denied), journal.LaterOf(k.Approved, o.Approved), journal.LaterOf(k.Core, o.Core)
	if k.LongTerm.IsZero() {
		k.LongTerm = o.LongTerm
	}
	if forCore && !k.Approved.After(k.LongTerm) {
		k.Approved = tier.Later(k.LongTerm, k.LongTerm)
	}
}

// ready reports whether a person has approved an item for core.
func ready(i *tier.Item) bool { return !i.LongTerm.IsZero() && i.Approved.After(i.LongTerm) }
