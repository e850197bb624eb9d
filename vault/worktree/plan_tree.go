package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
)

// move plans the move of a file or of a folder with all in it. One that a
// person has made already is recorded without touching the disk.
func (p *planner) move(e *edit) error {
	if len(e.Steps) > 0 || e.Whole || e.Adopt {
		if err := p.planChange(e); err != nil {
			return err
		}
	}
	from := p.s.abs(e.Path, e.Outside)
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if e.To.Within(e.Path) && e.Tree {
		return vault.Errorf(vault.CodeCycle, "", "%s cannot move below itself", e.Path)
	}
	if err := p.checkPathFree(e.To, e.Outside, source(e)); err != nil {
		return err
	}
	if err := writable(filepath.Dir(from)); err != nil {
		return err
	}
	return p.noteContents(e, from)
}

// source returns the only existing name that the target of a move may fold to.
func source(e *edit) vault.Path {
	if e.Path.Dir() == e.To.Dir() {
		return e.Path
	}
	return ""
}

// noteContents notes everything that lies at a place which is to move. What is in a folder that
// another edit moves goes with that.
func (p *planner) noteContents(e *edit, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, name)
		switch {
		case d.IsDir() && !e.Tree:
			return &vault.Error{Code: vault.CodeInvalid, Path: string(e.Path), Msg: "a folder, not a file"}
		case d.IsDir() && p.isMovedApart(e, rel):
			return filepath.SkipDir
		case d.IsDir():
			return p.listFolder(e, name, rel)
		case rel == ".":
			rel = ""
		}
		st, err := sysfile.Lstat(name)
		if err != nil {
			return pathError("lstat", name, err)
		}
		e.Files = append(e.Files, found{Name: []byte(rel), Inode: st.Inode, MTime: st.MTime})
		return nil
	})
}

// isMovedApart reports whether the folder rel of a folder that moves goes elsewhere.
func (p *planner) isMovedApart(e *edit, rel string) bool {
	at := e.Path.Join(rel)
	return rel != "." && slices.ContainsFunc(p.moves, func(m relocation) bool { return m.tree && m.from == at && m.outside == e.Outside })
}

func (p *planner) listFolder(e *edit, name, rel string) error {
	if rel != "." {
		e.Folders = append(e.Folders, []byte(rel))
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return err
	}
	if files.Repository(entries) != "" {
		return errNested(p.s.relativeName(name))
	}
	return writable(name)
}

// planRemoval plans the removal of a file, or of the memories in a folder: those on
// disk and those that only HEAD has. Other files in the folder stay.
func (p *planner) planRemoval(e *edit) error {
	if !e.Tree {
		return p.removeFile(e, "")
	}
	if e.Outside {
		return vault.Errorf(vault.CodeInternal, "", "only folders of the vault are removed")
	}
	seen := make(map[string]bool)
	_, err := p.s.Scan(p.ctx, vault.Scope{Dir: e.Path}, func(f vault.File) error {
		if f.Problem != nil {
			return nil
		}
		rel := string(f.Path[len(e.Path)+1:])
		seen[rel] = true
		return p.removeFile(e, rel)
	})
	if err != nil {
		return err
	}
	if err := p.removeCommitted(e, seen); err != nil {
		return err
	}
	return p.listFolders(e)
}

func (p *planner) removeFile(e *edit, rel string) error {
	f := found{Name: []byte(rel)}
	at := p.s.abs(f.path(e.Path), e.Outside)
	b, _, err := files.Read(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return files.ReadError(at, f.path(e.Path), err)
	default:
		f.Digest = files.Digest(b)
		if err := writable(filepath.Dir(at)); err != nil {
			return err
		}
	}
	e.Files = append(e.Files, f)
	return nil
}

// removeCommitted adds what HEAD has in the folder and the disk has not.
func (p *planner) removeCommitted(e *edit, seen map[string]bool) error {
	if p.head.Commit == "" {
		return nil
	}
	folder := string(p.s.inRepo(e.Path, false))
	return p.s.repo.Changes(p.ctx, "", p.head.Commit, folder, func(name, _ string) error {
		path, ok := p.s.inVault(name)
		if !ok || !p.s.leaves.Candidate(path) || !path.Within(e.Path) {
			return nil
		}
		rel := string(path[len(e.Path)+1:])
		if !seen[rel] {
			e.Files = append(e.Files, found{Name: []byte(rel)})
		}
		return nil
	})
}

// listFolders notes the folders that a removal may empty.
func (p *planner) listFolders(e *edit) error {
	var folders []string
	for _, f := range e.Files {
		for dir := vault.Path(f.Name).Dir(); dir != ""; dir = dir.Dir() {
			folders = append(folders, string(dir))
		}
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		e.Folders = append(e.Folders, []byte(dir))
	}
	return nil
}
