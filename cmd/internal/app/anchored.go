package app

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
)

// The bounds of what recall shows of a commit.
const (
	anchoredFiles = 20
	anchoredBytes = 100 << 10 // of each file
	anchoredRead  = 16 << 20  // a larger file is not read at all
)

// AddFiles adds to entries the files that their commits changed, as they were there. For a commit
// that is gone its successor stands; one that is lost, or not in a shallow clone, is noted.
func (s *Session) AddFiles(ctx context.Context, rows []recall.Row) error {
	seen := map[string]*recall.Changed{}
	for i, r := range rows {
		if r.Commit == "" {
			continue
		}
		if seen[r.Commit] == nil {
			c, err := s.readAnchoredChanges(ctx, r.Commit)
			if err != nil {
				return err
			}
			seen[r.Commit] = &c
		}
		rows[i].Files = seen[r.Commit]
	}
	return nil
}

// readAnchoredChanges returns what a commit changed, or where it is gone, what its successor did.
func (s *Session) readAnchoredChanges(ctx context.Context, commit string) (recall.Changed, error) {
	c, err := s.readCommitChanges(ctx, commit)
	if err != nil || c.Note == "" || !vault.IsCommit(commit) {
		return c, err
	}
	top, err := s.CodeTop()
	if err != nil {
		return c, nil // nothing tells what has become of it
	}
	all, err := s.anchors(ctx)
	if err != nil {
		return c, err
	}
	all = slices.DeleteFunc(all, func(a header.Anchor) bool { return a.Commit != commit })
	known, err := s.successors(ctx, top, all)
	now := known.Next[commit].Commit
	if err != nil || now == "" || now == commit {
		return c, err
	}
	c, err = s.readCommitChanges(ctx, now)
	c.Successor = now
	return c, err
}

// readCommitChanges returns what a commit changed, in the repository of the code, in that in which the
// program was called, else in the vault's.
func (s *Session) readCommitChanges(ctx context.Context, commit string) (c recall.Changed, err error) {
	c.Files = []recall.File{}
	c.Note = "commit " + vault.Clip(vault.Short(commit), 40) + " is not in this repository: it was rebased away, or the clone is shallow"
	if !vault.IsCommit(commit) {
		return c, nil
	}
	code, _ := s.CodeTop() // none where there is none
	var asked []string
	for _, dir := range []string{cmp.Or(code, s.app.Dir), s.app.Dir, s.Root} {
		top, err := s.app.GitTop(dir)
		if err != nil || slices.Contains(asked, top) {
			continue
		}
		asked = append(asked, top)
		raw, err := s.app.Git(ctx, top, "diff-tree", "--root", "--no-commit-id", "-r", "-z", "--no-renames", "--diff-filter=d", "--diff-merges=first-parent", commit, "--")
		if err != nil {
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			continue
		}
		c.Note = ""
		return c, s.filesAt(ctx, top, raw, &c)
	}
	return c, nil
}

// filesAt reads the files of what diff-tree says with -z: ":<modes> <ids> <status>" and a path
// for each, every one with a NUL behind it.
func (s *Session) filesAt(ctx context.Context, top, raw string, c *recall.Changed) error {
	parts := strings.Split(strings.TrimSuffix(raw, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		if len(c.Files) == anchoredFiles {
			c.More = (len(parts) - i) / 2
			return nil
		}
		words := strings.Fields(parts[i])
		if len(words) < 5 {
			continue
		}
		f, err := s.fileAt(ctx, top, words[1], words[3])
		if err != nil {
			return err
		}
		f.Path = parts[i+1]
		c.Files = append(c.Files, f)
	}
	return nil
}

// fileAt reads a file by its mode and its id.
func (s *Session) fileAt(ctx context.Context, top, mode, id string) (f recall.File, err error) {
	if !strings.HasPrefix(mode, "10") {
		f.Note = "no file: a link or a repository of its own"
		return f, nil
	}
	said, err := s.app.Git(ctx, top, "cat-file", "-s", id)
	size, numeric := strconv.Atoi(strings.TrimSpace(said))
	switch {
	case err != nil || numeric != nil:
		f.Note = "its text is not in this clone"
		return f, ctx.Err()
	case size > anchoredRead:
		f.Truncated, f.Note = true, "larger than 16 MiB"
		return f, nil
	}
	said, err = s.app.Git(ctx, top, "cat-file", "blob", id)
	if err != nil {
		f.Note = "its text is not in this clone"
		return f, ctx.Err()
	}
	text := []byte(said)
	if len(text) == size-1 { // git's answers come without their last line feed
		text = append(text, '\n')
	}
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		f.Note = "binary"
		return f, nil
	}
	if f.Truncated = len(text) > anchoredBytes; f.Truncated {
		text = text[:anchoredBytes]
		for len(text) > 0 && !utf8.Valid(text[max(0, len(text)-utf8.UTFMax):]) && len(text) > anchoredBytes-utf8.UTFMax {
			text = text[:len(text)-1]
		}
	}
	f.Text = strings.ToValidUTF8(string(text), "\ufffd")
	return f, nil
}
