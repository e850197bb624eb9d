package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/filename"
)

// Scan calls fn for each candidate in scope: the Markdown files, and problems
// in the place of what cannot be one. Within a folder entries come in bytewise
// order of their names, a sub-folder's at its own name. A name that differs from an earlier one of
// its folder only in case or Unicode form comes twice: as the file it is, and
// as a problem.
//
// In a scope that names [vault.FactsDir], or what is in it, the candidates are the facts
// files there, whatever git ignores. No other scope holds one.
//
// Names that begin with a dot (see [Leaves]), names other than *.md and what git ignores are skipped; so
// the backup and lock files of editors are left out. The copies that cloud folders make of files in
// conflict are problems, and so are placeholders of files that they took from the disk:
// their names come out of order. Symbolic links and repositories inside the vault are
// reported and not entered.
//
// complete is false when something could not be read, or vanished meanwhile: a
// file may be missing for the milliseconds in which an editor replaces it.
func (d Dir) Scan(ctx context.Context, o Ignores, scope vault.Scope, fn func(vault.File) error) (complete bool, err error) {
	sc := &scanner{ctx: ctx, fn: fn, ignores: o, rules: o.Rules, shallow: scope.Shallow, complete: true}
	sc.sub = sc.subfolder
	if len(scope.Paths) > 0 {
		err := sc.paths(d, scope.Paths)
		return sc.complete && err == nil, err
	}
	if scope.Dir.Within(vault.FactsDir) {
		sc.ofFacts()
	}
	dir, err := d.openDir(scope.Dir)
	switch {
	case err == nil:
	case scope.Dir == "":
		return false, ReadError(string(d), "", err)
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	default:
		return sc.complete, sc.reportUnopened(scope.Dir, err)
	}
	defer dir.Close()
	if scope.Dir != "" && !sc.facts {
		sc.rules = d.rulesAt(o.Rules, scope.Dir.Dir())
	}
	if err := sc.scanFolder(dir, scope.Dir, depthOf(scope.Dir)); err != nil {
		return false, err
	}
	return sc.complete, nil
}

// scanner walks one scope. It keeps a folder open while it is in it and asks
// for the stat of Markdown files only: one call per file, none per folder.
type scanner struct {
	ctx      context.Context
	fn       func(vault.File) error
	enter    func(p vault.Path, abs string) error            // nil, or called for folders alone
	sub      func(dir handle, p vault.Path, depth int) error // called for each folder in one
	ignores  Ignores
	rules    *IgnoreRules // of the folder that is being scanned
	shallow  bool
	facts    bool // facts files are looked for, and no memories
	complete bool
	room     []byte // for the listing of one folder after the other
}

func (sc *scanner) buffer() []byte {
	if sc.room == nil {
		sc.room = make([]byte, 32<<10)
	}
	return sc.room
}

func (sc *scanner) problem(p vault.Path, kind, msg string) error {
	return sc.fn(vault.File{Path: p, Problem: &vault.Problem{Path: p, Kind: kind, Msg: msg}})
}

// reportUnopened reports a folder that does not open.
func (sc *scanner) reportUnopened(p vault.Path, err error) error {
	switch {
	case sysfile.IsSymlink(err):
		return sc.problem(p, vault.ProblemSymlink, "a symbolic link, which cp does not follow")
	case errors.Is(err, fs.ErrNotExist):
		sc.complete = false
		return nil
	}
	sc.complete = false
	return sc.problem(p, vault.ProblemUnreadable, "cannot be read: "+sysfile.Reason(err))
}

func (sc *scanner) scanFolder(dir handle, p vault.Path, depth int) error {
	if err := sc.ctx.Err(); err != nil {
		return err
	}
	if sc.enter != nil {
		if err := sc.enter(p, dir.Name()); err != nil {
			return err
		}
	}
	entries, err := dir.List(sc.buffer())
	if err != nil {
		if err := sc.reportUnopened(p, err); err != nil {
			return err
		}
	}
	if p != "" && !sc.facts && isNestedProject(dir, entries) {
		return nil
	}
	if what := repositoryAmong(entries); p != "" && what != "" {
		return sc.problem(p, vault.ProblemNestedRepo, what)
	}
	defer sc.enterRules(dir, p)()
	entries, _ = sc.visible(p, entries)
	return sc.scanEntries(dir, p, entries, depth)
}

