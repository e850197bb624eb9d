package index

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/code"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// hashParts is a hash of the rows that hang on a memory's: while it is the same,
// they are.
func (r *reading) hashParts() int64 {
	m, pointers := r.memory, r.memory.IndexedPointers()
	all := slices.Concat([]string{fmt.Sprint(len(m.Labels), len(m.Aliases), len(pointers), upward(m))}, m.Labels, m.Aliases)
	for _, e := range pointers {
		all = append(all, e.ID, e.Title, e.Summary)
	}
	for _, l := range r.links {
		all = append(all, l.kind, l.key, l.target, l.verb, l.text, strconv.Itoa(l.language))
	}
	return query.SumOf(append(all, code.Parts(m)...))
}

// storeMemory writes what a file says by itself and notes what that may mean
// for others.
func (wr *writer) storeMemory(e *entry, r reading) {
	m, now, old, was := r.memory, saidBy(r), e.stored, e.said
	claim := ""
	if !m.ID.Provisional() { // a stand-in is nobody's identity, wherever it is written
		claim = strings.Clone(string(m.ID)) // and not a part of the text
	}
	same := old && e.claim == claim && e.title == m.Title
	if !same {
		wr.freshen(e)
	}
	if tree := m.IsMemory(); !old || e.tree != tree {
		e.tree = tree
		wr.noteFolderMemory(e.path)
	}
	e.stored, e.said = true, nil // another look at it in this transaction has to compare with what is written here
	if same && was != nil && was.equal(now) {
		// Each index with a column that a statement sets is written, whether it has changed or not.
		wr.t.Exec(`UPDATE memories SET tokens = ?, content = ?, doc = ?, words = ? WHERE n = ?`, vault.Tokens(m.Prose), sqlite.Hash(r.content), r.doc, r.words, e.n)
	} else {
		wr.spoke(e)
		wr.saveMemory(e, claim, old, r, now)
		wr.spoke(e)
	}
	e.words = r.words
	if old && r.docs != nil {
		wr.docs.Drop(e.n)
	}
	if r.docs != nil {
		r.docs.N = e.n
		wr.docs.Add(wr.t.Tx, *r.docs)
	}
	if !old || was == nil || was.parts != now.parts {
		wr.storeParts(e.n, old, r)
	}
	wr.setProblems(e, m.Problems)
}

// spoke notes that the facts of a memory may count now or count no more. A fill looks at all.
func (wr *writer) spoke(e *entry) {
	if wr.guess == nil && e.id != "" {
		wr.ids[e.id] = true
	}
}

// saveMemory writes the memory's own row.
func (wr *writer) saveMemory(e *entry, claim string, old bool, r reading, now *said) {
	m := r.memory
	if !old || e.claim != claim {
		if old {
			wr.claims[e.claim] = true
		}
		wr.identify(e, claim)
	}
	if !old && wr.guess != nil {
		e.place = wr.guess.placeOf(e.path)
	}
	e.title = strings.Clone(m.Title)
	wr.t.Exec(intoMemories, slices.Concat([]any{e.n, e.id, e.claimColumn()}, now.header, []any{now.holds, m.HasBlock,
		vault.Tokens(m.Prose), now.seen, upward(m), sqlite.Hash(r.content), r.doc, r.words, now.parts, e.above(), e.depth, e.orphan, e.loose})...)
}

var intoMemories = `INSERT INTO memories (n, id, claim, ` + columns("%s") + `, held, has_block, tokens, seen, upward, content, doc, words, parts, parent, depth, orphan, loose)
	VALUES (?, ?, ?, ` + columns("?%.0s") + `, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (n) DO UPDATE SET id = excluded.id, claim = excluded.claim, ` + columns("%[1]s = excluded.%[1]s") + `,
		held = excluded.held, has_block = excluded.has_block, tokens = excluded.tokens, seen = excluded.seen, upward = excluded.upward, content = excluded.content, doc = excluded.doc, words = excluded.words, parts = excluded.parts`

