package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// row is one comparison: what the product does, and the floor beside it.
type row struct {
	what   string // what is measured
	floor  string // what stands beside it
	goals  []goal
	rounds int  // 0 means the ordinary number
	watch  bool // with a watcher running
	needs  string

	// first runs once, before a watcher starts, and each before every measured run of either side;
	// neither is measured
	first   func() error
	each    func() error
	product func(round int) (cost, error)
	lower   func(round int) (cost, error)
}

// goal is one figure of a row and what it should be.
type goal struct {
	name  string // what the figure is of, where it is not the row's cpu
	value func(product, floor cost) float64
	limit float64
	unit  string
	sizes []int // at which it is to be reached; nil means at all
}

func ratio(limit float64, sizes ...int) goal {
	return goal{value: func(p, f cost) float64 { return float64(p.CPU) / float64(f.CPU) }, limit: limit, unit: "× cpu", sizes: sizes}
}

func wallRatio(limit float64, sizes ...int) goal {
	return goal{value: func(p, f cost) float64 { return float64(p.Wall) / float64(f.Wall) }, limit: limit, unit: "× wall", sizes: sizes}
}

// more is how many percent of cpu the product takes above the floor.
func more(limit float64, sizes ...int) goal {
	return goal{value: func(p, f cost) float64 { return 100 * float64(p.CPU-f.CPU) / float64(f.CPU) }, limit: limit, unit: "% more cpu", sizes: sizes}
}

func above(limit time.Duration) goal {
	return goal{value: func(p, f cost) float64 { return float64(p.CPU-f.CPU) / 1e6 }, limit: float64(limit) / 1e6, unit: "ms more cpu"}
}

// result is one line of the table.
type result struct {
	What    string  `json:"what"`
	Size    int     `json:"files"`
	Product cost    `json:"product"`
	Floor   cost    `json:"floor"`
	Beside  string  `json:"floor_is"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Limit   float64 `json:"goal,omitempty"` // 0 where none is set for this size
	Reached bool    `json:"reached"`
	Rounds  int     `json:"rounds"`
	Note    string  `json:"note,omitempty"`
}

// bencher holds what one run has.
type bencher struct {
	options
	self    string // this program
	empty   string // a Go program that does nothing
	results []result
	started time.Time
}

func newBench(o options) (*bencher, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b := &bencher{options: o, self: self, started: time.Now()}
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return nil, err
	}
	return b, b.buildEmpty()
}

// buildEmpty compiles the program that does nothing.
func (b *bencher) buildEmpty() error {
	source := filepath.Join(b.dir, "empty.go")
	b.empty = filepath.Join(b.dir, "empty")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", b.empty, source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// tell says on stderr how far the run is.
func (b *bencher) tell(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%5.0f s  %s\n", time.Since(b.started).Seconds(), fmt.Sprintf(format, args...))
}

// size measures the rows of one size.
func (b *bencher) size(size int) error {
	dir, err := b.corpus(size)
	if err != nil {
		return err
	}
	c := &corpus{bencher: b, dir: dir, size: size}
	if err := c.prepare(); err != nil {
		return err
	}
	vectors, err := c.vectors()
	if err != nil {
		return err
	}
	if err := b.all(c, slices.Concat(c.reading(), vectors, c.serving(), c.browsing(), c.hooks(), c.writing())); err != nil {
		return err
	}
	return b.restore(dir)
}

// past measures the rows of one size that are about the past.
func (b *bencher) past(size int) error {
	if !b.only.MatchString("history") {
		return nil
	}
	c, rows, err := b.history(size)
	if err != nil {
		return err
	}
	return b.all(c, rows)
}

// all measures the rows that were asked for.
func (b *bencher) all(c *corpus, rows []row) error {
	for _, r := range rows {
		if !b.only.MatchString(r.what) {
			continue
		}
		if err := b.measure(c, r); err != nil {
			return fmt.Errorf("%s at %d: %w", r.what, c.size, err)
		}
	}
	return nil
}

// measure runs both sides in turns and keeps the medians.
func (b *bencher) measure(c *corpus, r row) error {
	if r.needs != "" && !c.has(r.needs) {
		b.keep(c, r, cost{}, cost{}, 0, "no "+r.needs+" in this build")
		return nil
	}
	b.tell("%d files: %s", c.size, r.what)
	if r.first != nil {
		if err := r.first(); err != nil {
			return err
		}
	}
	note := ""
	if r.watch {
		stop, err := c.watch()
		if err != nil {
			return err
		}
		if stop == nil {
			note = "no watcher in this build"
		} else {
			defer stop()
		}
	}
	rounds := r.rounds
	if rounds <= 0 {
		rounds = b.rounds
	}
	product, floor, err := turns(rounds, r)
	if err != nil {
		return err
	}
	b.keep(c, r, median(product), median(floor), rounds, note)
	return nil
}

// turns runs the sides one after the other; who is first changes with the round.
func turns(rounds int, r row) (product, floor []cost, err error) {
	sides := []func(int) (cost, error){r.product, r.lower}
	costs := make([][]cost, 2)
	for round := range rounds {
		for k := range sides {
			k = (k + round) % 2
			if r.each != nil {
				if err := r.each(); err != nil {
					return nil, nil, err
				}
			}
			one, err := sides[k](round)
			if err != nil {
				return nil, nil, err
			}
			costs[k] = append(costs[k], one)
		}
	}
	return costs[0], costs[1], nil
}

// keep writes down what a row came to, a line for each goal.
func (b *bencher) keep(c *corpus, r row, product, floor cost, rounds int, note string) {
	for _, g := range r.goals {
		line := result{What: r.what, Size: c.size, Product: product, Floor: floor, Beside: r.floor, Unit: g.unit, Rounds: rounds, Note: note}
		if g.name != "" {
			line.What += ": " + g.name
		}
		if g.sizes == nil || slices.Contains(g.sizes, c.size) {
			line.Limit = g.limit
		}
		if rounds > 0 {
			line.Value = g.value(product, floor)
			line.Reached = line.Value <= g.limit
		}
		b.results = append(b.results, line)
	}
}

// growth compares the rebuilds of 100,000 and 10,000 files.
func (b *bencher) growth() {
	at := func(size int) *result {
		i := slices.IndexFunc(b.results, func(r result) bool { return r.Size == size && r.What == rebuildRow })
		if i < 0 {
			return nil
		}
		return &b.results[i]
	}
	large, small := at(100_000), at(10_000)
	if large == nil || small == nil {
		return
	}
	times := float64(large.Product.CPU) / float64(small.Product.CPU)
	b.results = append(b.results, result{What: rebuildRow + ": growth", Size: large.Size, Product: large.Product, Floor: small.Product,
		Beside: "the same at 10,000", Value: times, Unit: "× cpu", Limit: 11, Reached: times <= 11, Rounds: large.Rounds})
}