// scanEntries handles what a folder holds.
func (sc *scanner) scanEntries(dir handle, p vault.Path, entries []entry, depth int) error {
	var twins map[string]string
	if !sc.facts {
		twins = sc.ignores.Leaves.findTwins(p, entries)
	}
	var standing map[string]bool
	if sc.shallow {
		standing = stems(entries)
	}
	for _, e := range entries {
		if of, ok := filename.NameOfEvicted(e.Name); ok && sc.enter == nil {
			sc.complete = false // a file that is in the cloud is not deleted
			if err := sc.problem(p.Join(Visible(of)), vault.ProblemEvicted, "kept in the cloud only: the folder holds a placeholder"); err != nil {
				return err
			}
			continue
		}
		if sc.passes(p, e) || standing[e.Name] && e.IsDir() || sc.enter != nil && !e.IsDir() {
			continue
		}
		if err := sc.scanEntry(dir, p, e, depth); err != nil {
			return err
		}
		if err := sc.twin(p, e, twins); err != nil {
			return err
		}
	}
	return nil
}

// twin reports an entry that has a twin.
func (sc *scanner) twin(p vault.Path, e entry, twins map[string]string) error {
	other, ok := twins[e.Name]
	if !ok || !Plain(e.Name) {
		return nil
	}
	msg := "differs from " + Visible(other) + " only in case or Unicode form; some systems cannot hold both"
	return sc.problem(p.Join(e.Name), vault.ProblemTwin, msg)
}

// scanEntry handles one name that is a folder, a link or a Markdown file.
func (sc *scanner) scanEntry(dir handle, folder vault.Path, e entry, depth int) error {
	name := e.Name
	if !Plain(name) {
		return sc.problem(folder.Join(Visible(name)), vault.ProblemName, "the name is not UTF-8 or holds control characters")
	}
	p := folder.Join(name)
	switch {
	case e.IsDir():
		return sc.sub(dir, p, depth+1)
	case e.Mode&fs.ModeSymlink != 0:
		if !sc.candidate(p) && !leadsToFolder(dir, name) {
			return nil
		}
		return sc.problem(p, vault.ProblemSymlink, "a symbolic link, which cp does not follow")
	case !e.Mode.IsRegular():
		return sc.problem(p, vault.ProblemNotRegular, "not a regular file")
	case filename.ConflictCopy(name):
		return sc.problem(p, vault.ProblemCopy, "a cloud folder's copy of a file that two computers changed; it is no memory")
	}
	st, err := dir.StatAt(name)
	if err != nil {
		return sc.reportUnopened(p, err)
	}
	return sc.fn(vault.File{Path: p, Stat: statOf(st)})
}

// subfolder scans the folder p in dir.
func (sc *scanner) subfolder(dir handle, p vault.Path, depth int) error {
	return sc.open(dir, p, depth, sc.scanFolder)
}

// open opens the folder p in dir for visit.
func (sc *scanner) open(dir handle, p vault.Path, depth int, visit func(handle, vault.Path, int) error) error {
	if depth > vault.MaxDepth {
		return sc.problem(p, vault.ProblemTooDeep, "below the 64 levels of folders that cp reads")
	}
	sub, err := dir.Open(p.Base(), sysfile.Folder)
	if err != nil {
		return sc.reportUnopened(p, err)
	}
	defer sub.Close()
	return visit(sub, p, depth)
}

// leadsToFolder reports whether a symbolic link points to a folder.
func leadsToFolder(dir handle, name string) bool {
	info, err := os.Stat(filepath.Join(dir.Name(), name))
	return err == nil && info.IsDir()
}

func statOf(st sysfile.Stat) vault.Stat {
	return vault.Stat{Size: st.Size, MTime: st.MTime, CTime: st.CTime, Inode: st.Inode}
}
