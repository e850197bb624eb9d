package app

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/exchange"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/merge"
)

// The keys of a clone's config that make git call us: the driver's name, and its command.
const (
	driverName = "merge.cp-memory.name"
	driverKey  = "merge.cp-memory.driver"
)

// driverLine is the command that git is to run: this program by its absolute
// path, quoted for the shell, and percent signs for git.
func driverLine() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", vault.Errorf(vault.CodeIO, "", "cannot find out where this program lies: %w", err)
	}
	quoted := "'" + strings.ReplaceAll(self, "'", `'\''`) + "'"
	return strings.ReplaceAll(quoted, "%", "%%") + " merge-driver %O %A %B %P", nil
}

// driverProgram is the program that a driver's command begins with.
func driverProgram(line string) string {
	quoted, ok := strings.CutPrefix(line, "'")
	if !ok {
		program, _, _ := strings.Cut(line, " ")
		return program
	}
	program, _, _ := strings.Cut(strings.ReplaceAll(quoted, `'\''`, "\x00"), "'")
	return strings.ReplaceAll(strings.ReplaceAll(program, "\x00", "'"), "%%", "%")
}

// InstallDriver makes git in this clone merge memories with this program.
func (a *App) InstallDriver(ctx context.Context, dir string) error {
	line, err := driverLine()
	if err != nil {
		return err
	}
	for _, pair := range [][2]string{{driverName, "memories: front matter by key, pointers by id, prose by line"}, {driverKey, line}} {
		if said, err := a.Git(ctx, dir, "config", "--get", pair[0]); err == nil && said == pair[1] {
			continue
		}
		if _, err := a.Git(ctx, dir, "config", "--local", "--replace-all", pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// runs reports whether there is such a program.
func runs(program string) bool {
	info, err := os.Stat(program)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// Ignores reports whether git would not see a new memory in root. The command
// takes no literal pathspecs, which are asked for everywhere else.
func (a *App) Ignores(ctx context.Context, root string) bool {
	_, err := a.Git(ctx, root, "--no-literal-pathspecs", "check-ignore", "-q", "--", "x.md")
	return err == nil
}

// Remote returns the vault's remote side. limit bounds the time of a talk with it.
func (s *Session) Remote(limit time.Duration) (*exchange.Exchange, error) {
	line, err := driverLine()
	if err != nil {
		return nil, err
	}
	return s.app.Exchange(s, line, limit)
}

// MergeFiles merges the three files into the second one. name is their path in the work
// tree. It opens no vault and calls no git, so that a merge of a thousand files costs a
// thousand times a millisecond.
func (a *App) MergeFiles(base, ours, theirs, name string) (r merge.Result, err error) {
	var docs [3][]byte
	for i, file := range [...]string{base, ours, theirs} {
		if docs[i], err = os.ReadFile(file); err != nil {
			return r, errUnmerged(file, err)
		}
	}
	if by := fact.Merger(name); by != nil {
		r.Text, r.Dropped = by(docs[0], docs[1], docs[2]), vault.DroppedFacts(name, docs[0], docs[1], docs[2])
	} else if a.isMemory(name) {
		r = merge.Merge(docs[0], docs[1], docs[2], merge.Options{})
	} else {
		r = merge.MergeText(docs[0], docs[1], docs[2], merge.Options{})
	}
	if err := disk.Overwrite(ours, r.Text); err != nil {
		return r, errUnmerged(ours, err)
	}
	return r, nil
}

// ErrNoMerge is in the error of a merge that could not be tried: git has to stop.
var ErrNoMerge = errors.New("the merge driver failed")

func errUnmerged(file string, err error) error {
	return vault.Errorf(vault.CodeIO, "git merge --abort puts everything back", "cannot merge %s: %w", file, errors.Join(ErrNoMerge, disk.Cause(err)))
}

// mergeTop is set to the top of the work tree by a pull, for which git merges in
// another folder.
const mergeTop = "CP_MERGE_TOP"

// isMemory reports whether the file of that name is a memory's. The name is relative to
// the top of the work tree in which git runs its drivers.
func (a *App) isMemory(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	if !vault.Path(name).IsNote() {
		return false
	}
	dir := a.Env(mergeTop)
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return false
		}
	}
	root, ok := settings.Above(path.Join(dir, path.Dir(name)))
	return ok && root != ""
}

// Located is a memory's file as programs get it.
type Located struct {
	ID   vault.ID   `json:"id"`
	Path vault.Path `json:"path"`                  // relative to the vault
	File string     `json:"file"`                  // absolute
	New  bool       `json:"provisional,omitempty"` // it has no id of its own yet
}

// File finds the file of the memory that ref names.
func (s *Session) File(ctx context.Context, ref string) (Located, error) {
	n, err := s.Locate(ctx, ref)
	return Located{n.ID, n.Path, filepath.Join(s.Root, filepath.FromSlash(string(n.Path))), n.ID.Provisional()}, err
}

// FromHere returns the name of a file in the vault from the working directory, or its
// absolute name where that is on another branch of the file system.
func (s *Session) FromHere(p vault.Path) string {
	abs := filepath.Join(s.Root, filepath.FromSlash(string(p)))
	here, err := filepath.EvalSymlinks(s.app.Dir)
	if err != nil {
		return abs
	}
	root, err := filepath.EvalSymlinks(s.Root)
	if err != nil {
		return abs
	}
	rel, err := filepath.Rel(here, filepath.Join(root, filepath.FromSlash(string(p))))
	if err != nil {
		return abs
	}
	return rel
}

// Abs returns the file that a person named from the working directory.
func (a *App) Abs(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Dir, name)
}
