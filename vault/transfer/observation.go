package transfer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// observe makes an entry of an observation that is not there, pending ones in the journal and
// long-term ones below the root Learned, and adds to one that is. One that was core there is
// long-term here, since its section in an agent's file is not of this program's making.
func (im *importer) observe(it *Item) (Row, error) {
	id, err := tier.Key(im.tx.Prefix(), it.Observed.Text)
	if err != nil {
		return Row{}, err
	}
	row := Row{ID: id}
	d, err := im.tx.OpenFromMirror(im.ctx, string(id))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return im.enterObserved(it, row)
	}
	if err != nil {
		return row, err
	}
	steps := it.steps(&d.Mem.Header)
	if row.Action = Unchanged; len(steps) > 0 {
		if d, err = im.tx.OpenMemory(im.ctx, string(id)); err != nil {
			return row, err
		}
		row.Action = Updated
		if err := d.Editable(); err != nil {
			return row, err
		}
		if err := im.tx.AdoptAndEdit(im.ctx, d, steps...); err != nil {
			return row, err
		}
	}
	row.Path = d.Path
	return row.withObservation(&d.Mem.Header), nil
}

// withObservation returns the row with what a header says of an observation.
func (row Row) withObservation(h *vault.Header) Row {
	row.Title, row.Level, row.Count = h.Title, tier.LevelOf(h), tier.CountSessions(h)
	return row
}

// fromSanj begins what source: says in an entry that was imported.
const fromSanj = "sanj:"

// enterObserved makes the entry.
func (im *importer) enterObserved(it *Item, row Row) (Row, error) {
	m := it.observation(row.ID, im.tx.Now())
	row.Action = Created
	row = row.withObservation(&m.Header)
	if m.Header.LongTerm.IsZero() {
		p, err := journal.Enter(im.ctx, im.tx, m, "")
		row.Path = p
		return row, err
	}
	part, err := im.tx.Part(im.ctx, "")
	if err != nil {
		return row, err
	}
	root, err := journal.Learned.In(part).Open(im.ctx, im.tx)
	if err != nil {
		return row, err
	}
	row.Path, _, err = journal.EnterBelow(im.ctx, im.tx, string(root.ID), m)
	return row, err
}

// observation returns the entry. It names no creator: every clone that imports the same writes
// the same bytes, unless the item has no date.
func (it *Item) observation(id vault.ID, now time.Time) *vault.Memory {
	o := it.Observed
	m := journal.Observation(id, o.Text)
	h := &m.Header
	h.Created = journal.EarlierOf(o.FirstSeen, o.LastSeen)
	if h.Created.IsZero() {
		h.Created = now.UTC().Truncate(time.Second)
	}
	h.Source = fromSanj + cmp.Or(o.ID, it.Source)
	h.FirstSeen, h.LastSeen = o.FirstSeen, o.LastSeen
	h.Approved, h.Denied, h.LongTerm = o.Approved, o.Denied, o.LongTerm
	var before int
	h.Sessions, before = listNewSessions(o, nil)
	if before > 0 {
		h.SeenBefore = strconv.Itoa(before)
	}
	return m
}

// listNewSessions returns the sessions of an observation that a memory with the given ones does not
// name yet, as many as it may name, and how often it was seen beside those that it then names.
func listNewSessions(o *tier.Item, there []string) (more []string, before int) {
	own := header.UniqueItems(o.Sessions)
	before = o.CountSeen() - len(own)
	room := tier.MostSessions - len(header.UniqueItems(there))
	for _, s := range own {
		switch {
		case slices.Contains(there, s):
		case room > 0:
			more, room = append(more, s), room-1
		default:
			before++
		}
	}
	return more, before
}

// steps returns what the item adds to a memory that is there. What a person has decided about
// either of them does not count: the memory is the one that people here see.
func (it *Item) steps(h *vault.Header) (steps []vault.Step) {
	o := it.Observed
	more, before := listNewSessions(o, h.Sessions)
	if strings.HasPrefix(h.Source, fromSanj) { // the count may be of sessions that another file has named
		before = min(before, o.CountSeen()-len(header.UniqueItems(h.Sessions))-len(more))
	}
	if len(more) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "sessions", List: more})
	}
	if was, _ := strconv.Atoi(h.SeenBefore); before > was {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "seen_before", Value: strconv.Itoa(before)})
	}
	set := func(key string, was, is time.Time) {
		if is = is.Truncate(time.Second); !is.Equal(was) {
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: header.FormatDate(is)})
		}
	}
	if day := 24 * time.Hour; !o.FirstSeen.Equal(h.FirstSeen.Truncate(day)) { // a view tells the day alone
		set("first_seen", h.FirstSeen, journal.EarlierOf(h.FirstSeen, o.FirstSeen))
	}
	set("last_seen", h.LastSeen, journal.LaterOf(h.LastSeen, o.LastSeen))
	return steps
}
