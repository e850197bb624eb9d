package index

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
)

// facts is what a memory's row said before, but for what any change of the
// text changes.
type facts struct {
	called
	claim, typ string
	rest       said
}

// said is the part of it that nothing else follows from. Times are those of
// the columns.
type said struct {
	status, summary, summaryOf, creator string
	created, deferred                   any // micros
	block                               bool
	parts                               int64 // reading.parts
}

func saidBy(r reading) said {
	m := r.memory
	return said{m.Status, m.Summary, m.SummaryOf, m.Creator, micros(m.Created), micros(m.Deferred), m.HasBlock, r.parts()}
}

// parts is a hash of the rows that hang on a memory's: while it is the same,
// they are.
func (r *reading) parts() int64 {
	var b strings.Builder
	add := func(all ...string) {
		for _, s := range all {
			b.WriteString(strconv.Itoa(len(s)))
			b.WriteByte(' ')
			b.WriteString(s)
		}
	}
	add(r.memory.Labels...)
	b.WriteByte('|')
	for _, e := range r.memory.Indexed() {
		add(e.ID, e.Title, e.Summary)
	}
	b.WriteByte('|')
	for _, l := range r.links {
		add(l.kind, l.key, l.target)
	}
	return hashed(b.String()) >> 16 // SQLite keeps 48 bits in six bytes
}

// storeMemory writes what a file says by itself and notes what that may mean
// for others.
func (a *applier) storeMemory(n int64, r reading) error {
	m := r.memory
	claim := m.ID
	if claim.Provisional() {
		claim = "" // a stand-in is nobody's identity, wherever it is written
	}
	var was facts
	old, err := a.t.maybe(`SELECT coalesce(claim, id, ''), coalesce(id, ''), type, title, status, summary, summary_of, creator, created, deferred, has_block, parts
		FROM memories WHERE n = ?`, []any{n}, &was.claim, &was.id, &was.typ, &was.title,
		&was.rest.status, &was.rest.summary, &was.rest.summaryOf, &was.rest.creator, &was.rest.created, &was.rest.deferred, &was.rest.block, &was.rest.parts)
	if err != nil {
		return err
	}
	if old {
		was.path = r.path
	}
	now := saidBy(r)
	if old && was.claim == string(claim) && was.typ == m.Type && was.title == m.Title && was.rest == now {
		err = a.retext(n, m)
	} else {
		err = a.upsert(n, claim, m, now)
	}
	if err != nil {
		return err
	}
	if !old || was.claim != string(claim) {
		a.claims[was.claim], a.claims[string(claim)] = true, true
	}
	if !old || was.typ != m.Type {
		a.stands(r.path)
	}
	if a.fresh[n] == nil && (!old || was.claim != string(claim) || was.title != m.Title) {
		a.fresh[n] = &was.called
	}
	return a.storeParts(n, old, old && was.rest.parts == now.parts, r)
}

// retext writes what a change of the text alone changes. Each index with a column
// that a statement sets is written, whether it has changed or not.
func (a *applier) retext(n int64, m *vault.Memory) error {
	return a.t.exec(`UPDATE memories SET tokens = ?, content = ? WHERE n = ?`, vault.Tokens(m.Prose), oid(m.ContentHash()), n)
}

// upsert writes the memory's own row. Where it claims another id than before, it
// has none until they are awarded.
func (a *applier) upsert(n int64, claim vault.ID, m *vault.Memory, now said) error {
	return a.t.exec(`INSERT INTO memories (n, claim, title, type, status, summary, created, creator, deferred, has_block, tokens, content, summary_of, parts)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (n) DO UPDATE SET id = iif(coalesce(claim, id) = excluded.claim, id, NULL),
			claim = iif(coalesce(claim, id) = excluded.claim, claim, excluded.claim), title = excluded.title, type = excluded.type,
			status = excluded.status, summary = excluded.summary, created = excluded.created, creator = excluded.creator,
			deferred = excluded.deferred, has_block = excluded.has_block, tokens = excluded.tokens, content = excluded.content,
			summary_of = excluded.summary_of, parts = excluded.parts`,
		n, claim, m.Title, m.Type, m.Status, m.Summary, now.created, m.Creator, now.deferred, m.HasBlock, vault.Tokens(m.Prose), oid(m.ContentHash()), m.SummaryOf, now.parts)
}

// storeParts replaces the rows that hang on a memory's; same leaves those that
// are.
func (a *applier) storeParts(n int64, old, same bool, r reading) error {
	if old {
		a.docs.drop(n)
	}
	if err := a.docs.add(a.t, doc{n, r.docs}); err != nil {
		return err
	}
	if !same {
		if err := a.replaceParts(n, old, r); err != nil {
			return err
		}
	}
	return a.setProblems(n, r.memory.Problems)
}

func (a *applier) replaceParts(n int64, old bool, r reading) error {
	if old {
		for _, table := range [...]string{
			`DELETE FROM labels WHERE n = ?`, `DELETE FROM pointers WHERE parent = ?`,
			`DELETE FROM links WHERE n = ?`,
		} {
			if err := a.t.exec(table, n); err != nil {
				return err
			}
		}
	}
	for i, label := range r.memory.Labels {
		if err := a.t.exec(`INSERT INTO labels (n, position, label) VALUES (?, ?, ?)`, n, i, label); err != nil {
			return err
		}
	}
	for i, e := range r.memory.Indexed() {
		err := a.t.exec(`INSERT INTO pointers (parent, position, id, title, summary) VALUES (?, ?, ?, ?, ?)`, n, i, e.ID, e.Title, e.Summary)
		if err != nil {
			return err
		}
	}
	return a.storeLinks(n, r)
}

func (a *applier) storeLinks(n int64, r reading) error {
	for _, l := range r.links {
		if err := a.t.exec(`INSERT OR IGNORE INTO links (n, kind, key, target) VALUES (?, ?, ?, ?)`, n, l.kind, hashed(l.key), l.target); err != nil {
			return err
		}
	}
	return nil
}

// link is a row of links, its key as it is before it is hashed.
type link struct{ kind, key, target string }

// linksOf returns what the memory in the file p points to.
func linksOf(p vault.Path, m *vault.Memory) []link {
	var all []link
	for _, r := range m.References {
		if field.Rank(r.Kind) >= 0 {
			all = append(all, link{r.Kind, idKey(r.Target), r.Target})
		} else {
			all = append(all, link{"link", linkKey(p, r), r.Target})
		}
	}
	return all
}
