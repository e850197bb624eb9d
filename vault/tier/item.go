package tier

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Item is one observation of a [Book], with what was decided about it. A time that is zero
// means that it has not happened.
type Item struct {
	ID        string
	Text      string
	Count     int      // how often it was seen, as another program has counted; see Seen
	Sessions  []string // that have seen it
	FirstSeen time.Time
	LastSeen  time.Time

	Approved time.Time // when a person said yes
	Denied   time.Time // when a person said no
	LongTerm time.Time // when it was promoted to long-term
	Core     time.Time // when it was promoted to core
	Targets  []string  // the core files that it was written to

	more members // of its JSON, which nobody here knows
}

// Level returns how far the item has come.
func (i *Item) Level() Level { return LevelOf(i.asHeader()) }

// CountSeen returns how often the item was seen: by how many sessions, or Count where that is more.
func (i *Item) CountSeen() int { return CountSessions(i.asHeader()) }

// LastUpdate returns when something last happened to the item.
func (i *Item) LastUpdate() time.Time {
	return slices.MaxFunc([]time.Time{i.FirstSeen, i.LastSeen, i.Approved, i.Denied, i.LongTerm, i.Core}, time.Time.Compare)
}

// asHeader returns the item as the rules for memories see it.
func (i *Item) asHeader() *vault.Header {
	return &vault.Header{Type: string(header.Observation), Entry: header.Entry{
		Sessions: i.Sessions, SeenBefore: strconv.Itoa(max(0, i.Count-len(header.UniqueItems(i.Sessions)))),
		Approved: i.Approved, Denied: i.Denied, LongTerm: i.LongTerm, Core: i.Core,
	}}
}

// clone returns a copy that shares nothing with the item.
func (i *Item) clone() Item {
	c := *i
	c.Sessions, c.Targets = slices.Clone(i.Sessions), slices.Clone(i.Targets)
	return c
}

// Section returns the item as Markdown: its text as one heading, how often and when it was
// seen, and by which sessions. What is not known is left out.
//
//	## The worker hangs at midnight
//	- Count: 5
//	- First seen: 2026-01-20
//	- Last seen: 2026-01-26
//	- Sessions: session-1, session-2
func (i *Item) Section() string {
	var b strings.Builder
	b.WriteString("## " + joinWords(i.Text) + "\n- Count: " + strconv.Itoa(i.CountSeen()) + "\n")
	for _, d := range [...]struct {
		name string
		at   time.Time
	}{{"First seen", i.FirstSeen}, {"Last seen", i.LastSeen}} {
		if !d.at.IsZero() {
			b.WriteString("- " + d.name + ": " + d.at.UTC().Format(time.DateOnly) + "\n")
		}
	}
	if all := header.UniqueItems(i.Sessions); len(all) > 0 {
		b.WriteString("- Sessions: " + joinWords(strings.Join(all, ", ")) + "\n")
	}
	return b.String()
}

// joinWords returns a text as one line.
func joinWords(s string) string { return strings.Join(strings.Fields(s), " ") }
