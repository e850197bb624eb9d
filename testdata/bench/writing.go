package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// writing are the rows that commit.
func (c *corpus) writing() []row {
	return []row{c.addOne(), c.batch(), c.move(), c.writers(), c.imports(), c.adopts(), c.addLate()}
}

// rest lets git and the product take up what the other side has done.
func (c *corpus) rest() error { return c.settle(c.dir) }

// next returns a name that no note has.
func (c *corpus) next() string {
	c.added++
	return fmt.Sprintf("Addition %d", c.added)
}

const body = "What was found out: the gateway keeps the old version until its allocation is stopped by hand."

// addSub is one add-sub below note i.
func (c *corpus) addSub(i int) command {
	return c.cp("add-sub", id(i), "--title", c.next(), "--body", body, "--summary", "If the gateway is old")
}

func (c *corpus) addOne() row {
	return row{what: "one add-sub", floor: "git add + git commit of one file", each: c.rest,
		goals:   []goal{ratio(0.7, 10_000), ratio(0.3, 100_000)}[sizeIndex(c.size):][:1],
		product: func(round int) (cost, error) { return c.addSub(round).run() },
		lower: func(int) (cost, error) {
			title := c.next()
			file := strings.ReplaceAll(title, " ", "-") + ".md"
			if err := os.WriteFile(filepath.Join(c.dir, file), []byte(body+"\n"), 0o666); err != nil {
				return cost{}, err
			}
			return sequence(in(c.dir, "git", "add", file), in(c.dir, "git", "commit", "-q", "-m", title))
		}}
}

// addLate is one add-sub where 20,000 writes have replaced a file within two days,
// beside one where none has: what they left in displaced/ is put in its place for it.
// It comes last, since what it writes would be synced in the rows behind it.
func (c *corpus) addLate() row {
	const writes = 20_000
	late := ""
	with := func(run command) (cost, error) {
		found, err := filepath.Glob(filepath.Join(c.dir, ".git", "cp", "*", "displaced"))
		if err != nil || len(found) != 1 {
			return cost{}, fmt.Errorf("%d folders of replaced files, %v", len(found), err)
		}
		standing, aside := found[0], found[0]+".aside"
		if err := errors.Join(os.Rename(standing, aside), os.Rename(late, standing)); err != nil {
			return cost{}, err
		}
		spent, err := run.run()
		return spent, errors.Join(err, os.Rename(standing, late), os.Rename(aside, standing))
	}
	return row{what: "add-sub after 20,000 writes", floor: "one after none", goals: []goal{ratio(1.1)}, each: c.rest,
		product: func(round int) (cost, error) {
			if late == "" {
				late = filepath.Join(c.dir, ".git", "late")
				if err := errors.Join(displace(late, writes), ignore(with(c.addSub(round)))); err != nil {
					return cost{}, err
				}
			}
			return with(c.addSub(round))
		},
		lower: func(round int) (cost, error) { return c.addSub(round).run() }}
}

func ignore(_ cost, err error) error { return err }

// displace makes a folder of what so many writes of the last two days replaced, in
// the form that the first command then takes up.
func displace(dir string, writes int) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	now := time.Now().UTC().Truncate(time.Millisecond)
	for n := range writes {
		op := now.Add(-48*time.Hour*time.Duration(writes-n)/time.Duration(writes)).Format("20060102T150405.000") + "-k3v9q2m1"
		name := fmt.Sprintf("%s.0.%s.0123456789abcdef.note-%d.md", op, strconv.FormatInt(now.UnixNano(), 36), n)
		file := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(file, []byte(body), 0o600), os.Chtimes(file, now, now)); err != nil {
			return err
		}
	}
	return nil
}

// sizeIndex chooses between the goals for 10,000 and 100,000.
func sizeIndex(size int) int {
	if size >= 100_000 {
		return 1
	}
	return 0
}

// batch is many add-sub in one commit beside as many single ones.
func (c *corpus) batch() row {
	n := c.count(100)
	return row{what: fmt.Sprintf("batch of %d add-sub", n), floor: fmt.Sprintf("%d single ones", n), goals: []goal{wallRatio(0.1)},
		rounds: c.few(), needs: "batch", each: c.rest,
		product: func(int) (cost, error) {
			var lines strings.Builder
			for range n {
				fmt.Fprintf(&lines, "{\"verb\": \"add-sub\", \"parent\": %q, \"title\": %q, \"body\": %q, \"summary\": \"If the gateway is old\"}\n", id(2), c.next(), body)
			}
			run := c.cp("batch")
			run.in = lines.String()
			return run.run()
		},
		lower: func(int) (cost, error) {
			var all []command
			for range n {
				all = append(all, c.addSub(3))
			}
			return sequence(all...)
		}}
}

