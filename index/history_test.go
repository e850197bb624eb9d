package index

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

var (
	histories = flag.Int("histories", 6, "random histories to try")
	seedFlag  = flag.Uint64("seed", 0, "seed of the first history; 0 takes the clock")
)

// TestHistoryEqualsRebuild lives through random histories of a vault: people
// write, move and delete files and folders, commit, go back and change branches,
// and now and then somebody asks for all of it or a part. Whenever the whole was
// asked for, the tables are those of a mirror built from nothing.
func TestHistoryEqualsRebuild(t *testing.T) {
	first := *seedFlag
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	}
	n, steps := *histories, 60
	if !testlevel.IsCheck() {
		n, steps = 1, 24
	}
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			h := &history{folder: newFolder(t, true), rng: rand.New(rand.NewPCG(seed, 1))}
			h.d = h.index()
			for step := range steps {
				h.step()
				if step%3 == 2 {
					h.compare()
				}
			}
		})
	}
}

// history is a vault with people in it.
type history struct {
	*folder
	rng *rand.Rand
	d   *DB
	log []string
}

func pick[T any](rng *rand.Rand, all ...T) T { return all[rng.IntN(len(all))] }

// path draws a path from a world so small that names, parents and ids collide.
func (h *history) path() string {
	p := ""
	for range h.rng.IntN(4) {
		p += pick(h.rng, "a", "b", "c.d") + "/"
	}
	return p + pick(h.rng, "a", "b", "c.d", "B", "index", "_index", "README", "note") + pick(h.rng, ".md", ".md", ".md", ".MD")
}

// text draws a file: sometimes of another type, without or with another's id,
// with links to what may or may not be there, with a block.
func (h *history) text() string {
	var b strings.Builder
	if h.rng.IntN(5) > 0 {
		b.WriteString("---\n")
		if h.rng.IntN(4) > 0 {
			fmt.Fprintf(&b, "id: pf-%d\n", h.rng.IntN(12))
		}
		fmt.Fprintf(&b, "title: Title %d\n", h.rng.IntN(8))
		fmt.Fprintf(&b, "type: %s\n", pick(h.rng, "memory", "memory", "memory", "task"))
		fmt.Fprintf(&b, "status: %s\n", pick(h.rng, "open", "open", "closed"))
		if h.rng.IntN(2) == 0 {
			fmt.Fprintf(&b, "created: 2026-01-0%dT00:00:00Z\n", 1+h.rng.IntN(3))
		}
		fmt.Fprintf(&b, "labels: [%s]\n", pick(h.rng, "", "x", "x, y"))
		fmt.Fprintf(&b, "summary: if %d\n", h.rng.IntN(3))
		fmt.Fprintf(&b, "aliases: [%s]\n", pick(h.rng, "", "", "Loop", "Loop, the other"))
		fmt.Fprintf(&b, "references: [%s]\n", pick(h.rng, "", "pf-1", "pf-2, pf-77", "title 3, b/note.md, pf-"))
		b.WriteString("---\n")
	}
	fmt.Fprintf(&b, "Text %d. [[%s%s]] and [%s](%s).\n", h.rng.IntN(1000),
		pick(h.rng, "a", "b/note", "title 3", "pf-4", "../b", "readme"), pick(h.rng, "", "|Restart loop", "|der Neustart", "|here"),
		pick(h.rng, "xx", "restart loop", "note", "Title 3", "Die Bestellungen", "миграция"), pick(h.rng, "a.md", "../b.md", "/a/b.md", "b/"))
	b.WriteString(pick(h.rng, "", "", "Das ist nicht die Bestellung, und der Server wartet.\n", "Он говорит о миграциях.\n"))
	if h.rng.IntN(4) == 0 {
		fmt.Fprintf(&b, "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-%d\", \"title\": \"T\", \"summary\": \"S\"}\n]\n<!-- /sub-memories -->\n", h.rng.IntN(12))
	}
	return b.String()
}

