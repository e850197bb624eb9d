package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// similar is how much of a file has to stay for a removal and an addition to
// count as a move. Memories are short, so an edited line weighs much.
const similar = "--find-renames=40%"

// Resolve returns the id of the commit that rev names.
func (r *Repo) Resolve(ctx context.Context, rev string) (string, error) {
	out, err := r.Run(ctx, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return "", vault.Errorf(vault.CodeNotFound, "`cp memory log` lists the commits; a time such as 7d, 24h or 2026-01-01 does too",
			"there is no commit %q", rev)
	}
	return strings.TrimSpace(string(out)), nil
}

// Parent returns the first parent of a commit; empty for one that begins the
// history. A shallow clone has cut it there, and git then takes a commit for one
// that adds every file: that is an error.
func (r *Repo) Parent(ctx context.Context, commit string) (string, error) {
	out, err := r.Run(ctx, nil, "rev-list", "--parents", "--max-count=1", "--end-of-options", commit)
	if err != nil {
		return "", err
	}
	ids := strings.Fields(string(out))
	if len(ids) > 1 {
		return ids[1], nil
	}
	cut, err := os.ReadFile(filepath.Join(r.CommonDir(), "shallow"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", plumb.IOError(err)
	}
	if len(ids) == 1 && strings.Contains(string(cut), ids[0]) {
		return "", vault.Errorf(vault.CodeNotFound, "get the rest of the history: git fetch --unshallow", "this clone is shallow, and what was before %.10s is not in it", commit)
	}
	return "", nil
}

// Before returns the last commit of HEAD's history that is not younger than t.
func (r *Repo) Before(ctx context.Context, t time.Time) (string, error) {
	head, err := r.Tip(ctx)
	if err != nil || head == "" {
		return "", err
	}
	out, err := r.Run(ctx, nil, "rev-list", "--max-count=1", "--before="+strconv.FormatInt(t.Unix(), 10), head)
	return strings.TrimSpace(string(out)), err
}

// Log calls fn for the commits below HEAD, or below from, that touched paths
// under prefix; with file set, those that touched the file of that name. A
// rename is not followed: git's own --follow takes a new file for a copy of any
// similar one, and memories are similar.
func (r *Repo) Log(ctx context.Context, q past.LogQuery, prefix, file string, fn func(vault.Revision) bool) error {
	from := q.From
	if from == "" {
		head, err := r.Tip(ctx)
		if err != nil || head == "" {
			return err
		}
		from = head
	}
	var args []string
	if q.Limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(q.Limit))
	}
	if !q.Since.IsZero() {
		args = append(args, "--since="+strconv.FormatInt(q.Since.Unix(), 10))
	}
	switch {
	case file != "":
		args = append(args, from, "--", file)
	case prefix != "":
		args = append(args, from, "--", prefix)
	default:
		args = append(args, from)
	}
	return r.log(ctx, args, fn)
}

// Moved returns what the file of a commit was called in another one; empty
// where git takes it for no other's.
func (r *Repo) Moved(ctx context.Context, from, to, prefix, file string) (was string, err error) {
	err = r.touched(ctx, from, to, prefix, []string{"--diff-filter=R"}, func(_ byte, old, now, _ string) {
		if now == file {
			was = old
		}
	})
	return was, err
}

// Touched calls fn for each file below prefix that differs between two commits:
// status is git's letter, was the old path of one that moved, blob what it held,
// empty when it was no file.
func (r *Repo) Touched(ctx context.Context, from, to, prefix string, fn func(status byte, was, now, blob string)) error {
	return r.touched(ctx, from, to, prefix, nil, fn)
}

func (r *Repo) touched(ctx context.Context, from, to, prefix string, options []string, fn func(status byte, was, now, blob string)) error {
	args := append([]string{"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", similar}, options...)
	if from == "" {
		from = r.IDs.EmptyTree()
	}
	args = append(args, from, to, "--")
	if prefix != "" {
		args = append(args, prefix)
	}
	out, err := r.Run(ctx, nil, args...)
	if err != nil {
		return err
	}
	eachTouched(string(out), fn)
	return nil
}

// eachTouched reads fields that end in NUL: ":<mode> <mode> <blob> <blob> <status>",
// the name, and for a move the new name.
func eachTouched(out string, fn func(status byte, was, now, blob string)) {
	f := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for i := 0; i+1 < len(f); i += 2 {
		raw := strings.Fields(f[i])
		if len(raw) != 5 {
			return
		}
		status, was, now := raw[4][0], "", f[i+1]
		if status == 'R' && i+2 < len(f) {
			was, now = f[i+1], f[i+2]
			i++
		}
		blob := raw[2]
		if !strings.HasPrefix(raw[0], ":100") {
			blob = ""
		}
		fn(status, was, now, blob)
	}
}

// Seek lists the files below prefix that hold a line "id: <id>" in a commit.
func (r *Repo) Seek(ctx context.Context, commit, id, prefix string) ([]string, error) {
	args := []string{"grep", "-l", "-z", "-E", "--no-textconv", "-e", idLine(id), commit, "--"}
	if prefix != "" {
		args = append(args, prefix)
	}
	out, err := r.Run(ctx, nil, args...)
	if plumb.ExitCode(err) == 1 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		names = append(names, strings.TrimPrefix(name, commit+":"))
	}
	return names, nil
}

// idLine matches the line of a header that carries the id. An id holds nothing
// that a regular expression would take for more than itself.
func idLine(id string) string { return `^id:[ \t]*["']?` + id + `["']?[ \t\r]*(#.*)?$` }

// Diff returns the difference between a file of a commit and one on disk.
func (r *Repo) Diff(ctx context.Context, commit, was, now string) (string, error) {
	out, err := r.Run(ctx, nil, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", commit+":"+was, now)
	return string(out), err
}
