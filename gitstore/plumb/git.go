package plumb

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// safeConfig makes every call of git run no program that a repository names
// (fsmonitor, hooks, pager), take no bare repository for ours that was pulled as
// files, and sync what it writes.
var safeConfig = [...]string{
	"--no-replace-objects", "--literal-pathspecs",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.pager=cat",
	"-c", "core.fsync=all",
	"-c", "core.fsyncMethod=fsync",
	"-c", "safe.bareRepository=explicit",
	"-c", "protocol.ext.allow=never", "-c", "protocol.fd.allow=never",
	"-c", "submodule.recurse=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "i18n.commitEncoding=UTF-8",
	"-c", "advice.updateSparsePath=false",
}

// safeEnv is set for every call of git.
var safeEnv = [...]string{
	"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
}

// inheritedEnv are the only variables of git that reach it from our environment.
var inheritedEnv = [...]string{
	"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=",
	"GIT_CONFIG_COUNT=", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_EXEC_PATH=", "GIT_CEILING_DIRECTORIES=",
}

// Git is the git command on one work tree.
type Git struct {
	top       string // the work tree, free of symlinks
	gitDir    string // of this work tree: HEAD and the index are in it
	commonDir string // of all work trees: objects, refs and config are in it
	known     *known // git's settings, of all copies of this value
}

// NewGit returns the git command for the work tree top, with its own git directory and the one
// that all work trees share.
func NewGit(top, gitDir, commonDir string) Git { return Git{top, gitDir, commonDir, new(known)} }

// Top returns the absolute path of the work tree, free of symlinks.
func (g Git) Top() string { return g.top }

// GitDir returns the git directory of this work tree, which holds HEAD and the index.
func (g Git) GitDir() string { return g.gitDir }

// CommonDir returns the git directory that all work trees share, which holds objects, refs
// and config.
func (g Git) CommonDir() string { return g.commonDir }

// Run runs the git command on this work tree and returns its standard output.
func (g Git) Run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return g.RunWith(ctx, nil, stdin, args...)
}

// RunWith does what Run does, with more environment variables.
func (g Git) RunWith(ctx context.Context, env []string, stdin []byte, args ...string) ([]byte, error) {
	return runCommand(g.Cmd(ctx, env, args...), stdin, args)
}

// Cmd returns a git command on this work tree that has not begun yet, with
// more environment variables. It fails to begin in a repository that [Git.CheckTrust] refuses.
func (g Git) Cmd(ctx context.Context, env []string, args ...string) *exec.Cmd {
	cmd := command(ctx, g.top, env, g.prependPlace(args)...)
	if err := g.CheckTrust(ctx); err != nil {
		cmd.Err = err
	}
	return cmd
}

// prependPlace puts the repository's place before the arguments of a git command.
func (g Git) prependPlace(args []string) []string {
	return append([]string{"--git-dir=" + g.gitDir, "--work-tree=" + g.top}, args...)
}

// runCommand runs a git command, whose own arguments are args.
func runCommand(cmd *exec.Cmd, stdin []byte, args []string) ([]byte, error) {
	cmd.Stdin = bytes.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, Error(args, stderr.String(), err)
	}
	return out.Bytes(), nil
}

func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(safeConfig[:len(safeConfig):len(safeConfig)], args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(cleanEnv(os.Environ()), safeEnv[:]...), env...)
	return cmd
}

// Stream runs git and hands over what it writes while it writes it; more says that
// fn has read all, else git is stopped.
func (g Git) Stream(ctx context.Context, stdin []byte, args []string, fn func(io.Reader) (more bool, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := g.Cmd(ctx, nil, args...)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return Error(args, "", err)
	}
	if more, err := fn(out); err != nil || !more {
		cancel()
		_ = cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return Error(args, stderr.String(), err)
	}
	return nil
}

// cleanEnv drops the variables that would point git to another repository.
func cleanEnv(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, v := range environ {
		if !strings.HasPrefix(v, "GIT_") || isInherited(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

func isInherited(v string) bool {
	for _, prefix := range inheritedEnv {
		if strings.HasPrefix(v, prefix) {
			return true
		}
	}
	return false
}

// Error turns git's exit into an error that says what it said.
func Error(args []string, stderr string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return vault.Errorf(vault.CodeNoGit, "install git", "the git command is not installed: %w", err)
	}
	if errors.Is(err, vault.ErrRefused) {
		return err
	}
	said := strings.TrimSpace(stderr)
	if said == "" {
		said = err.Error()
	}
	e := &vault.Error{Code: vault.CodeIO, Msg: "git " + Subcommand(args) + ": " + said, Err: err}
	if strings.Contains(said, "promisor remote") {
		e.Msg = "this clone has only a part of its history, and what this needs was never fetched"
		e.Hint = "let git fetch it: git log -p --all >/dev/null; or clone without --filter"
	}
	return e
}

// Subcommand returns the first argument that is neither an option nor the setting
// of a -c.
func Subcommand(args []string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// ExitCode returns the exit code of a git call that ran; -1 for other errors.
func ExitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// Command runs a git command in dir as this package runs its own: no hooks, no
// programs that a repository names, no prompts. It returns the standard output
// without its last line feed; the error carries what git said.
func Command(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := runCommand(command(ctx, dir, nil, args...), nil, args)
	return strings.TrimSuffix(string(out), "\n"), err
}
