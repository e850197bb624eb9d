// Command codequality measures how well bindings follow code. "make code-quality" runs it.
//
//	codequality -histories "DIR DIR"   replays histories: it binds windows of lines, and symbols, at a commit
//	                                   that lies far back, and judges them at later ones
//	codequality … -after COMMAND       binds at the newest commit, runs a command in the work tree, as a formatter, and judges: how much is
//	                                   loud although nothing but the form of the code has changed
//	codequality -code DIR              looks for labelled symbols
//
// A window is lost where "git blame --reverse" says that its lines do not all live on at the later commit, side
// by side. False loud is a binding that is told as changed or gone although they do, missed one that is not told although
// they do not. The text of a missed one may be there all the same, written anew or taken back by somebody: these are counted
// beside. Bindings of fewer than three lines are counted by themselves.
//
// DIR/labels.tsv has a symbol a line: the language, the file below DIR, the symbol, the first line that its definition may be said
// to begin with (decorators above it included), the last such line (that of its name), and its last line. label.py writes such
// a set by the grammars of tree-sitter.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	var o replayOptions
	histories := flag.String("histories", "", "git `directories` whose histories are replayed")
	labels := flag.String("code", "", "the `folder` of the labelled symbols")
	flag.Int64Var(&o.seed, "seed", 1, "of what is bound")
	flag.IntVar(&o.back, "back", 500, "bind so many `commits` back, by first parent")
	flag.IntVar(&o.stops, "stops", 4, "judge at so many later `commits`, the last of them the newest")
	flag.IntVar(&o.files, "files", 300, "bind lines of so many `files` at the most")
	flag.IntVar(&o.windows, "windows", 4, "of each file so many `windows` of each length, and symbols")
	flag.StringVar(&o.after, "after", "", "bind at the newest commit, and judge after this `command` of the shell")
	flag.BoolVar(&o.verbose, "v", false, "show each binding that is judged wrongly")
	flag.Parse()
	if err := measure(context.Background(), o, strings.Fields(*histories), *labels); err != nil {
		fmt.Fprintln(os.Stderr, "codequality:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, o replayOptions, histories []string, labels string) error {
	if labels != "" {
		located, err := locateLabelled(labels, os.Stdout)
		if err != nil {
			return err
		}
		fmt.Printf("symbols located: %s (goal 90 %%)\n", located)
	}
	for _, dir := range histories {
		judge := replayHistory
		if o.after != "" {
			judge = judgeAfter
		}
		r, err := judge(ctx, dir, o)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		fmt.Print(r)
	}
	return nil
}
