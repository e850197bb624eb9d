package plumb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// CheckTrust returns a [vault.ErrRefused] for a repository in which git would not work for this user,
// because it belongs to another one: its settings may name programs, and git would run them.
// With --git-dir, as all our calls have it, git does not ask that question. Whoever owns the
// work tree and its git directory needs no answer; for all others git is asked, which knows
// the person's safe.directory.
func (g Git) CheckTrust(ctx context.Context) error {
	if g.known.trusted.Load() || ownsAll(g.top, filepath.Join(g.top, ".git"), g.gitDir) {
		g.known.trusted.Store(true)
		return nil
	}
	// A bare repository is no danger here: rev-parse runs nothing.
	_, err := Command(ctx, g.discoveryFolder(), "-c", "safe.bareRepository=all", "rev-parse", "--git-dir")
	if ExitCode(err) > 0 {
		return errRefused(g.discoveryFolder(), err)
	}
	g.known.trusted.Store(err == nil)
	return err
}

// discoveryFolder returns the folder in which git finds the repository by itself.
func (g Git) discoveryFolder() string {
	for _, dir := range []string{g.top, filepath.Dir(g.gitDir)} {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
	}
	return g.gitDir
}

// exception is the command that git's refusal names.
var exception = regexp.MustCompile(`git config --global --add safe\.directory .*`)

// errRefused says in one sentence what git said in several lines.
func errRefused(dir string, err error) error {
	e := &vault.Error{Code: vault.CodeNoGit, Err: errors.Join(vault.ErrRefused, err),
		Msg: err.Error(), Hint: "look at who owns " + dir + " and its .git"}
	if command := exception.FindString(e.Msg); command != "" {
		said, _, _ := strings.Cut(e.Msg, "\n")
		e.Msg = "the repository belongs to another user, and git refuses it: " + strings.TrimPrefix(said, "git rev-parse: fatal: ")
		e.Hint = "if you trust its owner, whose settings can run programs as you: " + command
	}
	return e
}
