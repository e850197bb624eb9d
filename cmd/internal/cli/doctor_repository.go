package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// repositoryChecks are about the git repository around the vault.
func (f face) repositoryChecks(ctx context.Context, s *app.Session) []vault.Check {
	damage := f.checkDamage(ctx, s.Root)
	top, err := f.GitTop(s.Root)
	if err != nil {
		return append([]vault.Check{failed("repository", err), checkFileSystem(s.Root)}, damage...)
	}
	checks := []vault.Check{checkHead(ctx, s, top), f.checkAttributes(ctx, s.Root), f.checkDriver(ctx, s.Root), f.checkIgnored(ctx, s.Root), checkFileSystem(s.Root)}
	checks = append(checks, checkEditors(s.Root))
	checks = append(checks, f.checkLocks(ctx, top)...)
	checks = append(checks, damage...)
	return append(checks, checkState(ctx, s)...)
}

func checkHead(ctx context.Context, s *app.Session, top string) vault.Check {
	head, err := s.Store.Head(ctx)
	if err != nil {
		return failed("repository", err)
	}
	c := vault.Check{Check: "repository", Severity: sevOK, Evidence: fmt.Sprintf("%s, %s", top, gitLine(overview{
		Branch: strings.TrimPrefix(head.Branch, "refs/heads/"), Commit: head.Commit, Busy: head.Busy,
	}))}
	if head.Busy != "" {
		c.Severity, c.Fix = sevWarning, "finish or abort it"
	}
	return c
}

// checkAttributes asks git which merge driver memories have.
func (f face) checkAttributes(ctx context.Context, root string) vault.Check {
	c := vault.Check{Check: "gitattributes", Severity: sevOK, Evidence: attribute}
	said, err := f.Git(ctx, root, "check-attr", "merge", "--", "x.md")
	if err != nil {
		return failed("gitattributes", err)
	}
	if !strings.HasSuffix(said, ": cp-memory") {
		c.Severity, c.Evidence, c.Fix = sevInfo, "the line '"+attribute+"' is missing", "cp init --force"
	}
	return c
}

// ignored reports whether git would not see a new memory in root. The command
// takes no literal pathspecs, which are asked for everywhere else.
func (f face) ignored(ctx context.Context, root string) bool {
	_, err := f.Git(ctx, root, "--no-literal-pathspecs", "check-ignore", "-q", "--", "x.md")
	return err == nil
}

func (f face) checkIgnored(ctx context.Context, root string) vault.Check {
	if f.ignored(ctx, root) {
		return vault.Check{
			Check: "gitignore", Severity: sevWarning, Evidence: "git ignores the vault's files: edits made by hand do not show in git status",
			Fix: "see which rule it is: git -C '" + root + "' check-ignore -v x.md",
		}
	}
	return vault.Check{Check: "gitignore", Severity: sevOK, Evidence: "git does not ignore the vault"}
}

func checkFileSystem(root string) vault.Check {
	name, remote := disk.FileSystem(root)
	c := vault.Check{Check: "file_system", Severity: sevOK, Evidence: firstOf(name, "local")}
	if remote {
		c.Severity, c.Evidence = sevWarning, name+": locks and the index are not reliable on a network file system"
		c.Fix = "keep the clone on a local disk and share it through a git remote"
	}
	return c
}

// gitDirs returns the git directory of a work tree and the one that all its
// work trees share.
func (f face) gitDirs(ctx context.Context, top string) (own, common string, err error) {
	said, err := f.Git(ctx, top, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")
	if err != nil {
		return "", "", err
	}
	own, common, _ = strings.Cut(said, "\n")
	return own, common, nil
}

// staleAge is how old a lock of git's has to be before we take its owner for
// dead: git holds its locks for milliseconds, but an editor for a commit's
// message may be open while index.lock is held.
const staleAge = time.Minute

// gitLock is a lock file in the git directory.
type gitLock struct {
	path  string
	size  int64
	age   time.Duration
	stale bool // old, empty and of no living process
}

// locks lists git's lock files.
func (f face) locks(ctx context.Context, top string) ([]gitLock, error) {
	own, common, err := f.gitDirs(ctx, top)
	if err != nil {
		return nil, err
	}
	var found []gitLock
	see := func(path string) {
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		l := gitLock{path: path, size: info.Size(), age: f.Now().Sub(info.ModTime())}
		l.stale = l.size == 0 && l.age > staleAge && noGitIn(top)
		found = append(found, l)
	}
	for _, name := range []string{"index.lock", "HEAD.lock"} {
		see(filepath.Join(own, name))
	}
	for _, name := range []string{"packed-refs.lock", "config.lock"} {
		see(filepath.Join(common, name))
	}
	err = filepath.WalkDir(filepath.Join(common, "refs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") {
			see(path)
		}
		return nil
	})
	return found, err
}

