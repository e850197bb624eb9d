package tier

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Book keeps observations at the three levels for a program that has no vault. It reads no
// clock and no file of its own: what it needs is given to [NewBook], [Book.Load] and
// [Book.Save]. A method that refuses leaves the book as it is. It is for one goroutine at a
// time.
type Book struct {
	thresholds Thresholds
	now        func() time.Time
	targets    []Target
	rows       []row
	ids        map[string]*Item
	frame      members // of the object around the list, where there is one
	list       string  // the list's name in frame
}

// row is an item, or the JSON of one that cannot be read.
type row struct {
	*Item
	raw json.RawMessage
}

// Target is a file that agents load every time.
type Target interface {
	Name() string // such as claude_md

	// Append adds a section to the file, all of it or nothing.
	Append(section string) error
}

// Counts tells how many items there are at each level. Denied ones are not counted.
type Counts struct {
	Pending  int `json:"pending"`
	LongTerm int `json:"longTerm"`
	Core     int `json:"core"`
}

// NewBook returns an empty book. Its promotions ask for what the thresholds say, tell the
// time by now, and write to the targets.
func NewBook(t Thresholds, now func() time.Time, targets ...Target) *Book {
	return &Book{thresholds: t, now: now, targets: targets, ids: make(map[string]*Item)}
}

// Add adds an item. One without an id or a text, or with the id of another item, is refused.
func (b *Book) Add(i Item) error {
	switch {
	case strings.TrimSpace(i.ID) == "" || strings.TrimSpace(i.Text) == "":
		return vault.Errorf(vault.CodeInvalid, "", "an item needs an id and a text")
	case b.ids[i.ID] != nil:
		return vault.Errorf(vault.CodeConflict, "", "another item has the id %s", vault.Clip(i.ID, 80))
	}
	c := i.clone()
	b.rows, b.ids[c.ID] = append(b.rows, row{Item: &c}), &c
	return nil
}

// ByID returns an item. ok is false if there is none with that id.
func (b *Book) ByID(id string) (i Item, ok bool) {
	if found := b.ids[id]; found != nil {
		return found.clone(), true
	}
	return i, false
}

// LongTerm returns the items in long-term memory that are not denied, those first to which
// something happened last.
func (b *Book) LongTerm() []Item {
	all := b.those(func(i *Item) bool { return i.Level() == LongTerm && !IsDenied(i.asHeader()) })
	ByUpdate(all)
	return all
}

// ByUpdate sorts items: those first to which something happened last, and those of one time
// by id.
func ByUpdate(items []Item) {
	slices.SortFunc(items, func(x, y Item) int {
		return cmp.Or(y.LastUpdate().Compare(x.LastUpdate()), strings.Compare(x.ID, y.ID))
	})
}

// PromotableToCore returns the items that have been seen often enough and have been in
// long-term memory for long enough, the most seen first. An approval may be missing.
func (b *Book) PromotableToCore() []Item {
	all := b.those(func(i *Item) bool { return b.EligibleForCore(*i) })
	slices.SortFunc(all, func(x, y Item) int { return cmp.Or(y.CountSeen()-x.CountSeen(), strings.Compare(x.ID, y.ID)) })
	return all
}

// EligibleForCore reports whether only an approval may be missing for a promotion to core.
func (b *Book) EligibleForCore(i Item) bool {
	return b.thresholds.EligibleForCore(i.asHeader(), b.now())
}

// DaysSinceLongTerm returns for how many whole days the item has been in long-term memory; 0
// if it is not there, or was put there at a time to come.
func (b *Book) DaysSinceLongTerm(i Item) int { return Days(i.LongTerm, b.now()) }

// CountLevels counts the items at each level.
func (b *Book) CountLevels() (c Counts) {
	for _, r := range b.rows {
		if r.Item == nil || IsDenied(r.asHeader()) {
			continue
		}
		switch r.Level() {
		case Core:
			c.Core++
		case LongTerm:
			c.LongTerm++
		default:
			c.Pending++
		}
	}
	return c
}

// Approve is a person's yes to an item, for the next level. It lifts a denial.
func (b *Book) Approve(id string) error {
	i, err := b.findItem(id)
	if err == nil && !IsApproved(i.asHeader()) {
		i.Approved = Later(b.now(), i.Denied, i.LongTerm)
	}
	return err
}

// Deny is a person's no to an item: it is promotable at no level.
func (b *Book) Deny(id string) error {
	i, err := b.findItem(id)
	if err == nil && !IsDenied(i.asHeader()) {
		i.Denied = Later(b.now(), i.Approved)
	}
	return err
}

// PromoteToLongTerm moves a pending item to long-term memory. The error tells why it cannot:
// its class is [vault.CodeRefused], or [vault.CodeNotFound] for an id that nobody has.
func (b *Book) PromoteToLongTerm(id string) error {
	i, err := b.findItem(id)
	if err == nil {
		err = b.thresholds.LongTerm(i.asHeader())
	}
	if err == nil {
		i.LongTerm = b.now().UTC().Truncate(time.Second)
		if i.LongTerm.Before(i.Approved) { // by a clock that was ahead: that was no approval for core
			i.LongTerm = i.Approved
		}
	}
	return err
}

// PromoteToCore writes a long-term item to targets. It is core once all of them have it. If
// one fails the others are written nevertheless, the error names it, and the next call
// writes that one alone. The error is otherwise that of PromoteToLongTerm.
func (b *Book) PromoteToCore(id string, targets ...string) error {
	i, err := b.findItem(id)
	if err == nil {
		err = b.thresholds.Core(i.asHeader(), b.now())
	}
	if err != nil {
		return err
	}
	to, err := b.findTargets(targets)
	if err != nil {
		return err
	}
	var failed []error
	for _, t := range to {
		if slices.Contains(i.Targets, t.Name()) {
			continue
		}
		if err := t.Append(i.Section()); err != nil {
			failed = append(failed, vault.Errorf(vault.CodeIO, "promote it again: what is written already is not written twice", "%s: %w", t.Name(), err))
			continue
		}
		i.Targets = append(i.Targets, t.Name())
	}
	if len(failed) == 0 {
		i.Core = Later(b.now())
	}
	return errors.Join(failed...)
}

// findTargets returns the targets of some names, in their order.
func (b *Book) findTargets(names []string) (all []Target, err error) {
	if len(names) == 0 || len(b.targets) == 0 {
		return nil, errRefused("name one, such as claude_md", NoTargets)
	}
	for _, name := range names {
		n := slices.IndexFunc(b.targets, func(t Target) bool { return t.Name() == name })
		if n < 0 {
			return nil, errRefused("", "No core memory target is named %s", vault.Clip(name, 40))
		}
		all = append(all, b.targets[n])
	}
	return all, nil
}

// findItem returns the item of an id.
func (b *Book) findItem(id string) (*Item, error) {
	if i := b.ids[id]; i != nil {
		return i, nil
	}
	return nil, vault.Errorf(vault.CodeNotFound, "", "Memory not found: %s", vault.Clip(id, 80))
}

// those returns copies of the items that pass.
func (b *Book) those(pass func(*Item) bool) (all []Item) {
	for _, r := range b.rows {
		if r.Item != nil && pass(r.Item) {
			all = append(all, r.clone())
		}
	}
	return all
}

// Later returns the time now, or a second after the latest of the other times: a clock that
// is behind, or two decisions in one second, do not change what was decided last.
func Later(now time.Time, others ...time.Time) time.Time {
	now = now.UTC().Truncate(time.Second)
	for _, other := range others {
		if !now.After(other) {
			now = other.Add(time.Second)
		}
	}
	return now
}
