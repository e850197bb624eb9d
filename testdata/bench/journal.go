package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The journal: a tree of a thousand notes and so many entries. Two hundred are of each piece of
// work; every tenth is an observation, and every twentieth of them was seen by two sessions.
const (
	journalTree    = 1000
	journalEntries = 50_000
	journalWork    = 200
)

// buildJournal makes a corpus of notes with a journal of args[2] entries.
func buildJournal(args []string) error {
	return importInto(args, func(w io.Writer, entries int) {
		stream(w, journalTree)
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata 8\nentries\n", epoch.Unix()+1)
		for name, text := range map[string]string{
			"journal.md":     "---\nid: bn-journal\ntitle: Journal\nsummary: When you want to know what was decided, tried or found out, and when\njournal: true\npointers: none\n---\n",
			".cp/vault.yaml": "format: 3\nproject: bench\nprefix: bn\n",
		} {
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
		}
		for i := range entries {
			text := entry(i)
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", entryPath(i), len(text), text)
		}
	})
}

var entryKinds = [...]string{"decision", "learning", "progress", "blocker", "research", "pattern", "review", "retrospective", "elicitation", "observation"}

// entryAt is when entry i was written: within five years, so that a month's folder holds some
// 800. A write makes the folder's tree anew, which costs more the more there are in it.
func entryAt(i int) time.Time {
	return epoch.AddDate(-4, 0, i%(5*365)).Add(time.Duration(i) * time.Second)
}

func entryPath(i int) string {
	return fmt.Sprintf("journal/%s/%s-entry-%06d.md", entryAt(i).Format("2006/01"), entryKinds[i%len(entryKinds)], i)
}

func entry(i int) string {
	w := writer{newWords(), 0}
	kind := entryKinds[i%len(entryKinds)]
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: %s\ntitle: Entry %d %s\ntype: %s\ncreated: %s\nspec: work-%d\ncommit: %040x\n", id(journalTree+i), i, w.words.sentence(w.rand(i), 4), kind, entryAt(i).Format(time.RFC3339), i/journalWork, i+1)
	if kind == "observation" {
		sessions := "s1"
		if i%200 == 9 {
			sessions = "s1, s2"
		}
		fmt.Fprintf(&b, "sessions: [%s]\nfirst_seen: %s\nlast_seen: %s\n", sessions, entryAt(i).Format(time.RFC3339), entryAt(i).Format(time.RFC3339))
	}
	fmt.Fprintf(&b, "---\n%s.\n", w.words.sentence(w.rand(i+1<<30), 40))
	return b.String()
}

var words *vocabulary

// newWords returns the vocabulary, which is made once.
func newWords() *vocabulary {
	if words == nil {
		words = newVocabulary()
	}
	return words
}

// The floors: what a command has to read of the index, as one statement.
const (
	bareWork  = `SELECT m.id, f.path, m.title, m.type, m.status, m.created FROM memories m JOIN files f ON f.n = m.n WHERE m.spec = 'work-7' ORDER BY m.type, m.created`
	bareQueue = `SELECT m.id, f.path, m.title, m.seen FROM memories m JOIN files f ON f.n = m.n WHERE m.type = 'observation' AND m.long_term_at IS NULL ORDER BY m.seen DESC`
)

// journal measures the rows of a vault with many entries.
func (b *bencher) journal() error {
	if !b.only.MatchString("journal") {
		return nil
	}
	dir, err := b.cached(fmt.Sprintf("journal-%s-%d", edition, journalEntries), "journal", b.options.cp, "DIR", strconv.Itoa(journalEntries))
	if err != nil {
		return err
	}
	c := &corpus{bencher: b, dir: dir, size: journalEntries}
	if err := b.restore(dir); err != nil {
		return err
	}
	captured := 0
	what := fmt.Sprintf("journal of %d entries: ", journalEntries)
	return b.all(c, []row{
		{what: what + "context of 200", floor: "the bare SQLite query", goals: []goal{ratio(2.5)}, watch: true,
			product: each(c.cp("context", "work-7")), lower: each(c.query(c.index(), bareWork))},
		{what: what + "awareness", floor: "version", goals: []goal{above(8 * time.Millisecond)}, watch: true, rounds: c.many(),
			product: each(c.cp("awareness")), lower: each(c.version())},
		{what: what + "review, the queue", floor: "the bare SQLite query", goals: []goal{above(50 * time.Millisecond)}, watch: true,
			product: each(c.cp("review", "-o", "json", "--limit", "20")), lower: each(c.query(c.index(), bareQueue))},
		{what: what + "prime", floor: "tree --max-depth 1", goals: []goal{ratio(1.2)}, watch: true,
			product: each(c.cp("prime")), lower: each(c.cp("tree", "--max-depth", "1"))},
		{what: what + "capture", floor: "one add-sub", goals: []goal{ratio(1.1)}, each: c.rest, rounds: c.many(),
			product: func(int) (cost, error) {
				captured++
				return c.cp("capture", "learning", fmt.Sprintf("Captured %d", captured), "--spec", "work-7", "--body", body).run()
			},
			lower: func(round int) (cost, error) { return c.addSub(round).run() }},
	})
}
