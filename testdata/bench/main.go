// Command bench measures the product beside what the same work costs at the
// least: a floor, which is a small program of its own (floors.go) or git. It
// lies in testdata because it is no part of the product, and "make bench" runs
// it. Nothing here is a test: a figure never fails it, a command that fails does.
//
// Product and floor run in the same run, in turns, each as a process of its
// own; what counts is the median of the user and system time of the process and
// of all it waited for. On a noisy machine trust the ratios.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// options are the command line.
type options struct {
	sizes  []int
	rounds int
	only   *regexp.Regexp // of the rows' names
	dir    string         // corpora and results; absolute
	cp     string         // the product; absolute
	static string         // the folder of a static embedding model; may be empty
	python string         // an interpreter that may have one as a package
	page   string         // the file whose table is replaced, and in the README beside it three rows; may be empty
}

func main() {
	if len(os.Args) > 1 && parts[os.Args[1]] != nil {
		exit(parts[os.Args[1]](os.Args[2:]))
	}
	o, err := parseOptions()
	if err == nil {
		err = bench(o)
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// parts are the programs in this one: the floors, and what would make the
// measuring process large (a child's peak memory starts at its parent's).
var parts = map[string]func(args []string) error{
	"corpus":  buildCorpus,
	"history": buildHistory,
	"journal": buildJournal,
	"graph":   buildGraph,
	"family":  buildFamily,
	"code":    buildCode,
	"anchors": buildAnchors,
	"sources": writeSources,
	"load":    loadFloor,
	"query":   queryFloor,
	"spin":    spin,
}

func parseOptions() (o options, err error) {
	sizes := flag.String("sizes", "1000 10000 100000", "numbers of `files`")
	only := flag.String("only", "", "only the rows whose name matches this `expression`")
	flag.IntVar(&o.rounds, "rounds", 9, "rounds of a row; long ones take a third, short ones more")
	flag.StringVar(&o.dir, "dir", ".bench", "`folder` for corpora and results")
	flag.StringVar(&o.cp, "cp", "bin/cp", "the `program` to measure")
	flag.StringVar(&o.page, "table", "", "`file` to put the table into, between its markers; the README beside it gets three rows")
	flag.StringVar(&o.static, "static", "", "the `folder` of a static embedding model, for the rows with vectors")
	flag.StringVar(&o.python, "python", "python3", "the `interpreter` that has tokenlearn-static-model, where no folder is named")
	flag.Parse()
	for _, s := range strings.Fields(*sizes) {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1000 {
			return o, fmt.Errorf("a size is a number of files, 1000 or more: %q", s)
		}
		o.sizes = append(o.sizes, n)
	}
	if o.only, err = regexp.Compile(*only); err != nil {
		return o, err
	}
	for _, path := range []*string{&o.dir, &o.cp} {
		if *path, err = filepath.Abs(*path); err != nil {
			return o, err
		}
	}
	return o, nil
}

// bench makes the corpora, measures every row and reports.
func bench(o options) error {
	b, err := newBench(o)
	if err != nil {
		return err
	}
	for _, size := range o.sizes {
		if err := b.size(size); err != nil {
			return err
		}
		if err := b.past(size); err != nil {
			return err
		}
		if err := b.graph(size); err != nil {
			return err
		}
		if err := b.family(size); err != nil {
			return err
		}
		if err := b.code(size); err != nil {
			return err
		}
	}
	if err := b.journal(); err != nil {
		return err
	}
	if err := b.anchors(); err != nil {
		return err
	}
	b.growth()
	return b.report()
}