// upward reports whether a link of the memory may lead out of its folder.
func upward(m *vault.Memory) bool { return strings.Contains(m.Prose, "../") }

// storeParts replaces the rows that hang on a memory's.
func (wr *writer) storeParts(n int64, old bool, r reading) {
	if old {
		wr.dropParts(n)
	}
	wr.anchors.Target(n)
	for i, label := range r.memory.Labels {
		wr.t.Exec(`INSERT INTO labels (n, position, label) VALUES (?, ?, ?)`, n, i, label)
	}
	for _, name := range r.memory.Aliases {
		wr.t.Exec(`INSERT OR IGNORE INTO aliases (n, key, name, language) VALUES (?, ?, ?, ?)`, n, query.HashName(query.NormalName(name)), header.OneLine(name), r.language)
	}
	for i, e := range r.memory.IndexedPointers() {
		id := e.ID
		if own, ok := header.ParseID(id); ok {
			id = own
		}
		wr.t.Exec(`INSERT INTO pointers (parent, position, id, title, summary) VALUES (?, ?, ?, ?, ?)`, n, i, id, e.Title, e.Summary)
	}
	for _, l := range r.links {
		key := query.HashName(l.key)
		wr.t.Exec(`INSERT OR IGNORE INTO links (n, kind, key, target, verb, text, language) VALUES (?, ?, ?, ?, ?, ?, ?)`, n, l.kind, key, l.target, l.verb, l.text, l.language)
		if l.text != "" {
			wr.anchors.Link(key)
		}
	}
	code.Store(wr.t.Tx, n, r.memory)
}

func (wr *writer) dropParts(n int64) {
	_ = wr.t.Each(`SELECT key FROM links WHERE n = ? AND text <> ''`, []any{n}, func(r *sqlite.Row) error {
		wr.anchors.Link(r.Int64())
		return nil
	})
	wr.anchors.Target(n)
	code.DropBindings(wr.t.Tx, n)
	for _, table := range [...]string{`DELETE FROM labels WHERE n = ?`, `DELETE FROM aliases WHERE n = ?`, `DELETE FROM pointers WHERE parent = ?`, `DELETE FROM links WHERE n = ?`} {
		wr.t.Exec(table, n)
	}
}

// dropMemory removes what is known of a file's text.
func (wr *writer) dropMemory(e *entry) {
	if !e.stored {
		return
	}
	wr.claims[e.claim] = true
	wr.spoke(e)
	wr.freshen(e)
	wr.unname(e, nil)
	*e.was = called{}
	e.stored, e.tree, e.id, e.title, e.claim, e.said, e.words, e.place = false, false, "", "", "", nil, 0, place{}
	wr.docs.Drop(e.n)
	wr.t.Exec(`DELETE FROM memories WHERE n = ?`, e.n)
	wr.dropParts(e.n)
}

// link is a row of links, its key as it is before it is hashed.
type link struct {
	kind, key, target, verb, text string
	language                      int
}

// linksOf returns what the memory in the file p points to. language is that of its text.
func linksOf(p vault.Path, m *vault.Memory, language int) []link {
	var all []link
	verbs, texts := prose.Verbs(m.Prose), query.AnchorsIn(m)
	for _, r := range m.References {
		if header.RankOf(r.Kind) >= 0 {
			all = append(all, link{kind: r.Kind, key: query.NormalName(r.Target), target: r.Target})
			continue
		}
		l := link{kind: "link", key: query.LinkName(p, r), target: r.Target, text: strings.Join(texts[r], "\n")}
		if l.text != "" {
			l.language = language
		}
		for _, l.verb = range append(verbs[r], "")[:max(1, len(verbs[r]))] {
			all = append(all, l)
			l.text, l.language = "", 0 // it calls the target so once
		}
	}
	return all
}
