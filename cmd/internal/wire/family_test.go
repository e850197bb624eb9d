package wire

import (
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// A project and those below it answer as one, and a person reviews them as one.
func TestFamily(t *testing.T) {
	m := newMachine(t)
	for _, name := range []string{"top", "top/low", "top/deep"} {
		m.write(name+"/main.go", "package main\n")
		m.git(name, "init", "-q")
		m.cp(name, "init", "--prefix", "pf")
	}
	m.note("top/memory", "nomad", "Nomad", "When the scheduler misbehaves", "An allocation keeps the old binary until it stops completely.", "labels: [ops]")
	m.note("top/memory", "journal/seen", "The allocation keeps the old binary until it stops", "", "", "type: observation", "status: open", "sessions: [s1, s2]", "first_seen: 2026-01-01T00:00:00Z", "last_seen: 2026-01-02T00:00:00Z")
	m.note("top/memory", "journal/use", "Use PostgreSQL", "", "We decided so.", "type: decision", "status: open", "spec: storage")
	m.note("top/memory", "twin", "Twin", "When twins meet", "Of two clones.")
	m.note("top/low/memory", "twin", "Twin", "When twins meet", "Of two clones.")
	m.note("top/low/memory", "quota", "Quota", "When the quota is full", "The disk of db1 holds ninety days of logs and is then full.")
	m.note("top/low/memory", "journal/disk", "Slow disk", "", "It is slow.", "type: learning", "status: open", "spec: storage", "wants_place: true")
	m.note("top/low/memory", "journal/out", "Out of memory", "", "## Problem\n\n9 GB", "type: blocker", "status: open", "spec: storage")
	m.note("top/low/memory", "journal/inj", "'[HIGH] inj'", "When you change a.go", "", "type: finding", "status: open", "severity: high", "category: security", "file: a.go", "line: 1")
	m.note("top/deep/memory", "late/bare", "Bare", "", "Nobody said when.")
	m.note("top/deep/memory", "late", "Late", "When it is late", "Put off.", "status: deferred", "deferred_until: 2026-01-02T00:00:00Z")
	m.note("top/deep/memory", "journal/low", "'[LOW] typo'", "When you change b.go", "", "type: finding", "status: open", "severity: low", "category: style", "file: b.go", "line: 2")
	for _, name := range []string{"top", "top/low", "top/deep"} {
		m.cp(name, "memory", "sync")
	}
	m.cp("top", "memory", "fact", "add", "pf-nomad", "--entity", "PostgreSQL", "--type", "technology", "--description", "the store")
	m.cp("top/low", "memory", "fact", "add", "pf-quota", "--entity", "PostgreSQL", "--type", "technology")
	m.Run("ask", func(t *testing.T) { checkAnswers(m.within(t)) })
	m.Run("queue", func(t *testing.T) { checkQueue(m.within(t)) })
	m.Run("decisions", func(t *testing.T) { checkDecisions(m.within(t)) })
	m.Run("write", func(t *testing.T) { checkWrites(m.within(t)) })
}

// target is what a command in the folder is about, until the test ends.
func (m *machine) target(name string, flags settings.Flags) target.Target {
	m.Helper()
	a := m.program(name)
	t, err := target.Resolver{App: a}.Resolve(m.Context(), target.Request{About: registry.About{Flags: flags}, Door: app.Read})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(t.Close)
	return t
}

// family opens the family of the folder, until the test ends.
func (m *machine) family(name string, flags settings.Flags) (target.Target, *ask.Family) {
	m.Helper()
	t := m.target(name, flags)
	f, err := ask.Open(m.Context(), t, vault.Scope{})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(f.Close)
	return t, f
}
