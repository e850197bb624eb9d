package sources

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

// Git runs git in the repository whose notes are read, and returns what it prints.
type Git func(ctx context.Context, args ...string) (string, error)

// maxNote bounds the notes of one commit, in bytes.
const maxNote = 1 << 20

// Notes reads the notes below the refs that the patterns name, those of one ref and commit as
// one file.
func Notes(ctx context.Context, git Git, patterns []string) (files []transfer.File, err error) {
	for _, pattern := range patterns {
		if !strings.HasPrefix(pattern, "refs/notes/") {
			return nil, vault.Errorf(vault.CodeInvalid, "as in refs/notes/cs/*", "a pattern of notes begins with refs/notes/, and is not '%s'", vault.Clip(pattern, 80))
		}
	}
	refs, err := git(ctx, append([]string{"for-each-ref", "--format=%(refname)"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	for ref := range strings.FieldsSeq(refs) {
		all, err := notesOf(ctx, git, ref)
		if err != nil {
			return nil, err
		}
		files = append(files, all...)
	}
	return files, nil
}

// notesOf reads the notes of one ref as one archive: a note is a file whose path, without
// slashes, is the commit's id.
func notesOf(ctx context.Context, git Git, ref string) (files []transfer.File, err error) {
	packed, err := git(ctx, "archive", "--format=tar", ref)
	if err != nil {
		return nil, err
	}
	var commits []string
	in := tar.NewReader(strings.NewReader(packed))
	for {
		file, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, vault.Errorf(vault.CodeDamaged, "`git fsck` tells more", "the notes of %s cannot be read: %w", ref, err)
		}
		commit := strings.ReplaceAll(file.Name, "/", "")
		if file.Typeflag != tar.TypeReg || !vault.IsCommit(commit) || file.Size > maxNote {
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		commits, files = append(commits, commit), append(files, transfer.File{Rel: ref + ":" + commit, Text: text})
	}
	dates := datesOf(ctx, git, commits)
	for i, commit := range commits {
		files[i].At = dates[commit]
	}
	return files, ctx.Err()
}

// datesOf returns the dates of commits. One that is gone has none.
func datesOf(ctx context.Context, git Git, commits []string) map[string]time.Time {
	dates := make(map[string]time.Time)
	if len(commits) == 0 {
		return dates
	}
	said, err := git(ctx, append(append([]string{"log", "--no-walk=unsorted", "--ignore-missing", "--format=%H %ct"}, commits...), "--")...)
	if err != nil {
		return dates // a commit that is gone takes nothing but its date along
	}
	for line := range strings.Lines(said) {
		id, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		if seconds, err := strconv.ParseInt(at, 10, 64); err == nil {
			dates[id] = time.Unix(seconds, 0).UTC()
		}
	}
	return dates
}
