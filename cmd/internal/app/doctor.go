package app

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/worktree"
)

// Examine makes all of doctor's checks: those of the machine and, if there is a vault,
// those of its repository, index and contents. Like every command it first finishes what
// others left, and reports that to told.
func (a *App) Examine(ctx context.Context, flags settings.Flags, told func(vault.Tended)) []doctor.Finding {
	found := (&doctor.Patient{Machine: computer{a}}).ExamineMachine(ctx)
	s, err := a.ByCommit().OpenBy(ctx, flags)
	if err != nil {
		return append(found, doctor.NewFailure("vault", err))
	}
	defer a.Close(s)
	told(s.FinishPending(ctx))
	return append(found, s.patient().Examine(ctx)...)
}

// Consent is asked before doctor changes anything. Each function is shown what would be
// done and returns nil for a yes.
type Consent struct {
	Damage func(doctor.Damage) error
	Fix    func(doctor.Fix) error
}

// Fix puts right what a program can put right: first the repository, since all else needs
// one that git reads, and then the vault. It returns what was done.
func (a *App) Fix(ctx context.Context, flags settings.Flags, told func(vault.Tended), agreed Consent) (fix doctor.Fix, err error) {
	repository, err := a.repair(ctx, flags, agreed.Damage)
	if err != nil {
		return fix, err
	}
	err = a.ByCommit().With(ctx, flags, func(s *Session) error {
		Read.Enter(ctx, s, told)
		if fix, err = s.patient().PlanFix(ctx); err != nil {
			return err
		}
		fix.Repository = repository
		if fix.IsEmpty() {
			fix.Applied = repository != nil
		} else if err = agreed.Fix(fix); err == nil {
			err = s.patient().ApplyFix(ctx, &fix, ground{s})
		}
		if err == nil {
			s.patient().Remain(ctx, &fix)
		}
		return err
	})
	return fix, err
}

// repair takes the branch back to its newest whole commit and rebuilds git's index. It
// returns nil if the repository is sound. If a program cannot help, the error has the
// commands for a person.
func (a *App) repair(ctx context.Context, flags settings.Flags, agreed func(doctor.Damage) error) (*doctor.Damage, error) {
	s, err := settings.Load(flags, a.Place())
	if err != nil {
		return nil, err
	}
	d, err := a.GitDamage(ctx, s.Root)
	if err != nil || d.Sound() {
		return nil, err
	}
	if len(d.Commands) > 0 {
		return nil, vault.Errorf(vault.CodeDamaged, "run these, then `cp doctor --fix` again:\n"+strings.Join(d.Commands, "\n"),
			"git cannot read its own files: %s; nothing was changed", strings.Join(d.Found, "; "))
	}
	if lost := d.LostBranch(); lost != "" {
		return nil, noCommit(d, lost)
	}
	if err := agreed(d); err != nil {
		return nil, err
	}
	return &d, a.GitRepair(ctx, d)
}

// noCommit is the error of a branch that has to come from elsewhere.
func noCommit(d doctor.Damage, ref string) error {
	return vault.Errorf(vault.CodeDamaged, "get the commits from a clone or a remote with `git fetch`; or begin anew with the files as they are: git update-ref -d "+ref+" && mv -n "+vault.Path(filepath.Join(d.Dir, "index")).QuoteForShell()+" "+vault.Path(filepath.Join(d.Dir, "index.kept")).QuoteForShell()+" && cp memory sync",
		"no whole commit of %s is left in this clone; the files on disk are as they were", ref)
}

// patient returns an open vault as doctor's checks see it.
func (s *Session) patient() *doctor.Patient {
	at, set := ground{s}, s.Settings
	return &doctor.Patient{
		Syncer: s.Syncer, Root: s.Root,
		Settings: doctor.Settings{Project: set.Project, Files: len(set.Files), Warnings: set.Warnings, Notes: set.Notes},
		Machine:  computer{s.app}, Repository: at, Attributes: at, Folder: at, State: s.State, Index: s.Index, Vectors: s.vectorsChecked(),
		LeftOver: s.findLeftOver, Code: doctor.Code{Bindings: s.Bindings, Judge: s.Judge}, OwnAnchors: s.findOwnAnchors, LostAnchors: s.findLostAnchors,
		Branch: func(ctx context.Context) ([]doctor.Finding, error) { return s.app.Branches.Faults(ctx, s.Root) },
		Watcher: func() (string, bool) {
			who, ok := s.app.Watcher(s)
			if !ok {
				return "", false
			}
			return WatcherLine(&who), who.Polling != ""
		},
		Describe: func(h vault.Head) string {
			return GitLine(Overview{Branch: strings.TrimPrefix(h.Branch, "refs/heads/"), Commit: h.Commit, Busy: h.Busy})
		},
	}
}

// findLeftOver is [doctor.Patient.LeftOver].
func (s *Session) findLeftOver(ctx context.Context) (all []doctor.Finding, err error) {
	over, err := s.LeftOver(ctx)
	for _, l := range over {
		all = append(all, doctor.Finding{Evidence: l.File + " still has " + string(l.ID) + ", though " + l.Why, Fix: l.Command})
	}
	return all, err
}

// vectorsChecked is [doctor.Patient.Vectors].
func (s *Session) vectorsChecked() func(context.Context) (string, error) {
	if !s.Settings.Embedding.IsConfigured() {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		state, err := s.app.Embedder(s).Check(ctx)
		return "by " + state.Space.Model + " of " + vault.Plural(state.Have, "memory", "memories"), err
	}
}

