package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// base is the tag of a corpus as it was made, to which every row that writes
// is taken back.
const base = "bench-base"

// buildCorpus makes the corpus of args[2] notes in the new folder args[1] with
// the program args[0]: a repository with a vault, everything in two commits.
func buildCorpus(args []string) error {
	return importInto(args, stream)
}

// importInto makes a vault of what write gives git fast-import for so many notes;
// the arguments are buildCorpus's, the commands follow.
func importInto(args []string, write func(w io.Writer, size int), lines ...string) error {
	if len(args) != 3 {
		return fmt.Errorf("a corpus wants the program, the folder and the number of notes")
	}
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	cp, dir := args[0], args[1]
	if err := emptyVault(cp, dir); err != nil {
		return err
	}
	if err := fastImport(dir, func(w io.Writer) { write(w, size) }); err != nil {
		return err
	}
	return commands(dir, append([]string{"git reset -q --hard", "git tag " + base}, lines...)...)
}

// emptyVault makes a repository with an initialised vault.
func emptyVault(cp, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return commands(dir, "git init -q -b main", "git config user.name Bench", "git config user.email bench@example.org",
		"git config gc.auto 0", cp+" init --prefix bn "+dir)
}

// commands runs simple commands, parted at spaces, in dir.
func commands(dir string, lines ...string) error {
	for _, line := range lines {
		c := exec.Command(strings.Fields(line)[0], strings.Fields(line)[1:]...)
		c.Dir, c.Env = dir, environment()
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", line, err, out)
		}
	}
	return nil
}

// fastImport commits what is written to it without a file on disk, straight into a pack.
func fastImport(dir string, write func(io.Writer)) error {
	c := exec.Command("git", "fast-import", "--quiet")
	c.Dir, c.Env, c.Stderr = dir, environment(), os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	write(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	return c.Wait()
}

// stream commits all the notes.
func stream(w io.Writer, size int) {
	message := fmt.Sprintf("%d notes\n", size)
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata %d\n%sfrom refs/heads/main^0\n",
		epoch.Unix(), len(message), message)
	notes := writer{newVocabulary(), size}
	for i := range size {
		text := notes.memory(i)
		fmt.Fprintf(w, "M 100644 inline %s.md\ndata %d\n%s\n", stem(i), len(text), text)
	}
}

// writeSources writes args[1] plain notes, without front matter and blocks, as
// files below the new folder args[0]: what there is to import.
func writeSources(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("sources wants the folder and the number of notes")
	}
	size, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	notes := writer{newVocabulary(), size}
	for i := range size {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n", notes.title(i))
		notes.text(&b, i)
		file := filepath.Join(args[0], filepath.FromSlash(stem(i))+".md")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// cached returns the folder name below the bench's, made by the part of this
// program that is named first in args unless it is there from an earlier run.
// DIR in args stands for the folder.
func (b *bencher) cached(name string, args ...string) (string, error) {
	dir := filepath.Join(b.dir, name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	b.tell("making %s", name)
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	for i, a := range args {
		args[i] = strings.ReplaceAll(a, "DIR", part)
	}
	c := exec.Command(b.self, args...)
	c.Env = environment()
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return dir, os.Rename(part, dir)
}

// corpus returns the corpus of that size, as it was made and at rest: git's
// index and the product's know every file.
func (b *bencher) corpus(size int) (string, error) {
	dir, err := b.cached(fmt.Sprintf("corpus-%s-%d", edition, size), "corpus", b.cp, "DIR", strconv.Itoa(size))
	if err != nil {
		return "", err
	}
	return dir, b.restore(dir)
}

// edition is part of a corpus's name: one made by another bench is not taken.
const edition = "1"

// restore takes a corpus back to how it was made.
func (b *bencher) restore(dir string) error {
	if err := commands(dir, "git reset -q --hard "+base, "git clean -qfd", "git reflog expire --expire=now --all", "git prune --expire=now", "rm -rf .git/late", "sync"); err != nil {
		return err
	}
	return b.settle(dir)
}

// settle lets git and the product look at every file, so that neither has
// anything left to find out.
func (b *bencher) settle(dir string) error {
	return commands(dir, "git update-index -q --really-refresh", "git status --porcelain", b.cp+" memory list --limit 1")
}

// texts returns how many bytes the Markdown files below dir have, without those
// that are kept in the git directory.
func texts(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