// some returns an existing path for which keep holds, or none.
func (h *history) some(folders bool) string {
	var all []string
	_ = filepath.WalkDir(h.root, func(p string, e fs.DirEntry, _ error) error {
		rel, _ := filepath.Rel(h.root, p)
		if strings.HasPrefix(rel, ".") {
			if e.IsDir() && rel != "." {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() == folders {
			all = append(all, rel)
		}
		return nil
	})
	if len(all) == 0 {
		return ""
	}
	return pick(h.rng, all...)
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) step() {
	switch n := h.rng.IntN(28); {
	case n > 21:
		h.facts()
	case n < 8:
		h.save(h.path())
	case n < 9:
		if p := h.some(false); p != "" {
			h.save(p)
		}
	case n < 11:
		h.note("remove")
		h.delete(h.some(h.rng.IntN(3) == 0))
	case n < 14:
		h.move()
	case n < 16:
		h.note("commit")
		h.commit()
		h.run("branch", "-f", fmt.Sprintf("mark%d", h.rng.IntN(3)))
	case n < 17:
		branch := fmt.Sprintf("mark%d", h.rng.IntN(3))
		_, err := h.try("reset", "-q", pick(h.rng, "--hard", "--mixed"), branch)
		h.note("reset %s: %v", branch, err)
	case n < 18:
		h.partial()
	case n < 19:
		h.applied()
	default:
		h.moved()
	}
}

// facts writes what is known of a memory, or takes it away: of one that is there or not, in
// its place or another one's, or of none; drawn, by hand, broken.
func (h *history) facts() {
	id := fmt.Sprintf("pf-%d", h.rng.IntN(12))
	p := fact.Path(pick(h.rng, id, id, id, "pf-1"))
	f := fact.Facts{ID: id, Of: pick(h.rng, "", "0123456789ab")}
	name := func() string { return pick(h.rng, "db1", "DB1", "Postgres", "Café", "cafe\u0301") }
	for range h.rng.IntN(4) {
		f.Entities = append(f.Entities, fact.Entity{Name: name(), Type: pick(h.rng, "host", "thing"), Description: pick(h.rng, "", "one", "Two words", strings.Repeat("long ", 60)), Removed: h.rng.IntN(5) == 0, Hand: h.rng.IntN(2) == 0})
	}
	for range h.rng.IntN(3) {
		f.Relations = append(f.Relations, fact.Relation{From: name(), Relation: pick(h.rng, "runs", "Runs", "is"), To: name()})
	}
	text := string(f.Bytes())
	switch h.rng.IntN(12) {
	case 0:
		text = "{"
	case 1:
		p, text = fact.UntrackedDir+"/"+pick(h.rng, "a", "b")+".jsonl", string(f.Lines())+"no line\n"
	case 2, 3:
		h.note("remove facts %s", p)
		h.remove(p)
		h.told(p, vault.Receipt{Paths: []vault.Path{vault.Path(p)}, Gone: []vault.Path{vault.Path(p)}})
		return
	}
	h.note("facts %s", p)
	h.write(p, text)
	h.told(p, vault.Receipt{Paths: []vault.Path{vault.Path(p)}})
}

// told tells the mirror of a write of facts, or somebody asks for the file, or nobody does.
func (h *history) told(p string, r vault.Receipt) {
	ctx := context.Background()
	switch h.rng.IntN(3) {
	case 0:
		if err := h.d.ApplyReceipt(ctx, sourceOf(h.folder), r); err != nil {
			h.t.Fatal(err)
		}
	case 1:
		if _, err := h.d.CatchUp(ctx, sourceOf(h.folder), vault.Scope{Paths: []vault.Path{vault.Path(p)}}); err != nil {
			h.t.Fatal(err)
		}
	}
}

func (h *history) save(p string) {
	if info, err := os.Stat(filepath.Join(h.root, p)); err == nil && info.IsDir() {
		return
	}
	for dir := filepath.Dir(p); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(h.root, dir)); err == nil && !info.IsDir() {
			return
		}
	}
	h.note("write %s", p)
	h.write(p, h.text())
}