func (f face) checkLocks(ctx context.Context, top string) []vault.Check {
	locks, err := f.locks(ctx, top)
	if err != nil {
		return []vault.Check{failed("git_locks", err)}
	}
	var checks []vault.Check
	for _, l := range locks {
		c := vault.Check{Check: "git_locks", Severity: sevInfo, Evidence: fmt.Sprintf("%s, %d bytes, %s old", l.path, l.size, l.age.Round(time.Second))}
		switch {
		case l.stale:
			c.Severity, c.Evidence = sevWarning, c.Evidence+"; no git runs here"
			c.Fix = "cp doctor --fix, or: rm '" + l.path + "'"
		case l.age > staleAge:
			c.Severity, c.Fix = sevWarning, "if no git runs there: rm '"+l.path+"'"
		}
		checks = append(checks, c)
	}
	if len(checks) == 0 {
		checks = append(checks, vault.Check{Check: "git_locks", Severity: sevOK, Evidence: "none"})
	}
	return checks
}

// checkState looks at what writes leave behind for a while.
func checkState(ctx context.Context, s *app.Session) []vault.Check {
	var checks []vault.Check
	if waiting, err := s.Store.Waiting(ctx); err != nil {
		checks = append(checks, failed("outbox", err))
	} else if len(waiting) > 0 {
		checks = append(checks, vault.Check{Check: "outbox", Severity: sevWarning, Evidence: counted(len(waiting), "write waits", "writes wait") + " to be committed", Fix: "cp memory sync, when the repository is free"})
	} else {
		checks = append(checks, vault.Check{Check: "outbox", Severity: sevOK, Evidence: "empty"})
	}
	store := s.State
	if store.StateDir() == "" {
		return checks
	}
	for _, u := range s.Store.Unfinished(ctx) {
		checks = append(checks, vault.Check{Check: "unfinished", Severity: sevWarning, Evidence: "interrupted and not finished: " + u.Subject, Fix: "the next cp command finishes it, when the repository is free"})
	}
	if lost, err := store.Lost(ctx); err != nil {
		checks = append(checks, failed("reset", err))
	} else if len(lost) > 0 {
		checks = append(checks, vault.Check{Check: "reset", Severity: sevWarning, Evidence: "a git reset that came too late took " + counted(len(lost), "write", "writes") + " from the branch", Fix: "git cherry-pick " + commitsOf(lost)})
	}
	if back, err := store.Reverted(ctx); err != nil {
		checks = append(checks, failed("staged", err))
	} else if len(back.Ops) > 0 {
		checks = append(checks, vault.Check{Check: "staged", Severity: sevWarning, Evidence: back.String(), Fix: back.Fix})
	}
	if n := entries(store.StateDir(), "displaced/*/*"); n > 0 {
		checks = append(checks, vault.Check{Check: "displaced", Severity: sevInfo, Evidence: counted(n, "replaced file is", "replaced files are") + " kept in " + filepath.Join(store.StateDir(), "displaced")})
	}
	return checks
}

func commitsOf(all []vault.Revision) string {
	var ids []string
	for _, rev := range all {
		ids = append(ids, rev.Commit)
	}
	return strings.Join(ids, " ")
}

func entries(dir, pattern string) int {
	found, _ := fs.Glob(os.DirFS(dir), pattern)
	return len(found)
}
