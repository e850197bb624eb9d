package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// corpus is one corpus while it is measured.
type corpus struct {
	*bencher
	dir   string
	size  int
	texts int64    // bytes of the Markdown files
	bare  string   // the full-text table of the floor
	added int      // notes added so far, for names that nobody has
	env   []string // more for its commands and servers
	flags []string // more for its servers
}

// prepare makes what the floors ask, and readings for "hot" to count.
func (c *corpus) prepare() (err error) {
	if c.texts, err = texts(c.dir); err != nil {
		return err
	}
	if c.bare, err = c.cached(fmt.Sprintf("floor-%s-%d.db", edition, c.size), "load", c.dir, "DIR"); err != nil {
		return err
	}
	for i := range 30 {
		if _, err := c.cp("show", id(level1+i*7)).run(); err != nil {
			return err
		}
	}
	return nil
}

// cp is a memory command of the product in the corpus.
func (c *corpus) cp(args ...string) command {
	one := in(c.dir, append([]string{c.options.cp, "memory"}, args...)...)
	one.env = c.env
	return one
}

func (c *corpus) version() command { return in(c.dir, c.options.cp, "version") }

func (c *corpus) index() string { return filepath.Join(c.dir, ".cp", "index.db") }

// query asks the floor's program.
func (c *corpus) query(db, statement string, args ...string) command {
	return in(c.dir, append([]string{c.self, "query", db, statement}, args...)...)
}

// each makes a side of a command that is the same in every round.
func each(one command) func(int) (cost, error) {
	return func(int) (cost, error) { return one.run() }
}

// few is the number of rounds of a long row, many that of a short one.
func (c *corpus) few() int  { return max(1, c.rounds/3) }
func (c *corpus) many() int { return c.rounds * 3 }

const rebuildRow = "rebuild of the index"

// reading are the rows that leave the files as they are.
func (c *corpus) reading() []row {
	rows := []row{c.startup(), c.rebuild()}
	rows = append(rows, c.unchanged()...)
	rows = append(rows, c.changed(1, 3*time.Millisecond), c.changed(100, 60*time.Millisecond))
	rows = append(rows, row{what: "show", floor: "version", goals: []goal{ratio(1.8)}, rounds: c.many(),
		product: each(c.cp("show", id(c.size/2))), lower: each(c.version())})
	rows = append(rows, c.questions()...)
	return append(rows, c.searches()...)
}

func (c *corpus) startup() row {
	return row{what: "start-up: version", floor: "an empty Go program", goals: []goal{above(7 * time.Millisecond)}, rounds: c.many(),
		product: each(c.version()), lower: each(in(c.dir, c.empty))}
}

func (c *corpus) rebuild() row {
	floor := filepath.Join(c.bencher.dir, "load.db")
	var size int64
	return row{what: rebuildRow, floor: "read + SHA-256 + contentless FTS5", rounds: c.few(),
		goals: []goal{ratio(1.6, 10_000, 100_000),
			{name: "peak memory", value: func(p, _ cost) float64 { return float64(p.Peak) / 1e6 }, limit: 150, unit: "MB"},
			{name: "index.db", value: func(_, _ cost) float64 { return float64(size) / float64(c.texts) }, limit: 1, unit: "× the texts"}},
		product: func(int) (cost, error) {
			if err := removeDatabase(c.index()); err != nil {
				return cost{}, err
			}
			took, err := c.cp("list", "--limit", "1").run()
			if err != nil {
				return cost{}, err
			}
			info, err := os.Stat(c.index())
			if err != nil {
				return cost{}, err
			}
			size = info.Size()
			return took, nil
		},
		lower: func(int) (cost, error) {
			if err := removeDatabase(floor); err != nil {
				return cost{}, err
			}
			return in(c.dir, c.self, "load", c.dir, floor).run()
		}}
}

func removeDatabase(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.RemoveAll(path + suffix); err != nil {
			return err
		}
	}
	return nil
}

