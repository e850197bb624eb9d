// Command benchrecall measures how well what a question asks for is found. The
// questions are labelled: for each one it is known which files answer it.
//
//	benchrecall              recall at 1, 5 and 10, the mean reciprocal rank and the time, for each
//	                         set and each leg, beside plain FTS5 (porter, the words OR-ed, title
//	                         and text) in the same run: "make bench-recall"
//	benchrecall -guide       how far trigger phrases alone lead: "make bench-guide"
//	benchrecall -static DIR  the vectors of a static model, alone and mixed with the words in
//	                         several ways: "make bench-fusion"
//
// Recall is asked through the code that "cp memory recall" calls, in this process.
// Every fiftieth question goes to the built program too. Its answer must be the same,
// and its processor time is the one that is reported for a cold start. The guide is
// asked through the built program alone. Nothing here is a test.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "floor" {
		exit(floorQuery(os.Args[2], os.Args[3]))
	}
	var o options
	flag.StringVar(&o.data, "data", "../shared/data", "the `folder` of the sets")
	flag.StringVar(&o.program, "cp", "bin/cp", "the `program`")
	flag.IntVar(&o.chunks, "chunks", 100_000, "`passages` of the vault by which a cold start is measured; 0 leaves that out")
	flag.BoolVar(&o.guide, "guide", false, "measure how far trigger phrases alone lead, and nothing else")
	flag.IntVar(&o.queries, "queries", 0, "ask at most this many `queries` of the first set; 0 is all")
	flag.StringVar(&o.folder, "static", "", "measure the vectors of the static embedding model in this `folder`, and nothing else")
	flag.Parse()
	exit(run(o))
}

// options are the command line.
type options struct {
	data, program   string
	chunks, queries int
	guide           bool
	folder          string
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchrecall:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(o options) (err error) {
	if o.program, err = filepath.Abs(o.program); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchrecall-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sets, err := load(o.data, dir, o.queries)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Printf("the labelled queries are not here (%v); nothing was measured\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	if o.guide {
		return sets[0].guide(o.program)
	}
	return o.recall(sets, dir)
}

// recall measures recall on all sets, or the mixtures of a static model's vectors.
func (o options) recall(sets []*set, dir string) error {
	fmt.Printf("%-12s %-12s %6s %6s %6s %6s %9s\n", "set", "by", "R@1", "R@5", "R@10", "MRR", "ms/query")
	for _, s := range sets {
		measure := s.measure
		if o.folder != "" {
			measure, o.chunks = func(program string) error { return s.fuse(program, o.folder) }, 0
		}
		if err := measure(o.program); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if o.chunks == 0 {
		return nil
	}
	return coldStart(o.program, filepath.Join(dir, "store"), dir, o.chunks)
}
