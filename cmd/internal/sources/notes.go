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
	"github.com/cp-memory/cp/vault/header"
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
	made := readMade(ctx, git, commits)
	for i, commit := range commits {
		files[i].At, files[i].CommitKey = made[commit].at, made[commit].key
	}
	return files, ctx.Err()
}

// made is when a commit was made, and what finds it again after a rebase.
type made struct {
	at  time.Time
	key string // a [header.CommitKey]
}

// readMade reads that of commits. Of one that is gone nothing is known.
func readMade(ctx context.Context, git Git, commits []string) map[string]made {
	all := make(map[string]made)
	if len(commits) == 0 {
		return all
	}
	said, err := git(ctx, append(append([]string{"log", "--no-walk=unsorted", "--ignore-missing", "--no-show-signature", "--format=%H%x00%ct%x00%at%x00%ae%x00%s"}, commits...), "--")...)
	if err != nil {
		return all // a commit that is gone takes nothing but its date along
	}
	for line := range strings.Lines(said) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 5)
		if len(f) < 5 {
			continue
		}
		seconds, err := strconv.ParseInt(f[1], 10, 64)
		authored, unread := strconv.ParseInt(f[2], 10, 64)
		if err == nil && unread == nil {
			all[f[0]] = made{time.Unix(seconds, 0).UTC(), header.NewCommitKey(authored, f[3], f[4]).String()}
		}
	}
	return all
}