// unchanged are the commands that find nothing new in the whole vault.
func (c *corpus) unchanged() []row {
	status := each(in(c.dir, "git", "status", "--porcelain"))
	var rows []row
	for _, one := range []struct {
		what string
		run  command
	}{{"sync --dry-run", c.cp("sync", "--dry-run")}, {"tree --max-depth 1", c.cp("tree", "--max-depth", "1")}} {
		rows = append(rows,
			row{what: one.what + ", nothing changed", floor: "git status --porcelain", goals: []goal{ratio(1.2, 10_000, 100_000)},
				product: each(one.run), lower: status},
			row{what: one.what + ", watcher live", floor: "version", goals: []goal{ratio(1.5)}, watch: true,
				product: each(one.run), lower: each(c.version())})
	}
	return append(rows, row{what: "doctor", floor: "sync --dry-run", goals: []goal{ratio(0, -1)}, rounds: c.few(), // no goal at any size
		product: each(in(c.dir, c.options.cp, "doctor")), lower: each(c.cp("sync", "--dry-run"))})
}

// changed is the catch-up after n files were changed, beside the same command
// when none was.
func (c *corpus) changed(n int, limit time.Duration) row {
	look := c.cp("tree", "--max-depth", "1")
	settled := func() error {
		if _, err := look.run(); err != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond) // git's racy rule: a file this young is looked at again
		_, err := look.run()
		return err
	}
	return row{what: fmt.Sprintf("catch-up after %s", files(n)), floor: "the same with nothing changed", goals: []goal{above(limit)}, rounds: c.many(),
		each: settled, lower: each(look),
		product: func(round int) (cost, error) {
			for k := range n {
				file := filepath.Join(c.dir, stem((k*97+round)%c.size)+".md")
				if err := appendLine(file, fmt.Sprintf("Changed in round %d.\n", round)); err != nil {
					return cost{}, err
				}
			}
			return look.run()
		}}
}

func files(n int) string {
	if n == 1 {
		return "1 changed file"
	}
	return fmt.Sprintf("%d changed files", n)
}

func appendLine(file, line string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(line); err != nil {
		return err
	}
	return f.Close()
}

// The bare queries: what the answers show, and nothing for how.
const (
	bareTree = `SELECT m.id, m.title, m.parent, q.position, (SELECT count(*) FROM memories c WHERE c.parent = m.n AND c.held = 2 AND c.status <> 'closed')
		FROM memories m LEFT JOIN pointers q ON q.parent = m.parent AND q.id = m.id
		WHERE m.held = 2 AND m.status <> 'closed' AND m.depth <= 2 ORDER BY m.parent, q.position`
	bareList = `SELECT m.id, m.title, m.status, m.summary, m.created, (SELECT count(*) FROM memories WHERE held = 2 AND status <> 'closed')
		FROM memories m JOIN files f ON f.n = m.n WHERE m.held = 2 AND m.status <> 'closed' ORDER BY m.created DESC, f.path LIMIT 20`
	bareHot = `SELECT m.id, m.title, m.depth, r.count, p.title, pr.count
		FROM reads r JOIN memories m ON m.id = r.id LEFT JOIN memories p ON p.n = m.parent LEFT JOIN reads pr ON pr.id = p.id
		WHERE m.held = 2 AND m.status <> 'closed' AND r.count > coalesce(pr.count, 0) ORDER BY r.count DESC LIMIT 20`
	bareSearch = `SELECT rowid, rank FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 10`
)

func (c *corpus) questions() []row {
	var rows []row
	for _, one := range []struct {
		what string
		run  command
		bare string
	}{
		{"tree --max-depth 2", c.cp("tree", "--max-depth", "2"), bareTree},
		{"hot", c.cp("hot"), bareHot},
		{"list", c.cp("list"), bareList},
	} {
		rows = append(rows, row{what: one.what + ", watcher live", floor: "the bare SQLite query", goals: []goal{ratio(2.5, 100_000)}, watch: true,
			product: each(one.run), lower: each(c.query(c.index(), one.bare))})
	}
	return rows
}

func (c *corpus) searches() []row {
	var rows []row
	for _, one := range []struct{ what, words, match string }{
		{"a 1 % word", markPercent, markPercent},
		{"three words", markPermille + " " + markPercent + " " + markTenth, markPermille + " OR " + markPercent + " OR " + markTenth},
		{"\"the\"", "the", "the"},
	} {
		rows = append(rows, row{what: "search of " + one.what + ", watcher live", floor: "the bare FTS5 query", goals: []goal{ratio(2.5, 100_000)}, watch: true,
			product: each(c.cp("search", one.words, "--limit", "10")), lower: each(c.query(c.bare, bareSearch, one.match))})
	}
	return rows
}
