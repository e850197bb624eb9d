package main_test

import (
	"fmt"
	mrand "math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// decided are the last dates that anybody wrote into an entry.
type decided struct{ approved, denied, placed time.Time }

// TestJournalsConverge makes random sequences of captures, observations and decisions on
// three clones, between those of TestClonesConverge. Once everybody has synced, no entry, no
// session and no text is lost, and of each decision the last one stands.
//
//	CP_SEQUENCES=300 go test -tags sqlite_fts5 ./cmd/cp -run TestJournalsConverge -timeout 2h
func TestJournalsConverge(t *testing.T) {
	testlevel.Check(t)
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	all := seeds()
	if os.Getenv("CP_SEQUENCES") == "" {
		all = all[:min(len(all), 12)] // the others are TestClonesConverge's
	}
	for _, seed := range all {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			m := newTeam(t, cp, seed)
			m.journal, m.decisions = mrand.New(mrand.NewSource(seed*7919+1)), map[vault.ID]*decided{}
			// Each clone makes the journal's root by itself. Where one has moved its own meanwhile there
			// are two files of one id, of which the newer one gets another.
			m.copied["pf-journal"] = true
			m.play()
		})
	}
}

// record does one thing in the journal.
func (c *clone) record() {
	acts := []func(){c.capture, c.capture, c.observe, c.observe, c.observe, c.approve, c.deny, c.place, c.settleBlocker}
	acts[c.journal.Intn(len(acts))]()
}

func (c *clone) capture() {
	kinds := header.Kinds()
	word := c.word()
	o := journal.Capture{Kind: string(kinds[c.journal.Intn(len(kinds))]), Title: "Entry " + word, Body: "Noted " + word + ".", Spec: fmt.Sprint("spec", c.journal.Intn(3)), WantsPlace: c.journal.Intn(4) == 0}
	if done, err := o.Do(c.t.Context(), c.Vault); c.allow(err) {
		c.did(deed{id: done.ID, word: "Noted " + word + "."})
	}
}

// observe sees one of a few things, of which other clones see the same.
func (c *clone) observe() {
	session := fmt.Sprintf("session-%d", c.journal.Intn(4))
	if c.journal.Intn(2) == 0 {
		session = c.word() + "-session"
	}
	o := journal.Observe{Text: fmt.Sprintf("The thing %d happens", c.journal.Intn(4)), Session: session}
	if done, err := o.Do(c.t.Context(), c.Vault); c.allow(err) {
		c.did(deed{id: done.ID, word: session})
	}
}

// entries are those of the clone, by their files.
func (c *clone) entries() (all []*vault.Memory) {
	c.check(filepath.WalkDir(c.root, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(c.root, name)
		if m := vault.Parse(vault.Path(filepath.ToSlash(rel)), text); m.IsEntry() && m.ID != "" {
			all = append(all, m)
		}
		return err
	}))
	slices.SortFunc(all, func(a, b *vault.Memory) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return all
}

// entry chooses one of those that fit; nil without one.
func (c *clone) entry(fits func(*vault.Memory) bool) *vault.Memory {
	all := slices.DeleteFunc(c.entries(), func(m *vault.Memory) bool { return !fits(m) })
	if len(all) == 0 {
		return nil
	}
	return all[c.journal.Intn(len(all))]
}

func anyEntry(*vault.Memory) bool { return true }

func (c *clone) approve() {
	if m := c.entry(anyEntry); m != nil {
		_, err := journal.Approve{Ref: string(m.ID)}.Do(c.t.Context(), c.Vault)
		c.note(m.ID, err)
	}
}

func (c *clone) deny() {
	if m := c.entry(anyEntry); m != nil {
		_, err := journal.Deny{Ref: string(m.ID), Reason: "Because " + c.word()}.Do(c.t.Context(), c.Vault)
		c.note(m.ID, err)
	}
}

// place gives an entry a place in the tree.
func (c *clone) place() {
	m := c.entry(anyEntry)
	if m == nil {
		return
	}
	o := journal.Promote{Ref: string(m.ID), Approve: c.journal.Intn(2) == 0, Summary: "When " + c.word(), Thresholds: tier.Default()}
	if n, ok := c.pick(); ok && c.journal.Intn(2) == 0 {
		o.Parent = string(n.ID)
	}
	_, err := o.Do(c.t.Context(), c.Vault)
	c.note(m.ID, err)
}

// settleBlocker resolves a blocker, or any other entry.
func (c *clone) settleBlocker() {
	if m := c.entry(anyEntry); m != nil {
		word := c.word()
		_, err := journal.Resolve{Ref: string(m.ID), Resolution: "Solved " + word + "."}.Do(c.t.Context(), c.Vault)
		if c.allow(err) {
			c.did(deed{id: m.ID, word: "Solved " + word + "."})
		}
	}
}

// note takes down the dates that a decision left in an entry.
func (c *clone) note(id vault.ID, err error) {
	if !c.allow(err) {
		return
	}
	m := c.entry(func(m *vault.Memory) bool { return m.ID == id })
	d := c.decisions[id]
	if d == nil {
		d = new(decided)
		c.decisions[id] = d
	}
	d.approved, d.denied, d.placed = latest(d.approved, m.Header.Approved), latest(d.denied, m.Header.Denied), latest(d.placed, m.Header.LongTerm)
	c.did(deed{id: id, word: string(id), key: "decision"})
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// buried reports whether an entry was deleted by somebody who knew of a decision about it. Where
// somebody else's change brings the entry back, the decision went with what was deleted.
func (m *team) buried(id vault.ID) bool {
	for i, d := range m.deeds {
		if d.id == id && d.key == "decision" && m.deleted(i) {
			return true
		}
	}
	return false
}

// datesStand checks that the last decision of each entry is what everybody has.
func (m *team) datesStand(c *clone) {
	all := map[vault.ID]*vault.Memory{}
	for _, e := range c.entries() {
		all[e.ID] = e
	}
	for id, d := range m.decisions {
		e := all[id]
		if e == nil || m.copied[id] || m.judged[id] || m.buried(id) {
			continue // deleted, or complete says so; or a person chose between two sides
		}
		got := decided{e.Header.Approved, e.Header.Denied, e.Header.LongTerm}
		if !got.approved.Equal(d.approved) || !got.denied.Equal(d.denied) || !got.placed.Equal(d.placed) {
			m.t.Errorf("%s: the dates are %v, and the last ones were %v", id, got, *d)
		}
		if tier.IsDenied(&e.Header) != !d.approved.After(d.denied) && !d.denied.IsZero() {
			m.t.Errorf("%s: denied is %v, with %v", id, tier.IsDenied(&e.Header), *d)
		}
	}
}
