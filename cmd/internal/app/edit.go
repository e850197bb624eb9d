package app

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/tree"
)

// Editing is a memory that a person changes in an editor.
type Editing struct {
	Ref         string
	AllowSecret bool

	Open  func(file string) error // opens the editor and returns when it has ended
	Again func(why string) bool   // whether to open it once more; why says what is wrong with the text
}

// Edit opens the editor on a memory's file and commits what it saved. A text that has lost
// what makes it the memory (see [tree.Spoilt]) is not committed: unless the person goes on
// with it, it is put aside, and the file has its old text again.
func (s *Session) Edit(ctx context.Context, e Editing) (a tree.Amended, err error) {
	file, err := s.File(ctx, e.Ref)
	if err != nil {
		return a, s.noMemory(e.Ref, err)
	}
	if err := (&vault.Node{ID: file.ID, Path: file.Path}).Writable(); err != nil {
		return a, err
	}
	if err := tree.CheckProtected(ctx, s.Vault, vault.Edit{Path: file.Path, Steps: []vault.Step{{Op: vault.OpSetText}}}); err != nil {
		return a, err
	}
	was, _ := os.ReadFile(file.File) // one that cannot be read is for the editor to tell
	for {
		if err := e.Open(file.File); err != nil {
			return a, err
		}
		is, err := os.ReadFile(file.File)
		if errors.Is(err, fs.ErrNotExist) && was != nil {
			return a, bringBack(file, was)
		}
		why := tree.Spoilt(file.Path, was, is)
		if err != nil || why == "" {
			return tree.Edited{Path: file.Path, ID: file.ID, AllowSecret: e.AllowSecret}.Do(ctx, s.Vault)
		}
		if !e.Again(why) {
			return a, s.putAside(file, was, why)
		}
	}
}

// noMemory tells of a name that no memory has, but a file or a folder, how to edit that.
func (s *Session) noMemory(ref string, err error) error {
	if vault.CodeOf(err) != vault.CodeNotFound {
		return err
	}
	for _, file := range []string{s.app.Abs(ref), filepath.Join(s.Root, ref), filepath.Join(s.Root, ".cp", ref)} {
		info, serr := os.Stat(file)
		switch {
		case serr != nil:
		case info.IsDir():
			return vault.Errorf(vault.CodeNotFound, "`cp memory add-parent "+vault.Path(ref).QuoteForShell()+"` gives a folder a memory", "%s is a folder, and no memory stands for it", vault.Clip(ref, 80))
		default:
			return vault.Errorf(vault.CodeNotFound, "open "+vault.Path(file).QuoteForShell()+" with an editor of yours; `cp help files` says what settings may hold", "%s is no memory", vault.Clip(ref, 80))
		}
	}
	return err
}

// bringBack gives a memory its text again after an editor that has left no file.
func bringBack(file Located, was []byte) error {
	if err := disk.Write(file.File, was, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
		return vault.Errorf(vault.CodeIO, "`cp memory restore "+string(file.ID)+"` brings back what is committed", "the editor left no file, and it could not be made again: %w", disk.Cause(err))
	}
	return vault.Errorf(vault.CodeInvalid, "`cp memory delete "+string(file.ID)+"` removes a memory", "the editor left no file; nothing was committed, and the memory is as it was")
}

// putAside swaps a memory's text for the one that it had, keeps the text in a file of its
// own and returns the error that names it.
func (s *Session) putAside(file Located, was []byte, why string) error {
	kept, err := s.unusedPath("edited-" + string(file.ID))
	if err == nil {
		err = swap(file.File, kept, was)
	}
	if err != nil {
		return vault.Errorf(vault.CodeIO, "the text is still in "+file.File, "%s; nothing was committed, and the old text could not be put back: %w", why, disk.Cause(err))
	}
	hint := "what the editor saved is in " + kept
	if text, err := os.ReadFile(kept); err == nil && len(bytes.TrimSpace(text)) == 0 {
		_ = disk.Remove(kept)
		hint = "`cp memory delete " + string(file.ID) + "` removes a memory"
	}
	return vault.Errorf(vault.CodeInvalid, hint, "%s; nothing was committed, and the memory is as it was", why)
}

// unusedPath returns the path of a file that does not exist, where git clean does not reach.
func (s *Session) unusedPath(name string) (string, error) {
	dir := s.State.StateDir()
	if dir == "" {
		dir = filepath.Join(s.Root, ".cp")
	}
	random, err := vault.NewID("at", s.Random)
	return filepath.Join(dir, name+"-"+string(random)+".md"), err
}

// swap gives a file a text; what the file held is in kept then. Nothing that is saved into
// the file meanwhile is lost.
func swap(file, kept string, text []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if err := disk.Write(kept, text, info.Mode()); err != nil {
		return err
	}
	if err = disk.Resemble(kept, info); err == nil {
		err = disk.Exchange(kept, file)
	}
	if err != nil {
		return errors.Join(err, disk.Remove(kept))
	}
	return nil
}
