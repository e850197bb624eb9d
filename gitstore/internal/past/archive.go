package past

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// similar is the share of a file that has to stay for a removal and an addition to count
// as a move. Memories are short, so an edited line weighs much.
const similar = "--find-renames=40%"

// Resolve returns the id of the commit that rev names.
func (p Past) Resolve(ctx context.Context, rev string) (string, error) {
	id, err := p.git.CommitOf(ctx, rev)
	if err != nil || id == "" {
		return "", vault.Errorf(vault.CodeNotFound, "`cp memory log` lists the commits; a time such as 7d, 24h or 2026-01-01 does too",
			"there is no commit %q", rev)
	}
	return id, nil
}

// Parent returns the first parent of a commit, or "" for one that begins the history. In a
// shallow clone git takes a commit at the cut for one that adds every file; that is an
// error.
func (p Past) Parent(ctx context.Context, commit string) (string, error) {
	out, err := p.git.Run(ctx, nil, "rev-list", "--parents", "--max-count=1", "--end-of-options", commit)
	if err != nil {
		return "", err
	}
	ids := strings.Fields(string(out))
	if len(ids) > 1 {
		return ids[1], nil
	}
	cut, err := p.readShallow()
	if err != nil {
		return "", err
	}
	if len(ids) == 1 && strings.Contains(cut, ids[0]) {
		return "", vault.Errorf(vault.CodeNotFound, "get the rest of the history: git fetch --unshallow", "this clone is shallow, and what was before %.10s is not in it", commit)
	}
	return "", nil
}

// readShallow returns the commits at which the history of a shallow clone begins, one a line.
func (p Past) readShallow() (string, error) {
	cut, err := os.ReadFile(filepath.Join(p.git.CommonDir(), "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", plumb.IOError(err)
	}
	return string(cut), nil
}

// Cut tells a shallow clone's history from one that begins elsewhere. It is empty for a
// whole history.
func (p Past) Cut() string {
	cut, _ := p.readShallow()
	return strings.Join(strings.Fields(cut), ",")
}

// Before returns the last commit of HEAD's history that is not younger than t.
func (p Past) Before(ctx context.Context, t time.Time) (string, error) {
	head, err := p.source.Tip(ctx)
	if err != nil || head == "" {
		return "", err
	}
	out, err := p.git.Run(ctx, nil, "rev-list", "--max-count=1", "--before="+strconv.FormatInt(t.Unix(), 10), head)
	return strings.TrimSpace(string(out)), err
}

// Log calls fn for the commits below HEAD, or below from, that touched paths under prefix,
// or with file set the file of that name. It follows no rename: git's own --follow takes a
// new file for a copy of any similar one, and memories are similar.
func (p Past) Log(ctx context.Context, q past.LogQuery, prefix, file string, fn func(vault.Revision) bool) error {
	from, err := q.From, error(nil)
	if from == "" {
		if from, err = p.source.Tip(ctx); err != nil || from == "" {
			return err
		}
	}
	if q.All {
		prefix = ""
	}
	var args []string
	if q.Limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(q.Limit))
	}
	if !q.Since.IsZero() {
		args = append(args, "--since="+strconv.FormatInt(q.Since.Unix(), 10))
	}
	if q.Line {
		args = append(args, "--first-parent")
	}
	return p.Revisions(ctx, limitToFolder(append(args, from, "--"), cmp.Or(file, prefix)), fn)
}

// FindFormerName returns what the file of a commit was called in another one; empty
// where git takes it for no other's.
func (p Past) FindFormerName(ctx context.Context, from, to, prefix, file string) (was string, err error) {
	err = p.eachTreeChange(ctx, from, to, prefix, []string{"--diff-filter=R"}, func(c plumb.Change) {
		if c.Path == file {
			was = c.Was
		}
	})
	return was, err
}

// EachTouched calls fn for each file below prefix that differs between two commits:
// status is git's letter, was the old path of one that moved, blob what it held,
// empty when it was no file.
func (p Past) EachTouched(ctx context.Context, from, to, prefix string, fn func(status byte, was, now, blob string)) error {
	return p.eachTreeChange(ctx, from, to, prefix, nil, func(c plumb.Change) {
		if !(object.Entry{Mode: c.FromMode}).IsFile() {
			c.From = ""
		}
		fn(c.Status, c.Was, c.Path, c.From)
	})
}

func (p Past) eachTreeChange(ctx context.Context, from, to, prefix string, options []string, fn func(plumb.Change)) error {
	args := append([]string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", similar}, options...)
	args = append(args, cmp.Or(from, p.ids.EmptyTree()), to, "--")
	return p.git.EachChange(ctx, limitToFolder(args, prefix), nil, func(c plumb.Change) (bool, error) {
		fn(c)
		return true, nil
	})
}

// limitToFolder restricts a git command whose arguments end in "--" to a folder. Without a prefix
// it does nothing.
func limitToFolder(args []string, prefix string) []string {
	if prefix == "" {
		return args
	}
	return append(args, prefix)
}

// Seek lists the files below prefix that hold a line "id: <id>" in a commit.
func (p Past) Seek(ctx context.Context, commit, id, prefix string) ([]string, error) {
	names, err := p.git.List(ctx, nil, limitToFolder([]string{"grep", "-l", "-z", "-i", "-E", "--no-textconv", "-e", idLine(id), commit, "--"}, prefix)...)
	if plumb.ExitCode(err) == 1 {
		return nil, nil
	}
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, commit+":")
	}
	return names, err
}

// idLine matches the line of a header that carries the id, a person's or ours.
func idLine(id string) string {
	return `^(cp_)?id:[ \t]*["']?` + regexp.QuoteMeta(id) + `["']?[ \t\r]*(#.*)?$`
}

// Diff returns the difference between a file of a commit and one on disk.
func (p Past) Diff(ctx context.Context, commit, was, now string) (string, error) {
	out, err := p.git.Run(ctx, nil, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", commit+":"+was, "./"+now) // a name may begin with a hyphen
	return string(out), err
}
