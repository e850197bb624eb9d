package gitindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// listing is the part of an index that git ls-files told.
type listing map[string]staged

func (l listing) Find(name string) (staged, bool) {
	s, ok := l[name]
	return s, ok
}

func (l listing) below(dir string, fn func(name string, s staged)) {
	for _, name := range slices.Sorted(maps.Keys(l)) {
		if strings.HasPrefix(name, dir+"/") {
			fn(name, l[name])
		}
	}
}

// MaxPathspecs is the number of paths that surely fit on a command line. For more, the
// whole index is listed.
const MaxPathspecs = 500

// Command is the index read and written by the git command.
type Command struct {
	Git plumb.Git
	IDs object.IDs
}

// OpenStage lists the entries; each is "<tag> <mode> <id> <stage>\t<name>".
func (g Command) OpenStage(ctx context.Context, paths []string) (*Stage, error) {
	if out, err := g.Git.Run(ctx, nil, "ls-files", "--unmerged", "-z"); err != nil {
		return nil, err
	} else if len(out) > 0 {
		return nil, vault.Standstill("unmerged index")
	}
	if len(paths) > MaxPathspecs {
		paths = nil
	}
	lines, err := g.Git.List(ctx, nil, append([]string{"ls-files", "--stage", "-t", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	l := listing{}
	empty, none := false, g.IDs.HashObject(object.KindBlob, nil)
	for _, line := range lines {
		fields, name := plumb.Record(line)
		if len(fields) != 4 {
			continue
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		if err != nil {
			return nil, err
		}
		l[name] = staged{Entry: object.Entry{Mode: uint32(mode), ID: fields[2]}, skip: fields[0] == "S"}
		empty = empty || fields[2] == none
	}
	if empty { // what is only announced looks like an empty file
		err = g.markIntents(ctx, l, paths)
	}
	return NewStage(l), err
}

func (g Command) markIntents(ctx context.Context, l listing, paths []string) error {
	args := append([]string{"diff-files", "--name-only", "--diff-filter=A", "--no-ext-diff", "-z", "--"}, paths...)
	names, err := g.Git.List(ctx, nil, args...)
	for _, name := range names {
		if s, ok := l[name]; ok {
			s.intent = true
			l[name] = s
		}
	}
	return err
}

// SaveStage lets git change a private copy of the index. The copy is a second
// name of the same file: git replaces it, and until then sees the old time, by
// which it knows which entries may have changed since.
func (g Command) SaveStage(ctx context.Context, s *Stage, path string) error {
	err := disk.Link(filepath.Join(g.Git.GitDir(), "index"), path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines bytes.Buffer
	var present, skipped []string
	for _, name := range slices.Sorted(maps.Keys(s.changes)) {
		c := s.changes[name]
		if c.gone || c.intent { // git cannot be told to announce a file that is not there yet
			fmt.Fprintf(&lines, "0 %s\t%s\x00", g.IDs.Zero(), name)
			continue
		}
		fmt.Fprintf(&lines, "%o %s\t%s\x00", c.Mode, c.ID, name)
		present = append(present, name)
		if c.skip {
			skipped = append(skipped, name)
		}
	}
	env := []string{"GIT_INDEX_FILE=" + path}
	if _, err := g.Git.RunWith(ctx, env, lines.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	if len(skipped) > 0 {
		in := []byte(strings.Join(skipped, "\x00") + "\x00")
		if _, err := g.Git.RunWith(ctx, env, in, "update-index", "-z", "--skip-worktree", "--stdin"); err != nil {
			return err
		}
	}
	g.restat(ctx, env, present)
	return nil
}

// restat takes the stat data of the files that hold what the index says. Without them git
// compares the files the next time it looks, so it may fail: at the first file whose filter
// does, say, of which nothing but the name has changed.
func (g Command) restat(ctx context.Context, env []string, names []string) {
	var there []string
	files := Files{g.Git.Top(), g.IDs}
	for _, name := range names {
		if _, ok := files.lstat(name); ok {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		return
	}
	in := []byte(strings.Join(there, "\x00") + "\x00")
	args := []string{"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"}
	_, _ = g.Git.RunWith(ctx, env, in, args...)
}
