package gitstore

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

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/vault/disk"
)

// plumber is the engine that asks the git command for everything.
type plumber struct {
	*object.Command
	repo *Repo
}

func (r *Repo) openPlumber() engine {
	p := plumber{object.OpenCommand(r.Git), r}
	return engine{p, p, p}
}

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

// maxPathspecs is how many paths fit on a command line for sure; beyond it the
// whole index is listed.
const maxPathspecs = 500

// openStage lists the entries; each is "<tag> <mode> <id> <stage>\t<name>".
func (p plumber) openStage(ctx context.Context, paths []string) (*stage, error) {
	if out, err := p.repo.Run(ctx, nil, "ls-files", "--unmerged", "-z"); err != nil || len(out) > 0 {
		return nil, errors.Join(err, unmergedError(out))
	}
	if len(paths) > maxPathspecs {
		paths = nil
	}
	out, err := p.repo.Run(ctx, nil, append([]string{"ls-files", "--stage", "-t", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	l := listing{}
	empty := false
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		info, name, ok := strings.Cut(line, "\t")
		fields := strings.Fields(info)
		if !ok || len(fields) != 4 {
			continue
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		if err != nil {
			return nil, err
		}
		l[name] = staged{Entry: object.Entry{Mode: uint32(mode), ID: fields[2]}, skip: fields[0] == "S"}
		empty = empty || fields[2] == p.repo.BlobID(nil)
	}
	if empty { // what is only announced looks like an empty file
		err = p.markIntents(ctx, l, paths)
	}
	return newStage(l), err
}

func unmergedError(out []byte) error {
	if len(out) == 0 {
		return nil
	}
	return busy("unmerged index")
}

func (p plumber) markIntents(ctx context.Context, l listing, paths []string) error {
	args := append([]string{"diff-files", "--name-only", "--diff-filter=A", "--no-ext-diff", "-z", "--"}, paths...)
	out, err := p.repo.Run(ctx, nil, args...)
	for name := range strings.SplitSeq(string(out), "\x00") {
		if s, ok := l[name]; ok {
			s.intent = true
			l[name] = s
		}
	}
	return err
}

// saveStage lets git change a private copy of the index. The copy is a second
// name of the same file: git replaces it, and until then sees the old time, by
// which it knows which entries may have changed since.
func (p plumber) saveStage(ctx context.Context, s *stage, path string) error {
	err := disk.Link(filepath.Join(p.repo.GitDir(), "index"), path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var lines bytes.Buffer
	var present, skipped []string
	for _, name := range slices.Sorted(maps.Keys(s.changes)) {
		c := s.changes[name]
		if c.gone || c.intent { // git cannot be told to announce a file that is not there yet
			fmt.Fprintf(&lines, "0 %s\t%s\x00", p.repo.format.ids.Zero(), name)
			continue
		}
		fmt.Fprintf(&lines, "%o %s\t%s\x00", c.Mode, c.ID, name)
		present = append(present, name)
		if c.skip {
			skipped = append(skipped, name)
		}
	}
	env := []string{"GIT_INDEX_FILE=" + path}
	if _, err := p.repo.RunWith(ctx, env, lines.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	if len(skipped) > 0 {
		in := []byte(strings.Join(skipped, "\x00") + "\x00")
		if _, err := p.repo.RunWith(ctx, env, in, "update-index", "-z", "--skip-worktree", "--stdin"); err != nil {
			return err
		}
	}
	return p.restat(ctx, env, present)
}

// restat takes the stat data of the files that hold what the index says.
func (p plumber) restat(ctx context.Context, env []string, names []string) error {
	var there []string
	for _, name := range names {
		if _, ok := p.repo.lstat(name); ok {
			there = append(there, name)
		}
	}
	if len(there) == 0 {
		return nil
	}
	in := []byte(strings.Join(there, "\x00") + "\x00")
	args := []string{"add", "--refresh", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"}
	_, err := p.repo.RunWith(ctx, env, in, args...)
	return err
}
