package main

import (
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The code's history: so many commits, the newest first asked for; every fourth has an entry.
const (
	anchorCommits = 12_000
	anchorRange   = 10_000
)

// buildAnchors makes a vault in a repository with a history of code, and args[2] entries that tell of its commits.
func buildAnchors(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("a corpus wants the program, the folder and the number of entries")
	}
	entries, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	dir := args[1]
	if err := emptyVault(args[0], dir); err != nil {
		return err
	}
	if err := fastImport(dir, codeHistory); err != nil {
		return err
	}
	git := exec.Command("git", "rev-list", "HEAD")
	git.Dir = dir
	out, err := git.Output()
	if err != nil {
		return err
	}
	all := strings.Fields(string(out))
	slices.Reverse(all)
	if err := fastImport(dir, func(w io.Writer) { anchoredEntries(w, entries, all[len(all)-anchorCommits:]) }); err != nil {
		return err
	}
	return commands(dir, "git reset -q --hard", "git tag "+base, "git commit-graph write --reachable")
}

// codeHistory streams the commits of the code.
func codeHistory(w io.Writer) {
	for n := range anchorCommits {
		from, text := "", fmt.Sprintf("step %d\n", n)
		if n == 0 {
			from = "from refs/heads/main^0\n"
		}
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata %d\n%s%sM 100644 inline %s\ndata %d\n%s\n",
			day0.Add(time.Duration(n)*time.Hour).Unix(), len(text), text, from, source(n%100), len(text), text)
	}
}

// anchoredEntries streams the entries, each of a commit of its own.
func anchoredEntries(w io.Writer, entries int, commits []string) {
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata 8\nentries\nfrom refs/heads/main^0\n", day0.AddDate(3, 0, 0).Unix())
	for i := range entries {
		at := fmt.Sprintf("commit: %040x\n", i+1)
		text := strings.Replace(entry(i), at, "commit: "+commits[i*len(commits)/entries]+"\n", 1)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", entryPath(i), len(text), text)
	}
}

// anchors measures what is asked by the commits of the code.
func (b *bencher) anchors() error {
	what := fmt.Sprintf("list --commits, %d of %d commits", anchorRange, anchorCommits)
	if !b.only.MatchString(what) {
		return nil
	}
	const entries = anchorCommits / 4
	dir, err := b.cached(fmt.Sprintf("anchors-%s-%d", edition, entries), "anchors", b.options.cp, "DIR", strconv.Itoa(entries))
	if err != nil {
		return err
	}
	c := &corpus{bencher: b, dir: dir, size: entries}
	if err := b.restore(dir); err != nil {
		return err
	}
	among := fmt.Sprintf("HEAD~%d..HEAD", anchorRange)
	return b.all(c, []row{
		{what: what, floor: "git rev-list", watch: true, goals: []goal{ratio(1.5)}, product: each(c.cp("list", "--type", "decision", "--commits", among)), lower: each(in(dir, "git", "rev-list", among))},
	})
}
