package sanj

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// Import brings observations in, in one commit: pending ones into the journal, long-term ones
// below the root Learned. One that was core there is long-term here, since its section in an
// agent's file is not of this program's making.
type Import struct {
	Sources []Source
	DryRun  bool // report, change nothing

	AllowSecret bool // commit also what looks like a credential
}

// What Import did with an observation. They are promises: add, never change.
const (
	Imported  = "imported"
	Updated   = "updated" // it is here already; sessions or dates were added
	Unchanged = "unchanged"
	Skipped   = "skipped" // it cannot be read, or not be kept; the reason says why
)

// Row tells what happened to one observation, or to a part of a file that cannot be read.
type Row struct {
	Source string     `json:"source"` // the file
	Item   string     `json:"item,omitempty"`
	Action string     `json:"action"`
	ID     vault.ID   `json:"id,omitempty"`
	Title  string     `json:"title,omitempty"`
	Path   vault.Path `json:"path,omitempty"`
	Level  tier.Level `json:"level,omitempty"`
	Count  int        `json:"count,omitempty"`
	Reason string     `json:"reason,omitempty"`
}

// Outcome is the outcome of Import.
type Outcome struct {
	Rows      []Row    `json:"observations"`
	Imported  int      `json:"imported"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
	Skipped   int      `json:"skipped"`
	DryRun    bool     `json:"dry_run,omitempty"`
	Warnings  []string `json:"-"`
}

// Do brings the observations in.
func (o Import) Do(ctx context.Context, v *vault.Vault) (Outcome, error) {
	out, r, err := vault.Do(ctx, v, o, vault.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
	out.DryRun, out.Warnings = o.DryRun, append(out.Warnings, r.Notes...)
	return out, err
}

// Name is the verb's.
func (o Import) Name() string { return "import" }

// Plan makes an entry of each observation that is not there, and adds to those that are.
func (o Import) Plan(ctx context.Context, tx *vault.Tx) (Outcome, error) {
	out := Outcome{Rows: []Row{}}
	for _, s := range o.Sources {
		if s.Err != nil {
			out.add(Row{Source: s.Name, Action: Skipped, Reason: s.Err.Error()})
		}
		for _, warning := range s.Warnings {
			out.add(Row{Source: s.Name, Action: Skipped, Reason: warning})
		}
	}
	ids, all := union(o.Sources, tx.Prefix(), func(source string, i tier.Item, err error) {
		out.add(Row{Source: source, Item: i.ID, Action: Skipped, Reason: err.Error()})
	})
	for _, id := range ids {
		row, err := all[id].plan(ctx, tx, id)
		if err != nil {
			return out, err
		}
		out.add(row)
	}
	tx.About("", vault.Plural(out.Imported+out.Updated, "observation", "observations"))
	return out, nil
}

// add counts a row.
func (out *Outcome) add(r Row) {
	switch r.Action {
	case Imported:
		out.Imported++
	case Updated:
		out.Updated++
	case Unchanged:
		out.Unchanged++
	default:
		out.Skipped++
	}
	out.Rows = append(out.Rows, r)
}

// plan brings one observation in.
func (k *known) plan(ctx context.Context, tx *vault.Tx, id vault.ID) (Row, error) {
	row := Row{Source: k.source, Item: k.ID, ID: id}
	d, err := tx.Peek(ctx, string(id))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return k.enter(ctx, tx, row)
	}
	if err != nil {
		return row, err
	}
	steps := k.steps(&d.Mem.Header)
	if row.Action = Unchanged; len(steps) > 0 {
		if d, err = tx.OpenMemory(ctx, string(id)); err != nil {
			return row, err
		}
		row.Action = Updated
		if err := d.Editable(); err != nil {
			return row, err
		}
		if err := tx.AdoptAndEdit(ctx, d, steps...); err != nil {
			return row, err
		}
	}
	h := &d.Mem.Header
	row.Title, row.Path, row.Level, row.Count = h.Title, d.Path, tier.LevelOf(h), tier.Count(h)
	return row, nil
}

// origin begins what source: says in an entry that was imported.
const origin = "sanj:"

// enter makes the entry: in the journal, or in the tree below Learned.
func (k *known) enter(ctx context.Context, tx *vault.Tx, row Row) (Row, error) {
	m := k.memory(row.ID, tx.Now())
	row.Action, row.Title, row.Level, row.Count = Imported, m.Title, tier.LevelOf(&m.Header), tier.Count(&m.Header)
	if m.Header.LongTerm.IsZero() {
		p, err := journal.Enter(ctx, tx, m, "")
		row.Path = p
		return row, err
	}
	root, err := journal.Learned.Open(ctx, tx)
	if err != nil {
		return row, err
	}
	row.Path, _, err = journal.EnterBelow(ctx, tx, string(root.ID), m)
	return row, err
}

// memory returns the entry. It names no creator: every clone that imports the same writes the
// same bytes, unless the item has no date.
func (k *known) memory(id vault.ID, now time.Time) *vault.Memory {
	m := journal.Observation(id, k.Text)
	h := &m.Header
	h.Created = first(k.FirstSeen, k.LastSeen)
	if h.Created.IsZero() {
		h.Created = now.UTC().Truncate(time.Second)
	}
	h.Source = origin + cmp.Or(k.ID, k.source)
	h.FirstSeen, h.LastSeen = k.FirstSeen, k.LastSeen
	h.Approved, h.Denied, h.LongTerm = k.Approved, k.Denied, k.LongTerm
	var before int
	h.Sessions, before = k.named(nil)
	if before > 0 {
		h.SeenBefore = strconv.Itoa(before)
	}
	return m
}

// named returns the sessions of the item that a memory with the given ones does not name yet,
// as many as it may name, and how often the item was seen beside those that it then names.
func (k *known) named(there []string) (more []string, before int) {
	own := field.Unique(k.Sessions)
	before = k.Seen() - len(own)
	room := tier.MostSessions - len(field.Unique(there))
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
func (k *known) steps(h *vault.Header) (steps []vault.Step) {
	more, before := k.named(h.Sessions)
	if strings.HasPrefix(h.Source, origin) { // the count may be of sessions that another file has named
		before = min(before, k.Seen()-len(field.Unique(h.Sessions))-len(more))
	}
	if len(more) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddToList, Key: "sessions", List: more})
	}
	if was, _ := strconv.Atoi(h.SeenBefore); before > was {
		steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: "seen_before", Value: strconv.Itoa(before)})
	}
	set := func(key string, was, is time.Time) {
		if is = is.Truncate(time.Second); !is.Equal(was) {
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: field.Stamp(is)})
		}
	}
	if day := 24 * time.Hour; !k.FirstSeen.Equal(h.FirstSeen.Truncate(day)) { // a view tells the day alone
		set("first_seen", h.FirstSeen, first(h.FirstSeen, k.FirstSeen))
	}
	set("last_seen", h.LastSeen, last(h.LastSeen, k.LastSeen))
	return steps
}