// computer is the machine that the program runs on.
type computer struct{ a *App }

// Git is [doctor.Machine.Git].
func (c computer) Git(ctx context.Context) string { return c.a.GitVersion(ctx) }

// SQLite is the version of SQLite that is linked in.
func (c computer) SQLite() string { return c.a.SQLite }

// Programs is [doctor.Machine.Programs].
func (c computer) Programs() (cp doctor.Programs, err error) {
	cp.Self, _ = os.Executable()
	cp.First, _ = exec.LookPath("cp")
	cp.Ours = sameFile(cp.First, cp.Self)
	cp.System, err = c.a.SystemCp()
	return cp, err
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// ground is the folder and the repository of an open vault.
type ground struct{ s *Session }

// Top is [doctor.Repository.Top].
func (at ground) Top() (string, error) { return at.s.app.GitTop(at.s.Root) }

// Damage is [doctor.Repository.Damage].
func (at ground) Damage(ctx context.Context) (doctor.Damage, error) {
	return at.s.app.GitDamage(ctx, at.s.Root)
}

// Quiet is [doctor.Repository.Quiet].
func (at ground) Quiet() bool {
	top, err := at.Top()
	return err == nil && noGitIn(top)
}

// Locks lists git's lock files: those of the work tree and those that all its work trees
// share.
func (at ground) Locks(ctx context.Context) (found []doctor.Lock, err error) {
	said, err := at.s.app.Git(ctx, at.s.Root, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	own, common, _ := strings.Cut(said, "\n")
	see := func(path string) {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			found = append(found, doctor.Lock{Path: path, Size: info.Size(), Age: at.s.app.Now().Sub(info.ModTime())})
		}
	}
	for _, lock := range [...]string{own + "/index.lock", own + "/HEAD.lock", common + "/packed-refs.lock", common + "/config.lock"} {
		see(filepath.FromSlash(lock))
	}
	err = filepath.WalkDir(filepath.Join(common, "refs"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") {
			see(path)
		}
		return nil
	})
	return found, err
}

// Merge asks git which merge driver memories of a kind have.
func (at ground) Merge(ctx context.Context, kind string) (string, error) {
	said, err := at.s.app.Git(ctx, at.s.Root, "check-attr", "merge", "--", "x"+kind)
	return said[strings.LastIndexByte(said, ' ')+1:], err
}

// Driver is [doctor.Attributes.Driver].
func (at ground) Driver(ctx context.Context) (command, program string, there bool) {
	command, err := at.s.app.Git(ctx, at.s.Root, "config", "--get", driverKey)
	if err != nil {
		return "", "", false
	}
	program = driverProgram(command)
	return command, program, runs(program)
}

// IsIgnored is [doctor.Attributes.IsIgnored].
func (at ground) IsIgnored(ctx context.Context) bool { return at.s.app.Ignores(ctx, at.s.Root) }

// System is [doctor.Folder.System].
func (at ground) System() (name string, remote bool) { return sysfile.FileSystem(at.s.Root) }

// Files implements [doctor.Folder]. It skips what cannot be read, and what lies below the
// levels that are: the time for each folder grows with how deep it lies.
func (at ground) Files(fn func(name string)) error {
	return fs.WalkDir(os.DirFS(at.s.Root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // the contents have a check for what cannot be read
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || strings.Count(path, "/") >= vault.MaxDepth):
			return fs.SkipDir
		case !d.IsDir():
			fn(filepath.FromSlash(path))
		}
		return nil
	})
}

// Exists is [doctor.Folder.Exists].
func (at ground) Exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// Count is [doctor.Folder.Count].
func (at ground) Count(dir, pattern string) int {
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	return len(found)
}

// ListAdopted is [doctor.Folder.ListAdopted].
func (at ground) ListAdopted() (names []string) {
	for _, name := range at.s.Others {
		text, err := worktree.ReadAgentsFile(filepath.Join(at.s.Root, name))
		if err != nil {
			continue // it is not there, or nobody may write it
		}
		if _, adopted := past.WithoutAdoption(text); adopted {
			names = append(names, name)
		}
	}
	return names
}

// Unadopt is [doctor.Hands.Unadopt].
func (at ground) Unadopt(name string) error {
	w := worktree.SectionWriter{Op: "doctor", Keep: at.s.keepUser}
	return w.Rewrite(filepath.Join(at.s.Root, name), func(text []byte) []byte {
		text, _ = past.WithoutAdoption(text)
		return text
	})
}

// RemoveLock is [doctor.Hands.RemoveLock].
func (at ground) RemoveLock(path string) error {
	if err := disk.Remove(path); err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot remove %s: %w", path, disk.Cause(err))
	}
	return nil
}

// InstallDriver makes git in this clone merge memories with this program.
func (at ground) InstallDriver(ctx context.Context) error {
	return at.s.app.InstallDriver(ctx, at.s.Root)
}

// RemoveIndex is [doctor.Hands.RemoveIndex].
func (at ground) RemoveIndex() error {
	for _, suffix := range []string{"-shm", "-wal", ""} {
		if err := disk.Remove(filepath.Join(at.s.Root, ".cp", "index.db") + suffix); err != nil {
			return vault.Errorf(vault.CodeIO, "", "cannot remove the index: %w", disk.Cause(err))
		}
	}
	return nil
}