// count is how often a row does what it repeats; once over is enough to see that it works.
func (c *corpus) count(n int) int {
	if c.rounds == 1 {
		return n / 5
	}
	return n
}

// move takes the largest subtree of about a thousand files to and fro.
func (c *corpus) move() row {
	top, n := level1, below(level1, c.size)+1 // the first child of the first root
	if c.size < 10_000 {
		top, n = 0, below(0, c.size)+1
	}
	from, to := filepath.Dir(stem(top)), stem(1)
	at := false // whether it hangs below the second root
	places := func() (was, will string) {
		if at {
			return to, from
		}
		return from, to
	}
	moveBy := func(run func(was, will string) (cost, error)) func(int) (cost, error) {
		return func(int) (cost, error) {
			took, err := run(places())
			at = !at
			return took, err
		}
	}
	return row{what: fmt.Sprintf("move of %d files", n), floor: "git mv + git commit", goals: []goal{ratio(1)}, rounds: c.few() * 2, each: c.rest,
		product: moveBy(func(_, will string) (cost, error) {
			if will == "." {
				return c.cp("move", id(top), "--root").run()
			}
			return c.cp("move", id(top), will+".md").run()
		}),
		lower: moveBy(func(was, will string) (cost, error) {
			file := filepath.Join(was, name(top))
			return sequence(in(c.dir, "git", "mv", file+".md", file, will), in(c.dir, "git", "commit", "-q", "-m", "move"))
		})}
}

// writers is eight processes that write at once beside one that writes as much.
func (c *corpus) writers() row {
	const processes = 8
	n := c.count(50)
	return row{what: fmt.Sprintf("%d × %d add-sub at once", processes, n), floor: fmt.Sprintf("one writing %d", processes*n),
		goals: []goal{wallRatio(1.3)}, rounds: c.few(), each: c.rest,
		product: func(int) (cost, error) {
			lists := make([][]command, processes)
			for k := range lists {
				for range n {
					lists[k] = append(lists[k], c.addSub(4))
				}
			}
			return together(lists)
		},
		lower: func(int) (cost, error) {
			var all []command
			for range processes * n {
				all = append(all, c.addSub(5))
			}
			return sequence(all...)
		}}
}

// plainNotes are notes without front matter, and an empty vault to take them into.
type plainNotes struct {
	*corpus
	n       int
	sources string // where they are
	vault   string
}

func (c *corpus) plain() *plainNotes {
	return &plainNotes{corpus: c, n: min(c.size, 10_000), vault: filepath.Join(c.bencher.dir, "work")}
}

// made makes the vault anew.
func (p *plainNotes) made() (err error) {
	if p.sources, err = p.cached(fmt.Sprintf("sources-%s-%d", edition, p.n), "sources", "DIR", fmt.Sprint(p.n)); err != nil {
		return err
	}
	if err := os.RemoveAll(p.vault); err != nil {
		return err
	}
	return emptyVault(p.options.cp, p.vault)
}

// indexed makes the vault anew, with an index of the nothing in it.
func (p *plainNotes) indexed() error {
	if err := p.made(); err != nil {
		return err
	}
	return commands(p.vault, "sync")
}

// copied copies the notes into the vault, by hand.
func (p *plainNotes) copied() error {
	return os.CopyFS(filepath.Join(p.vault, "in"), os.DirFS(p.sources))
}

func (p *plainNotes) imported(int) (cost, error) {
	return in(p.vault, p.options.cp, "memory", "import", p.sources).run()
}

// imports takes plain notes into an empty vault.
func (c *corpus) imports() row {
	p := c.plain()
	return row{what: fmt.Sprintf("import of %d files", p.n), floor: "git add -A + git commit, and the rebuild's floor", goals: []goal{wallRatio(1.2, 10_000)}, rounds: c.few(),
		each: p.indexed, product: p.imported,
		lower: func(int) (cost, error) {
			if err := p.copied(); err != nil {
				return cost{}, err
			}
			return sequence(in(p.vault, "git", "add", "-A"), in(p.vault, "git", "commit", "-q", "-m", "import"),
				in(p.vault, c.self, "load", filepath.Join(p.vault, "in"), filepath.Join(p.vault, ".git", "load.db")))
		}}
}

// adopts has sync take over plain notes in a folder that has just become a vault.
func (c *corpus) adopts() row {
	p := c.plain()
	return row{what: fmt.Sprintf("sync of %d new files", p.n), floor: "import of the same files", goals: []goal{ratio(1.3)}, rounds: c.few(), each: p.made,
		product: func(int) (cost, error) {
			if err := p.copied(); err != nil {
				return cost{}, err
			}
			return in(p.vault, c.options.cp, "memory", "sync").run()
		},
		lower: p.imported}
}
