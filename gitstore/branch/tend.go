package branch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Mend makes the vault's folder again where it is lost, and mends the links between it and
// the repository. It looks first, and takes the vault's lock only if there is something to do.
func (l *Link) Mend(ctx context.Context, wait time.Duration) error {
	if err := l.checkOwner(); err != nil {
		return err
	}
	if !l.sound() {
		unlock, err := l.lock(ctx, wait)
		if err == nil {
			err = l.repair(ctx)
			unlock()
		}
		if err != nil && !(sysfile.IsReadOnly(err) && gitDirIn(l.Root) == l.admin()) { // it can be read as it is
			return plumb.IOError(err)
		}
	}
	return l.onBranch()
}

// checkOwner refuses a folder that belongs to another repository, or leads elsewhere.
func (l *Link) checkOwner() error {
	if real, err := filepath.EvalSymlinks(l.Root); err == nil && real != l.Root {
		return vault.Errorf(vault.CodeConfig, "put the folder itself there", "%s, the vault of the branch %s, is reached through a symbolic link", l.Root, l.Name)
	}
	if info, err := os.Lstat(l.Root); err == nil && !info.IsDir() {
		return vault.Errorf(vault.CodeConfig, "move it away; the next command makes the folder again", "%s, the place of the vault of the branch %s, is not a folder", l.Root, l.Name)
	}
	to := gitDirIn(l.Root)
	if to == "" || to == l.admin() {
		return nil
	}
	hint := "if the code here is a copy, give it a vault of its own: cp init --force --branch " + l.Name + " DIR"
	if main, err := mainTop(context.Background(), l.common); err == nil && main != "" && inside(main, l.Root) {
		hint = "look at it; if it is a copy of this vault: rm " + vault.Path(filepath.Join(l.Root, ".git")).QuoteForShell() + ", and the next command links it again"
	}
	return vault.Errorf(vault.CodeConfig, hint, "the .git of %s leads out of this repository, to %s", l.Root, to)
}

// sound reports whether nothing is to be mended.
func (l *Link) sound() bool {
	for name, want := range l.gitDirFiles() {
		if b, err := os.ReadFile(filepath.Join(l.admin(), name)); err != nil || want != "" && string(b) != want {
			return false
		}
	}
	return gitDirIn(l.Root) == l.admin()
}

// gitDirFiles are the files of the worktree's git directory, with what they hold; empty for
// what git itself changes.
func (l *Link) gitDirFiles() map[string]string {
	return map[string]string{"HEAD": "", "index": "", "locked": "", "commondir": "../..\n", "gitdir": filepath.Join(l.Root, ".git") + "\n"}
}

// onBranch refuses to work on another branch. On none git is at work, a rebase say, and
// writes wait.
func (l *Link) onBranch() error {
	b, err := os.ReadFile(filepath.Join(l.admin(), "HEAD"))
	at, on := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: refs/heads/")
	if err != nil || !on || at == l.Name {
		return err
	}
	return vault.Errorf(vault.CodeConfig, "git -C "+vault.Path(l.Root).QuoteForShell()+" switch "+l.Name, "the vault %s has the branch %s checked out, and its memories are on %s", l.Root, at, l.Name)
}

// lock takes the vault's lock, the one that its writers take.
func (l *Link) lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	name := filepath.Join(l.State(), "lock")
	if err := disk.MkdirAll(l.State(), 0o700); err != nil {
		return nil, err
	}
	if err := disk.Write(name, nil, 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(wait); ; {
		err := sysfile.TryLock(f)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, sysfile.ErrLocked) || time.Now().After(end) {
			_ = f.Close()
			return nil, vault.Errorf(vault.CodeLocked, "try again when it is done", "Another operation is in progress. Wait and retry, or check for stuck processes. another cp command holds the vault")
		}
		if err := plumb.Sleep(ctx, 10*time.Millisecond); err != nil {
			_ = f.Close()
			return nil, err
		}
	}
}

// repair puts right what is not. The .git comes last: until then the next command does it
// all again. What lies in the folder already is left as it is.
func (l *Link) repair(ctx context.Context) error {
	if err := l.checkBranch(ctx); err != nil {
		return err
	}
	if err := l.administer(); err != nil {
		return err
	}
	if gitDirIn(l.Root) == l.admin() {
		return l.fillIndex(ctx)
	}
	if err := disk.MkdirAll(l.Root, 0o777); err != nil {
		return err
	}
	if err := l.writeMissing(ctx); err != nil {
		return err
	}
	to, err := filepath.Rel(l.Root, l.admin())
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(l.Root, ".git"), "gitdir: "+filepath.ToSlash(to)+"\n")
}

// checkBranch refuses a branch that is gone, or that a person has checked out since the
// vault's own worktree was taken away.
func (l *Link) checkBranch(ctx context.Context) error {
	git := plumb.NewGit(l.common, l.common, l.common)
	tip, err := git.CommitOf(ctx, "refs/heads/"+l.Name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(l.admin()); err != nil && tip != "" {
		return vacant(ctx, git, l.Name)
	}
	if tip != "" {
		return nil
	}
	return vault.Errorf(vault.CodeDamaged, l.bringBack(), "the branch %s, which holds the vault %s, is gone", l.Name, l.Root)
}

// bringBack returns the command that brings the branch back: to where its worktree last was, or
// from the remote.
func (l *Link) bringBack() string {
	log, _ := os.ReadFile(filepath.Join(l.admin(), "logs", "HEAD"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	if m, ok := plumb.ParseMove(lines[len(lines)-1]); ok {
		return "git branch " + l.Name + " " + m.New
	}
	return "cp init --branch " + l.Name
}

// administer writes the git directory of the worktree.
func (l *Link) administer() error {
	if err := disk.MkdirAll(l.admin(), 0o777); err != nil {
		return err
	}
	want := l.gitDirFiles()
	want["HEAD"], want["locked"] = "ref: refs/heads/"+l.Name+"\n", "the memory vault of cp; see: cp help branches\n"
	for _, name := range []string{"commondir", "locked", "gitdir", "HEAD"} {
		file := filepath.Join(l.admin(), name)
		if b, err := os.ReadFile(file); err == nil && (string(b) == want[name] || l.gitDirFiles()[name] == "") {
			continue
		}
		if err := replaceFile(file, want[name]); err != nil {
			return err
		}
	}
	return nil
}

// fillIndex makes the index where it is missing.
func (l *Link) fillIndex(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(l.admin(), "index")); err == nil {
		return nil
	}
	_, err := l.git().Run(ctx, nil, "read-tree", "HEAD")
	return err
}

// writeMissing writes the files that are missing, as they were committed or staged last.
func (l *Link) writeMissing(ctx context.Context) error {
	if err := l.fillIndex(ctx); err != nil {
		return err
	}
	missing, err := l.git().Run(ctx, nil, "ls-files", "-z", "--deleted")
	if err == nil && len(missing) > 0 {
		_, err = l.git().Run(ctx, missing, "checkout-index", "-u", "-z", "--stdin")
	}
	return err
}

// replaceFile gives a file another text, in one step and for good.
func replaceFile(name, text string) error {
	if err := disk.ReplaceSync(name, []byte(text), 0o666); err != nil {
		return err
	}
	return disk.SyncDir(filepath.Dir(name))
}
