package app

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/transfer"
)

// Exported is the outcome of an export to a folder.
type Exported struct {
	Folder string `json:"folder"`
	Files  int    `json:"files"`
	Facts  int    `json:"facts,omitempty"` // facts files beside them
}

// Exporting says which files an export to a folder is about.
type Exporting struct {
	Under string       // that of this memory and those below it; empty is all
	Share family.Share // of these

	Only map[vault.Path]bool // and of these; nil is all
}

// ExportFiles writes files into the folder to, byte for byte and at their paths. It overwrites
// nothing. read is what could not be read of the vault, wrote what could not be written.
func (s *Session) ExportFiles(ctx context.Context, o Exporting, to string) (out Exported, read, wrote error) {
	if out.Folder, wrote = s.outside(to); wrote != nil {
		return out, nil, wrote
	}
	read = transfer.Export(ctx, s.Vault, o.Under, func(e transfer.Exported) error {
		if !o.Share.Has(string(e.Path)) || o.Only != nil && !o.Only[e.Path] {
			return nil
		}
		if out.Files++; e.RawFacts != nil {
			out.Facts++
		}
		wrote = exportFile(out.Folder, e)
		return wrote
	})
	return out, read, wrote
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
		return Written{}, vault.Errorf(vault.CodeInvalid, "choose another name", "%s exists; nothing was overwritten", path)
	case err != nil:
		return Written{}, vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", path, disk.Cause(err))
	}
	return Written{path, memories}, nil
}
