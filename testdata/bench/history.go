package main

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// buildHistory makes a corpus like buildCorpus's with a past: a commit for every
// tenth note, the first half a person's, the others as the product writes them.
// Most change a line of one note; every hundredth moves one without children
// into another folder, every hundredth takes one away.
func buildHistory(args []string) error {
	return importInto(args, func(w io.Writer, size int) {
		stream(w, size)
		past(w, size)
	}, "git commit-graph write --reachable")
}

// commits is how many commits a history of so many notes has.
func commits(size int) int { return size / 10 }

// often is the note that every fiftieth commit changes.
const often = level1 + 1

// past streams the commits.
func past(w io.Writer, size int) {
	notes := writer{newVocabulary(), size}
	texts := make(map[int][]byte)
	leaf := size - 1 // the next note to move or take away, from the last one on
	for n := range commits(size) {
		i := (n * 7919) % (size / 2)
		verb, change := "update", ""
		switch {
		case n%100 == 30:
			i, leaf, verb = leaf, leaf-1, "move"
			change = fmt.Sprintf("R %s.md moved/%s.md\n", stem(i), name(i))
		case n%100 == 60:
			i, leaf, verb = leaf, leaf-1, "delete"
			change = fmt.Sprintf("D %s.md\n", stem(i))
		case n%50 == 0:
			i = often
		}
		if change == "" {
			text, ok := texts[i]
			if !ok {
				text = notes.memory(i)
			}
			texts[i] = fmt.Appendf(text, "Found out in step %d.\n", n)
			change = fmt.Sprintf("M 100644 inline %s.md\ndata %d\n%s\n", stem(i), len(texts[i]), texts[i])
		}
		commit(w, n, verb, i, change, n >= commits(size)/2)
	}
}

// day0 is the time of the first of those commits; one follows each hour.
var day0 = epoch.AddDate(0, 6, 0)

func commit(w io.Writer, n int, verb string, i int, change string, ours bool) {
	message := fmt.Sprintf("step %d\n", n)
	if ours {
		message = fmt.Sprintf("memory: %s %s \"Note %d\"\n\nCp-Op: step-%d\nCp-Verb: %s\nCp-Id: %s\nCp-Agent: bench\n", verb, id(i), i, n, verb, id(i))
	}
	at := day0.Add(time.Duration(n) * time.Hour).Unix()
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata %d\n%s%s", at, len(message), message, change)
}

// history are the rows about the past. They have a corpus of their own, which they leave as it is.
func (b *bencher) history(size int) (*corpus, []row, error) {
	dir, err := b.cached(fmt.Sprintf("history-%s-%d", edition, size), "history", b.options.cp, "DIR", strconv.Itoa(size))
	if err != nil {
		return nil, nil, err
	}
	c := &corpus{bencher: b, dir: dir, size: size}
	git := func(args ...string) command { return in(dir, append([]string{"git"}, args...)...) }
	file := stem(often) + ".md"
	total := commits(size)
	lost := stem(size-2) + ".md" // the first one that is taken away
	status := "git status --porcelain"
	since := day0.Add(time.Duration(total-total/100) * time.Hour).Format(time.RFC3339)
	what := fmt.Sprintf("history of %d commits: ", total)
	rows := []row{
		{what: what + "log", floor: "git log -n 20", product: each(c.cp("log")), lower: each(git("log", "-n", "20"))},
		{what: what + "log of a memory", floor: "git log --follow -n 20", product: each(c.cp("log", id(often))), lower: each(git("log", "--follow", "-n", "20", "--", file))},
		{what: what + "log --since", floor: "git log --since", product: each(c.cp("log", "--since", since, "--limit", "1000")), lower: each(git("log", "--since", since))},
		{what: what + "log of a deleted memory", floor: "git log --diff-filter=D, git log of the file, git status", product: each(c.cp("log", id(size-2))),
			lower: each(in(dir, "sh", "-c", "git log --diff-filter=D --name-only; git log -- "+lost+"; "+status))},
		{what: what + "log of a deleted memory, watcher live", floor: "git log --diff-filter=D, git log of the file", watch: true, product: each(c.cp("log", id(size-2))),
			lower: each(in(dir, "sh", "-c", "git log --diff-filter=D --name-only; git log -- "+lost))},
		{what: what + "changes --since", floor: "git log --since --name-status, git status", product: each(c.cp("changes", "--since", since)),
			lower: each(in(dir, "sh", "-c", "git log --since "+since+" --name-status; "+status))},
		{what: what + "changes --since, watcher live", floor: "git log --since --name-status", watch: true, product: each(c.cp("changes", "--since", since)),
			lower: each(git("log", "--since", since, "--name-status"))},
		{what: what + "diff", floor: "git diff", product: each(c.cp("diff", id(often), "HEAD~"+strconv.Itoa(total/2))), lower: each(git("diff", "HEAD~"+strconv.Itoa(total/2), "--", file))},
		{what: what + "blame", floor: "git blame", product: each(c.cp("blame", id(often))), lower: each(git("blame", "--", file))},
	}
	for i := range rows {
		rows[i].goals = []goal{ratio(2, 100_000)}
	}
	return c, rows, b.settle(dir)
}
