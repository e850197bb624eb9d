package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/transfer"
)

// Import brings the Markdown at path, a file or a folder, into the vault.
func (s *Session) Import(ctx context.Context, o transfer.Import, path string) (transfer.Imported, error) {
	src, err := readSources(ctx, s.Root, path)
	if err != nil {
		return transfer.Imported{}, err
	}
	o.Files, o.Facts, o.Skipped = src.Files, src.Facts, src.Skipped
	var end func()
	o.Progress, end = s.app.progress("importing", len(o.Files))
	defer end()
	return o.Do(ctx, s.Vault)
}

// Unimported is the error to end with after an answer that tells of nothing but
// what could not be imported.
func Unimported(r transfer.Imported) error {
	if len(r.Rows) == 0 || r.Skipped < len(r.Rows) {
		return nil
	}
	return vault.Errorf(vault.CodeInvalid, "import takes Markdown files (.md, .mdc) or folders of them", "nothing could be imported: %s", r.Rows[0].Reason)
}

// Exported is the outcome of an export to a folder.
type Exported struct {
	Folder string `json:"folder"`
	Files  int    `json:"files"`
	Facts  int    `json:"facts,omitempty"` // facts files beside them
}

// Export writes the file of the memory under and the files below it, or all files, into
// the folder to, byte for byte and at their paths. It overwrites nothing.
func (s *Session) Export(ctx context.Context, under, to string) (Exported, error) {
	dir, err := s.outside(to)
	if err != nil {
		return Exported{}, err
	}
	out := Exported{Folder: dir}
	err = transfer.Export(ctx, s.Vault, under, func(e transfer.Exported) error {
		if out.Files++; e.RawFacts != nil {
			out.Facts++
		}
		return exportFile(dir, e)
	})
	return out, err
}

func exportFile(dir string, e transfer.Exported) error {
	if e.RawFacts != nil {
		facts := e
		facts.Path, facts.Raw, facts.RawFacts = vault.FactsPath(e.ID), e.RawFacts, nil
		if err := exportFile(dir, facts); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, filepath.FromSlash(string(e.Path)))
	err := disk.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = disk.Write(path, e.Raw, 0o666)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return vault.Errorf(vault.CodeInvalid, "choose an empty folder", "%s exists; nothing was overwritten", path)
	case err != nil:
		return vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", path, disk.Cause(err))
	}
	return nil
}

// outside returns the absolute path of a file or folder, which must not lie in the vault.
func (s *Session) outside(name string) (string, error) {
	path := s.app.Abs(name)
	if rel, err := filepath.Rel(s.Root, path); err == nil && filepath.IsLocal(rel) {
		return "", vault.Errorf(vault.CodeInvalid, "choose a place outside of "+s.Root, "'%s' lies in the vault", name)
	}
	return path, nil
}

// Written is the outcome of an export to one file.
type Written struct {
	File     string `json:"file"`
	Memories int    `json:"memories"`
}

// WriteDocument writes a document that tells of so many memories into a new file, all of it
// or nothing.
func (s *Session) WriteDocument(to string, text []byte, memories int) (Written, error) {
	path, err := s.outside(to)
	if err != nil {
		return Written{}, err
	}
	switch err = disk.WriteSync(path, text, 0o666); {
	case errors.Is(err, fs.ErrExist):
		return Written{}, vault.Errorf(vault.CodeInvalid, "choose another name, or remove it first", "%s exists; nothing was overwritten", path)
	case err != nil:
		return Written{}, vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", path, disk.Cause(err))
	}
	return Written{path, memories}, nil
}

// Sources are the files to import, and those that could not be read.
type Sources struct {
	Files   []transfer.SourceFile
	Facts   []transfer.SourceFile // of the memories, where a vault is read
	Skipped []transfer.Row
	Others  []string // files that are no Markdown, which stay behind
}

// Sources reads the Markdown at path, a file or a folder, which must not lie in the vault.
func (s *Session) Sources(ctx context.Context, path string) (Sources, error) {
	return readSources(ctx, s.Root, s.app.Abs(path))
}

