package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/foreign"
	"github.com/cp-memory/cp/vault/migrate"
	"github.com/cp-memory/cp/vault/transfer"
)

// csMemory is the program whose memories are notes of git.
const csMemory = "cs-memory"

// csPatterns are the refs that it has used.
var csPatterns = []string{"refs/notes/cs/*", "refs/notes/mem/*"}

// programs lists the programs that --from takes.
func programs() []string {
	names := append(foreign.Names(), csMemory)
	slices.Sort(names)
	return names
}

// foreign brings in the memories of another program.
func (f face) foreign(cmd *cobra.Command, from string, o transfer.Import, args []string) error {
	form, known := foreign.Of(from)
	switch {
	case !known:
		return console.Invalid(cmd, "--from takes %s, but got %q", strings.Join(programs(), ", "), vault.Clip(from, 40))
	case len(args) == 0:
		return console.Invalid(cmd, "%s: give %s", form.About, form.Takes)
	}
	m := migrate.Import{Under: o.Under, DryRun: o.DryRun, Update: o.Update, AllowSecret: o.AllowSecret}
	return f.Unless(o.DryRun, f.Write)(cmd.Context(), func(s *app.Session) error {
		r, err := Room{f.App, s}.Foreign(cmd.Context(), form.Name, args[0], m)
		if err != nil {
			return err
		}
		if err := console.Told(f.Console, r, render.ImportedItems); err != nil {
			return err
		}
		return unread(r, form)
	})
}

// unread is the error to end with after an answer that tells of nothing but what could not be
// imported, or of nothing.
func unread(r transfer.Imported, form foreign.Form) error {
	switch {
	case len(r.Rows) == 0:
		return vault.Errorf(vault.CodeNotFound, "it takes "+form.Takes, "there is nothing of %s in it", form.Name)
	case r.Skipped == len(r.Rows):
		return vault.Errorf(vault.CodeInvalid, "it takes "+form.Takes, "nothing could be imported: %s", r.Rows[0].Reason)
	}
	return nil
}

// Room is an open vault in a run of the program.
type Room struct {
	App *app.App
	*app.Session
}

// Foreign brings in the memories that another program keeps at path.
func (r Room) Foreign(ctx context.Context, name, path string, o migrate.Import) (transfer.Imported, error) {
	form, ok := foreign.Of(name)
	if !ok {
		return transfer.Imported{}, vault.Errorf(vault.CodeInvalid, "the programs are "+strings.Join(programs(), ", "), "'%s' is none of them", vault.Clip(name, 40))
	}
	read := r.file
	if form.Tree {
		read = r.folder
	}
	files, err := read(ctx, form, r.App.Abs(path), &o)
	if err != nil {
		return transfer.Imported{}, err
	}
	o.Bundle = foreign.Read(form.Name, files)
	return o.Do(ctx, r.Vault)
}

// folder reads the Markdown of a folder.
func (r Room) folder(ctx context.Context, form foreign.Form, path string, o *migrate.Import) (files []foreign.File, err error) {
	if form.Name == "claude" && !exists(filepath.Join(path, "MEMORY.md")) && exists(filepath.Join(path, "memory")) {
		path = filepath.Join(path, "memory") // the folder of the project was named
	}
	src, err := r.Sources(ctx, path)
	if err != nil {
		return nil, err
	}
	for _, f := range src.Files {
		files = append(files, foreign.File{Rel: f.Rel, Text: f.Text})
	}
	o.Skipped = src.Skipped
	if n := len(src.Others); n > 0 {
		some := strings.Join(src.Others[:min(n, 3)], ", ")
		if n > 3 {
			some += " …"
		}
		o.Skipped = append(o.Skipped, transfer.Row{Source: some, Action: transfer.Skipped,
			Reason: fmt.Sprintf("%s no Markdown and stay behind", vault.Plural(n, "file is", "files are"))})
	}
	return files, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// maxFile bounds a single file of another program, in bytes.
const maxFile = 64 << 20

// file reads one file. Of a folder it takes the file that the program has there.
func (r Room) file(_ context.Context, form foreign.Form, path string, _ *migrate.Import) ([]foreign.File, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		inside := within(form.Name, path)
		if inside == "" {
			return nil, vault.Errorf(vault.CodeInvalid, "give "+form.Takes, "'%s' is a folder", path)
		}
		path = inside
		info, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return nil, unopened(path, err)
	case !info.Mode().IsRegular(): // opening a pipe would hang
		return nil, vault.Errorf(vault.CodeInvalid, "give "+form.Takes, "'%s' is no regular file", path)
	}
	text, err := limited(path)
	if err != nil {
		return nil, err
	}
	return []foreign.File{{Rel: filepath.Base(path), Text: text}}, nil
}

// unopened is the error for what cannot be opened.
func unopened(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Errorf(vault.CodeNotFound, "check the path", "there is no file or folder '%s'", path)
	}
	return vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
}

// within returns the file that a program has in a folder; empty for none.
func within(name, folder string) string {
	for _, file := range map[string][]string{
		"beads":         {".beads/issues.jsonl", "issues.jsonl", "beads.jsonl"},
		"server-memory": {"memory.jsonl", "memory.json"},
		"agents-md":     {"AGENTS.md", "CLAUDE.md"},
	}[name] {
		if path := filepath.Join(folder, filepath.FromSlash(file)); exists(path) {
			return path
		}
	}
	return ""
}

// limited reads a file of at most maxFile bytes.
func limited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
	case len(text) > maxFile:
		return nil, vault.Errorf(vault.CodeInvalid, "import it in parts", "'%s' is larger than %d MiB", path, maxFile>>20)
	}
	return text, nil
}