func (h *history) delete(p string) {
	if p != "" {
		h.note("  %s", p)
		h.remove(p)
	}
}

// move moves a file or a folder to where nothing stands.
func (h *history) move() (from, to string) {
	from = h.some(h.rng.IntN(2) == 0)
	to = h.path()
	if info, err := os.Stat(filepath.Join(h.root, from)); err == nil && info.IsDir() {
		to = strings.TrimSuffix(to, filepath.Ext(to))
	}
	if _, err := os.Stat(filepath.Join(h.root, to)); from == "" || err == nil || strings.HasPrefix(to, from+"/") {
		return "", ""
	}
	h.note("move %s to %s", from, to)
	h.rename(from, to)
	return from, to
}

// moved commits everything and tells the mirror what has another place.
func (h *history) moved() {
	before, _ := h.Head(context.Background())
	from, to := h.move()
	if from == "" {
		return
	}
	r := vault.Receipt{Before: before.Commit, Commit: h.commit()}
	_ = filepath.WalkDir(filepath.Join(h.root, to), func(p string, e fs.DirEntry, _ error) error {
		p, _ = filepath.Rel(h.root, p)
		if m := (vault.Rename{From: vault.Path(from + p[len(to):]), To: vault.Path(p)}); !e.IsDir() && m.From.IsMarkdown() && m.To.IsMarkdown() {
			r.Moved = append(r.Moved, m)
		}
		return nil
	})
	h.note("applied")
	if err := h.d.ApplyReceipt(context.Background(), sourceOf(h.folder), r); err != nil {
		h.t.Fatal(err)
	}
}

// partial asks for a part of the vault.
func (h *history) partial() {
	scope := vault.Scope{Dir: vault.Path(h.some(true)), Shallow: h.rng.IntN(2) == 0}
	h.note("catch up %+v", scope)
	if _, err := h.d.CatchUp(context.Background(), sourceOf(h.folder), scope); err != nil {
		h.t.Fatal(err)
	}
}

// applied commits everything and tells the mirror what was written.
func (h *history) applied() {
	before, _ := h.Head(context.Background())
	p := h.path()
	h.save(p)
	r := vault.Receipt{Before: before.Commit, Commit: h.commit(), Paths: []vault.Path{vault.Path(p)}}
	h.note("applied %s", p)
	if err := h.d.ApplyReceipt(context.Background(), sourceOf(h.folder), r); err != nil {
		h.t.Fatal(err)
	}
}

// compare catches up and compares with a rebuild.
func (h *history) compare() {
	h.t.Helper()
	checkListings(h.t, h.d)
	h.catchUp(h.d)
	checkListings(h.t, h.d)
	fresh := h.fresh()
	defer fresh.Close()
	if altered, err := h.d.ListAltered(context.Background()); len(altered) > 0 || err != nil {
		h.t.Fatalf("rows are called altered of %v, %v", altered, err)
	}
	if diff := cmp.Diff(dump(h.t, fresh), dump(h.t, h.d)); diff != "" {
		h.t.Fatalf("after\n  %s\nthe mirror differs from a rebuild (-rebuild +mirror):\n%s", strings.Join(h.log, "\n  "), diff)
	}
	if diff := cmp.Diff(terms(h.t, fresh), terms(h.t, h.d)); diff != "" {
		h.t.Fatalf("after\n  %s\nthe full text differs from a rebuild (-rebuild +mirror):\n%s", strings.Join(h.log, "\n  "), diff)
	}
	if diff := cmp.Diff(answers(h.t, fresh), answers(h.t, h.d)); diff != "" {
		h.t.Fatalf("after\n  %s\nthe answers differ from a rebuild's (-rebuild +mirror):\n%s", strings.Join(h.log, "\n  "), diff)
	}
}