// readSources reads the file path, or every Markdown file (.md, .markdown, .mdc) of the
// folder path, in path order. It skips hidden files and folders in it, and the vault in
// root; but path itself may be hidden (.cursor/rules). It follows no symbolic links.
// Skipped lists the files that look like Markdown and cannot be imported.
func readSources(ctx context.Context, root, path string) (Sources, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Sources{}, sourceError(path, err)
	}
	if inside, err := within(root, path); err != nil {
		return Sources{}, err
	} else if inside {
		return Sources{}, vault.Errorf(vault.CodeInvalid, "run: cp memory sync", "'%s' lies in the vault already; sync takes in what is new there", path)
	}
	r := sourceReader{top: path, root: root}
	if !info.IsDir() {
		r.file(filepath.Base(path), path, info.Mode())
		return r.Sources, nil
	}
	top, err := filepath.EvalSymlinks(path) // WalkDir does not enter a link
	if err != nil {
		return Sources{}, sourceError(path, err)
	}
	r.top = top
	if _, err := os.ReadDir(top); err != nil {
		return Sources{}, sourceError(path, err)
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.visit(path, d, err)
	})
	if err != nil {
		return r.Sources, err
	}
	return r.Sources, r.facts()
}

// facts reads the facts files of a vault or of an export of one.
func (r *sourceReader) facts() error {
	dir := filepath.Join(r.top, filepath.FromSlash(fact.Dir))
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".json" {
			return nil // what cannot be read does not come along
		}
		if text, err := readLimited(path); err == nil {
			r.Facts = append(r.Facts, transfer.SourceFile{Rel: r.rel(path), Text: text})
		}
		return nil
	})
}

func sourceError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Errorf(vault.CodeNotFound, "check the path", "there is no file or folder '%s'", path)
	}
	return vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
}

// within reports whether path, links resolved, is root or lies below it.
func within(root, path string) (bool, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return false, sourceError(path, err)
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel), nil
}

// sourceReader collects the files of one folder.
type sourceReader struct {
	Sources
	top  string
	root string // the vault, which is left out
}

// visit is called for everything below top.
func (r *sourceReader) visit(path string, d fs.DirEntry, err error) error {
	rel := r.rel(path)
	folders := strings.Count(rel, "/")
	if d != nil && d.IsDir() {
		folders++
	}
	switch {
	case path == r.top:
		return err
	case strings.HasPrefix(filepath.Base(path), "."):
		return skipFolder(d)
	case err != nil:
		r.skip(rel, disk.Cause(err).Error())
		return skipFolder(d)
	case path == r.root:
		return filepath.SkipDir
	case folders > vault.MaxDepth:
		r.skip(rel, fmt.Sprintf("deeper than %d folders", vault.MaxDepth))
		return skipFolder(d)
	case d.IsDir():
		return nil
	case d.Type()&fs.ModeSymlink != 0:
		r.link(rel, path)
		return nil
	}
	if markdown(path) {
		r.file(rel, path, d.Type())
	} else {
		r.Others = append(r.Others, rel)
	}
	return nil
}

func skipFolder(d fs.DirEntry) error {
	if d.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

func (r *sourceReader) rel(path string) string {
	rel, err := filepath.Rel(r.top, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// markdown reports whether a file is named like one we import.
func markdown(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown", ".mdc":
		return true
	}
	return false
}

// link reports a symbolic link to Markdown or to a folder.
func (r *sourceReader) link(rel, path string) {
	info, err := os.Stat(path)
	if markdown(path) || err == nil && info.IsDir() {
		r.skip(rel, "a symbolic link, not followed")
	}
}

// file reads one file.
func (r *sourceReader) file(rel, path string, mode fs.FileMode) {
	if !mode.IsRegular() { // opening a pipe would hang
		r.skip(rel, "not a regular file")
		return
	}
	text, err := readLimited(path)
	switch {
	case err != nil:
		r.skip(rel, disk.Cause(err).Error())
	case len(text) > vault.MaxFile:
		r.skip(rel, fmt.Sprintf("larger than %d MiB", vault.MaxFile>>20))
	default:
		r.Files = append(r.Files, transfer.SourceFile{Rel: rel, Text: text})
	}
}

// readLimited reads a file, one byte past the limit at the most.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, vault.MaxFile+1))
}

func (r *sourceReader) skip(rel, why string) {
	r.Skipped = append(r.Skipped, transfer.Row{Source: rel, Action: transfer.Skipped, Reason: why})
}
