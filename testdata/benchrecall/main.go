// Command benchrecall measures how well recall finds what labelled queries ask
// for: recall at 1, 5 and 10, the mean reciprocal rank and the time, for each
// set and each leg, beside plain FTS5 (porter, the words OR-ed, title and text)
// in the same run. "make bench-recall" runs it. Nothing here is a test.
//
// The queries go through the code that "cp memory recall" calls, in this
// process; every fiftieth is asked of the built program too, whose answer must be
// the same, and whose processor time is what is told of a cold start.
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
	data := flag.String("data", "../shared/data", "the `folder` of the sets")
	program := flag.String("cp", "bin/cp", "the `program`")
	chunks := flag.Int("chunks", 100_000, "`passages` of the vault by which a cold start is measured; 0 leaves that out")
	folder := flag.String("static", "", "`folder` of a static embedding model: mix its vectors with the words in several ways, and measure that instead")
	flag.Parse()
	exit(run(*data, *program, *folder, *chunks))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchrecall:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(data, program, folder string, chunks int) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "benchrecall-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sets, err := load(data, dir)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Printf("the labelled queries are not here (%v); nothing was measured\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Printf("%-12s %-12s %6s %6s %6s %6s %9s\n", "set", "by", "R@1", "R@5", "R@10", "MRR", "ms/query")
	for _, s := range sets {
		measure := s.measure
		if folder != "" {
			measure, chunks = func(program string) error { return s.fuse(program, folder) }, 0
		}
		if err := measure(program); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if chunks == 0 {
		return nil
	}
	return coldStart(program, filepath.Join(dir, "store"), dir, chunks)
}
