package index

import (
	"github.com/cp-memory/cp/vault"
)

// facts is what a memory's row said before.
type facts struct {
	n                 int64
	claim, typ, title string
}

// storeMemory writes what a file says by itself and notes what that may mean
// for others. The row keeps its number, to which those of its children refer.
func (a *applier) storeMemory(r reading) error {
	m := r.memory
	claim := m.ID
	if claim.Provisional() {
		claim = "" // a stand-in is nobody's identity, wherever it is written
	}
	var was facts
	old, err := a.t.maybe(`SELECT n, claim, type, title FROM memories WHERE path = ?`, []any{r.path},
		&was.n, &was.claim, &was.typ, &was.title)
	if err != nil {
		return err
	}
	n, err := a.upsert(r.path, claim, m)
	if err != nil {
		return err
	}
	if !old || was.claim != string(claim) {
		a.claims[was.claim], a.claims[string(claim)] = true, true
		a.fresh[n] = true
	}
	if !old || was.typ != m.Type {
		a.stands(r.path)
	}
	if !old || was.title != m.Title {
		a.fresh[n] = true
	}
	return a.storeParts(n, old, r)
}

func (a *applier) upsert(p vault.Path, claim vault.ID, m *vault.Memory) (n int64, err error) {
	err = a.t.one(`INSERT INTO memories (path, claim, title, type, status, summary, created, creator, deferred, has_block, tokens, content, summary_of)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (path) DO UPDATE SET id = CASE claim WHEN excluded.claim THEN id END,
			claim = excluded.claim, title = excluded.title, type = excluded.type,
			status = excluded.status, summary = excluded.summary, created = excluded.created, creator = excluded.creator,
			deferred = excluded.deferred, has_block = excluded.has_block, tokens = excluded.tokens, content = excluded.content,
			summary_of = excluded.summary_of
		RETURNING n`,
		[]any{p, claim, m.Title, m.Type, m.Status, m.Summary, micros(m.Created), m.Creator, micros(m.Deferred), m.HasBlock, vault.Tokens(m.Prose), m.ContentHash(), m.SummaryOf},
		&n)
	return n, err
}

// storeParts replaces the rows that hang on a memory's.
func (a *applier) storeParts(n int64, old bool, r reading) error {
	if old {
		for _, table := range [...]string{
			`DELETE FROM labels WHERE n = ?`, `DELETE FROM pointers WHERE parent = ?`,
			`DELETE FROM links WHERE n = ?`,
		} {
			if err := a.t.exec(table, n); err != nil {
				return err
			}
		}
		a.docs.drop(n)
	}
	if err := a.docs.add(a.t, doc{n, r.docs}); err != nil {
		return err
	}
	for i, label := range r.memory.Labels {
		if err := a.t.exec(`INSERT INTO labels (n, position, label) VALUES (?, ?, ?)`, n, i, label); err != nil {
			return err
		}
	}
	for i, e := range r.memory.Pointers {
		err := a.t.exec(`INSERT INTO pointers (parent, position, id, title, summary) VALUES (?, ?, ?, ?, ?)`, n, i, e.ID, e.Title, e.Summary)
		if err != nil {
			return err
		}
	}
	if err := a.storeLinks(n, r); err != nil {
		return err
	}
	return a.setProblems(r.path, r.memory.Problems)
}

func (a *applier) storeLinks(n int64, r reading) error {
	const insert = `INSERT OR IGNORE INTO links (n, kind, key, target) VALUES (?, ?, ?, ?)`
	for _, id := range r.memory.References {
		if err := a.t.exec(insert, n, "references", idKey(id), id); err != nil {
			return err
		}
	}
	for _, id := range r.memory.Supersedes {
		if err := a.t.exec(insert, n, "supersedes", idKey(string(id)), id); err != nil {
			return err
		}
	}
	for _, id := range r.memory.SupersededBy {
		if err := a.t.exec(insert, n, "superseded_by", idKey(string(id)), id); err != nil {
			return err
		}
	}
	for _, l := range r.memory.Links {
		if err := a.t.exec(insert, n, "link", linkKey(r.path, l), l.Target); err != nil {
			return err
		}
	}
	return nil
}
