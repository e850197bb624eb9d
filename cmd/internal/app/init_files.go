package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// ignore keeps everything of .cp out of git but what is meant to be in it.
var ignore = "*\n!.gitignore\n!vault.yaml\n" + strings.Join(vault.FactsLines(vault.IgnoreFile), "\n") + "\n"

// initFile is one file that init wants. Its name is relative to the work tree's top.
type initFile struct {
	name string
	text func(old string) string // what it is to hold, given what it holds
}

// initFiles lists what belongs to a vault.
func initFiles(at site, own settings.Settings, agent string) ([]initFile, error) {
	rel, err := filepath.Rel(at.top, at.root)
	if err != nil {
		return nil, err
	}
	rel = filepath.ToSlash(rel)
	files := []initFile{
		{path.Join(rel, ".cp/vault.yaml"), func(old string) string { return markerText(old, own) }},
		{path.Join(rel, ".cp/.gitignore"), func(string) string { return ignore }},
		{path.Join(rel, ".gitattributes"), func(old string) string { return attributes(old, at.root) }},
	}
	if at.ignore != "" {
		files = append(files, initFile{path.Join(rel, ".gitignore"), func(old string) string { return withLine(old, at.ignore) }})
	}
	folder, err := at.ownerFolder()
	if err != nil {
		return nil, err
	}
	if folder != "" && folder != rel {
		files = append(files, initFile{path.Join(folder, ".cp.yaml"), func(old string) string { return setKeys(old, "vault", path.Base(rel)) }})
	}
	near, err := nearKeys(at, rel, agent)
	if len(near) > 0 {
		files = append(files, initFile{".cp.yaml", func(old string) string { return setKeys(old, near...) }})
	}
	return files, err
}

// attributes names the merge driver for memories and facts. A clone without the driver merges as
// git always does. It adds what is missing, of each kind of note of which the vault in root makes
// memories, too.
func attributes(old, root string) string {
	text := withLine(old, vault.MergeLine("*.md"))
	marker, _ := os.ReadFile(filepath.Join(root, ".cp", "vault.yaml"))
	names, _ := settings.ParseIgnore(marker)
	for _, name := range names {
		if kind, ok := strings.CutPrefix(name, "!*"); ok {
			text = withLine(text, vault.MergeLine("*"+kind))
		}
	}
	for _, line := range vault.FactsLines(vault.AttributesFile) {
		text = withLine(text, line)
	}
	return text
}

func markerText(old string, own settings.Settings) string {
	if old == "" {
		old = "# The marker of a memory vault. See: cp help files\n"
	}
	return setKeys(old, "format", strconv.Itoa(own.Format), "project", own.Project, "prefix", own.Prefix)
}

// withLine returns a text that holds the line.
func withLine(old, line string) string { return string(header.AddLine([]byte(old), line)) }

// nearKeys are the keys and values for the .cp.yaml at the top: where the vault
// is, unless that is the top, and who writes. One that names another vault keeps
// doing so.
func nearKeys(at site, rel, agent string) ([]string, error) {
	var keys []string
	other, err := settings.ReadVaultName(at.top)
	if err != nil {
		return nil, err
	}
	if rel != "." && other == "" && !settings.IsVault(at.top) {
		keys = append(keys, "vault", rel)
	}
	if agent != "" {
		keys = append(keys, "agent", agent)
	}
	return keys, nil
}

// setKeys sets top-level keys of a YAML text, line by line: everything else in
// it stays. It takes key, value, key, value ….
func setKeys(text string, pairs ...string) string {
	doc := []byte(text)
	for i := 0; i+1 < len(pairs); i += 2 {
		doc = header.SetLine(doc, pairs[i], pairs[i+1])
	}
	return string(doc)
}

// endLastLine returns text with its last line ended.
func endLastLine(text string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += prose.LineEnd([]byte(text), nil)
	}
	return text
}

// commitInit writes and commits the files that are not as they should be, once what a killed
// init left is finished.
func (a *maker) commitInit(ctx context.Context, done Initialized, at site, own settings.Settings) (Initialized, error) {
	s, err := a.Open(ctx, own)
	if err != nil {
		return done, err
	}
	defer a.Close(s)
	finishLeft(ctx, s)
	edits, taken, err := a.initEdits(ctx, at, own)
	if err != nil {
		return done, err
	}
	_, receipt, err := vault.Do(ctx, s.Vault, marking{own.Project, edits}, vault.Options{})
	if err != nil {
		return done, err
	}
	if done.Began == "" || done.Began == "new" { // else it is known what there is
		if done.Found, err = a.findMarkdown(ctx, s, at); err != nil {
			return done, err
		}
	}
	done.Agent, done.Warnings = s.Agent, slices.Concat(done.Warnings, a.initWarnings(ctx, at), receipt.Notes)
	if err := a.InstallDriver(ctx, at.top); err != nil {
		done.Warnings = append(done.Warnings, "the merge driver is not installed in this clone: "+err.Error()+"; later: cp doctor --fix")
	}
	if receipt.Commit != receipt.Before {
		done.Commit = receipt.Commit
		for _, name := range taken {
			done.Warnings = append(done.Warnings, "committed for the first time, with all of its text: "+name)
		}
		for _, e := range edits {
			done.Files = append(done.Files, string(e.Path))
		}
	}
	return done, nil
}

