package intake

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/notes"
)

// NotesPattern names the refs whose notes are imported unless others are named.
const NotesPattern = "refs/notes/cs/*"

// maxNote bounds the notes of one commit, in bytes.
const maxNote = 1 << 20

// ImportNotes brings the notes below the refs that the patterns name into the journal, each
// note once, also where two refs have it. It reads those of the repository in which the program
// was called.
func (r Room) ImportNotes(ctx context.Context, o notes.Import, patterns ...string) (notes.Outcome, error) {
	top, err := r.App.GitTop(r.App.Dir)
	if err != nil {
		return notes.Outcome{}, err
	}
	if len(patterns) == 0 {
		patterns = []string{NotesPattern}
	}
	for _, pattern := range patterns {
		if !strings.HasPrefix(pattern, "refs/notes/") {
			return notes.Outcome{}, vault.Errorf(vault.CodeInvalid, "as in "+NotesPattern, "a pattern of notes begins with refs/notes/, and is not '%s'", vault.Clip(pattern, 80))
		}
	}
	refs, err := r.App.Git(ctx, top, append([]string{"for-each-ref", "--format=%(refname)"}, patterns...)...)
	if err != nil {
		return notes.Outcome{}, err
	}
	for ref := range strings.FieldsSeq(refs) {
		texts, err := r.notesOf(ctx, top, ref)
		if err != nil {
			return notes.Outcome{}, err
		}
		for _, t := range texts {
			o.Notes = append(o.Notes, notes.Parse(t)...)
		}
	}
	o.Notes = notes.Once(o.Notes)
	return o.Do(ctx, r.Vault)
}

// notesOf returns the notes of one ref, by the commits they belong to. They are read as one
// archive: a note is a file whose path, without slashes, is the commit's id.
func (r Room) notesOf(ctx context.Context, top, ref string) (all []notes.Text, err error) {
	packed, err := r.App.Git(ctx, top, "archive", "--format=tar", ref)
	if err != nil {
		return nil, err
	}
	dates := make(map[string]time.Time)
	in := tar.NewReader(strings.NewReader(packed))
	for {
		file, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all, r.date(ctx, top, all, dates)
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
		all = append(all, notes.Text{Ref: ref, Commit: commit, Text: string(text)})
	}
}

// date gives the texts the dates of their commits. One whose commit is gone has none.
func (r Room) date(ctx context.Context, top string, all []notes.Text, known map[string]time.Time) error {
	args := []string{"log", "--no-walk=unsorted", "--ignore-missing", "--format=%H %ct"}
	for _, t := range all {
		args = append(args, t.Commit)
	}
	if len(all) == 0 {
		return nil
	}
	said, err := r.App.Git(ctx, top, append(args, "--")...)
	if err != nil {
		return nil //nolint:nilerr // a commit that is gone takes nothing but its date along
	}
	for line := range strings.Lines(said) {
		id, at, _ := strings.Cut(strings.TrimSpace(line), " ")
		if seconds, err := strconv.ParseInt(at, 10, 64); err == nil {
			known[id] = time.Unix(seconds, 0).UTC()
		}
	}
	for i := range all {
		all[i].Date = known[all[i].Commit]
	}
	return ctx.Err()
}
