package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// codeLines is how many lines a file of the code has.
const codeLines = 60

// source is the path of the file i of the code.
func source(i int) string { return fmt.Sprintf("src/part%03d/file%06d.go", i/100, i) }

// sourceText is its text.
func sourceText(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package part%03d\n\n", i/100)
	for line := 3; line <= codeLines; line++ {
		fmt.Fprintf(&b, "var value%06d_%02d = %d\n", i, line, i*line)
	}
	return b.String()
}

// boundTo is what note i is about: three notes of ten are about twelve lines of the file of their
// number, every tenth of these about all files of a folder whose numbers end alike.
func boundTo(i int) string {
	switch {
	case i%10 > 2:
		return ""
	case i%100 == 0:
		return fmt.Sprintf("src/part%03d/*%d.go", i/100, i/100%10)
	}
	return source(i) + "#L20-L31"
}

// buildCode makes a corpus of notes and of as many files of code, which the notes are about.
func buildCode(args []string) error {
	return importInto(args, func(w io.Writer, size int) {
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata 5\ncode\nfrom refs/heads/main^0\n", epoch.Unix())
		notes := writer{newVocabulary(), size}
		for i := range size {
			text := string(notes.memory(i))
			if at := boundTo(i); at != "" {
				text = strings.Replace(text, "---\n", "---\nabout: ["+strconv.Quote(at)+"]\n", 1)
			}
			fmt.Fprintf(w, "M 100644 inline %s.md\ndata %d\n%s\n", stem(i), len(text), text)
			text = sourceText(i)
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", source(i), len(text), text)
		}
	}, args[0]+" memory confirm --unchecked", "git tag -f "+base)
}

// code measures what is asked about files of the code.
func (b *bencher) code(size int) error {
	if !b.only.MatchString("hook file") && !b.only.MatchString("about PATH") && !b.only.MatchString("stale") {
		return nil
	}
	dir, err := b.cached(fmt.Sprintf("code-%s-%d", edition, size), "code", b.options.cp, "DIR", strconv.Itoa(size))
	if err != nil {
		return err
	}
	if err := b.restore(dir); err != nil {
		return err
	}
	c := &corpus{bencher: b, dir: dir, size: size}
	return b.all(c, append(c.fileHooks(), c.codeQuestions()...))
}

// codeQuestions are the rows of what a person asks.
func (c *corpus) codeQuestions() []row {
	return []row{
		{what: "about PATH", floor: "version", watch: true, goals: []goal{ratio(1.8, 10_000)}, rounds: c.many(), product: each(c.cp("about", source(1))), lower: each(c.version())},
		{what: "stale, nothing changed", floor: "git diff-index --raw HEAD", watch: true, goals: []goal{ratio(2, 10_000)}, product: each(c.cp("stale")), lower: each(in(c.dir, "git", "diff-index", "--raw", "HEAD"))},
		c.staleAfter(500),
	}
}

// staleAfter is the row of a commit that changed so many bound files. Each run stands at its other side.
func (c *corpus) staleAfter(files int) row {
	const step = "bench-changed"
	sides := []string{base, step}
	diff := fmt.Sprintf("git diff --raw -M %s %s; git diff --name-only %[1]s %[2]s | sed 's/^/%[1]s:/; p; s/^%[1]s/%[2]s/' | git cat-file --batch", base, step)
	return row{what: fmt.Sprintf("stale, %d files changed", files), floor: "git diff --raw -M, git cat-file --batch", watch: true, goals: []goal{ratio(2, 10_000)},
		first: func() error {
			for i, n := 1, 0; n < min(files, c.size/5); i++ {
				if !strings.Contains(boundTo(i), "#") {
					continue
				}
				n++
				text := strings.Replace(sourceText(i), "_25 =", "_25_changed =", 1)
				if err := os.WriteFile(filepath.Join(c.dir, source(i)), []byte(text), 0o666); err != nil {
					return err
				}
			}
			return commands(c.dir, "git commit -qam changed", "git tag -f "+step)
		},
		product: func(round int) (cost, error) {
			if err := commands(c.dir, "git checkout -q "+sides[round%2]); err != nil {
				return cost{}, err
			}
			return c.cp("stale").run()
		},
		lower: each(in(c.dir, "sh", "-c", diff)),
	}
}

// fileHooks are the rows of the hook that an agent runs after each file that it reads or changes.
// Each round is another session, which knows nothing yet.
func (c *corpus) fileHooks() []row {
	bound, changed := 1, 11 // files with lines that a note is about
	change := func() error {
		text := strings.Replace(sourceText(changed), "_25 =", "_25_changed =", 1)
		return os.WriteFile(filepath.Join(c.dir, source(changed)), []byte(text), 0o666)
	}
	ask := func(i int) func(int) (cost, error) {
		return func(int) (cost, error) {
			at := filepath.Join(c.dir, source(i))
			return c.hook("file", fmt.Sprintf(`{"session_id":"%d","tool_name":"Read","tool_input":{"file_path":%q}}`, time.Now().UnixNano(), at)).run()
		}
	}
	live := func(what string, limit time.Duration, i int) row {
		return row{what: "hook file, " + what, floor: "version", watch: true, goals: []goal{above(limit)}, rounds: c.many(), product: ask(i), lower: each(c.version())}
	}
	rows := []row{
		live("nothing bound", 8*time.Millisecond, 5), live("bound and unchanged", 12*time.Millisecond, bound), live("bound and changed", 20*time.Millisecond, changed),
		{what: "hook file, no watcher", floor: "sync --dry-run", goals: []goal{ratio(1.2, 10_000, 100_000)}, product: ask(bound), lower: each(c.cp("sync", "--dry-run"))},
	}
	rows[2].first = change
	for i := range rows {
		rows[i].needs, rows[i].each = "hook", c.settings
	}
	return rows
}