// marking is the verb that makes a repository's folder a vault.
type marking struct {
	project string
	edits   []vault.Edit // of files that are no memories
}

// Name is the verb's.
func (m marking) Name() string { return "init" }

// Plan plans the edits.
func (m marking) Plan(_ context.Context, tx *vault.Tx) (struct{}, error) {
	tx.Take(&vault.Change{Title: m.project, Edits: m.edits})
	return struct{}{}, nil
}

// refusePipe refuses what stands at the place of a file of init's and is none: a pipe would be
// waited for.
func refusePipe(name string) error {
	info, err := os.Stat(name)
	const hint = "look at it and move it away, then run `cp init` again"
	switch {
	case sysfile.IsNotDir(err):
		return vault.Errorf(vault.CodeInvalid, hint, "%s is not a folder", filepath.Dir(name))
	case err == nil && !info.Mode().IsRegular():
		return vault.Errorf(vault.CodeInvalid, hint, "%s is not a plain file", name)
	}
	return nil
}

// initEdits compares the files with what they should be, and replaces those that are to
// say something else. taken are those of a person's that are in no commit yet.
func (a *maker) initEdits(ctx context.Context, at site, own settings.Settings) (edits []vault.Edit, taken []string, err error) {
	files, err := initFiles(at, own, a.flags.Agent)
	if err != nil {
		return nil, nil, err
	}
	texts := make([]string, len(files)) // what is on disk
	for i, file := range files {
		edit, old, held, err := a.initEdit(ctx, at, file)
		if err != nil {
			return nil, nil, err
		}
		if !held {
			taken = append(taken, file.name)
		}
		edits, texts[i] = append(edits, edit), old
	}
	for i, edit := range edits {
		if !edit.Whole {
			continue
		}
		name := at.filePath(files[i])
		if err := disk.ReplaceSync(name, []byte(files[i].text(texts[i])), 0o666); err != nil {
			return nil, nil, vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", name, disk.Cause(err))
		}
	}
	return edits, taken, nil
}

// initEdit is the edit of one file, and its text on disk. A file that HEAD does not hold is
// committed with all of its text, and one that is to be replaced may hold nothing typed.
func (a *maker) initEdit(ctx context.Context, at site, file initFile) (edit vault.Edit, old string, held bool, err error) {
	name := at.filePath(file)
	if err := refusePipe(name); err != nil {
		return edit, "", false, err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Edit{Path: vault.Path(file.name), Outside: true, Create: []byte(file.text(""))}, "", true, nil
	}
	if err != nil {
		return edit, "", false, settings.ErrUnreadable(name, err)
	}
	held, clean := a.inHead(ctx, at.top, file.name, string(text))
	edit = file.newEdit(string(text))
	if edit.Whole && !clean {
		return edit, "", held, vault.ErrUncommitted(edit.Path, "the file", false)
	}
	if !held {
		if err := vault.RefuseSecret(text); err != nil {
			return edit, "", held, vault.Errorf(vault.CodeSecret, "take it out and keep it where secrets are kept", "%s would be committed: %w", file.name, err)
		}
	}
	return edit, string(text), held, nil
}

// filePath is the place of a file on disk.
func (at site) filePath(f initFile) string { return filepath.Join(at.top, filepath.FromSlash(f.name)) }

// inHead reports whether HEAD has a file, whatever git's index and its rules of what to
// ignore say, and whether with that text, line ends aside.
func (a *maker) inHead(ctx context.Context, top, name, text string) (held, same bool) {
	was, err := a.Git(ctx, top, "cat-file", "blob", "HEAD:"+name)
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return err == nil, err == nil && plain(was) == plain(text)
}

// newEdit is the edit of a file that is there. Whole is one that is to be replaced first.
func (f initFile) newEdit(old string) vault.Edit {
	text := f.text(old)
	edit := vault.Edit{Path: vault.Path(f.name), Outside: true}
	more, grows := strings.CutPrefix(text, endLastLine(old))
	switch {
	case text == old || grows && more == "":
		edit.Adopt = true
	case grows && !strings.HasPrefix(text, "---"): // that would be front matter to a step
		edit.Steps, edit.Adopt = []vault.Step{{Op: vault.OpAppend, Text: more}}, true
	default:
		edit.Whole = true
	}
	return edit
}

// initWarnings tells what will keep the vault from working as one expects.
func (a *maker) initWarnings(ctx context.Context, at site) []string {
	if a.Ignores(ctx, at.root) {
		return []string{"git ignores " + at.root + ": what you write there by hand does not show in git status"}
	}
	return nil
}
