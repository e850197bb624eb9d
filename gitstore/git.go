package gitstore

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

// git runs the git command on this work tree and returns its standard output.
func (r *Repo) git(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	return r.gitWith(ctx, nil, stdin, args...)
}

// gitWith is git with more environment variables.
func (r *Repo) gitWith(ctx context.Context, env []string, stdin []byte, args ...string) ([]byte, error) {
	return run(ctx, r.top, env, stdin, r.place(args)...)
}

// place puts the repository's place before the arguments of a git command.
func (r *Repo) place(args []string) []string {
	return append([]string{"--git-dir=" + r.gitDir, "--work-tree=" + r.top}, args...)
}

// run runs git in dir.
func run(ctx context.Context, dir string, env []string, stdin []byte, args ...string) ([]byte, error) {
	cmd := command(ctx, dir, env, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, gitError(args, stderr.String(), err)
	}
	return out.Bytes(), nil
}

func command(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(safeConfig[:len(safeConfig):len(safeConfig)], args...)...)
	cmd.Dir = dir
	cmd.Env = append(append(cleanEnv(os.Environ()), safeEnv[:]...), env...)
	return cmd
}

// stream runs git and hands over what it writes while it writes it; more says that
// fn has read all, else git is stopped.
func (r *Repo) stream(ctx context.Context, stdin []byte, args []string, fn func(io.Reader) (more bool, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := command(ctx, r.top, nil, r.place(args)...)
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
		return gitError(args, "", err)
	}
	if more, err := fn(out); err != nil || !more {
		cancel()
		_ = cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return gitError(args, stderr.String(), err)
	}
	return nil
}

// cleanEnv drops the variables that would point git to another repository.
func cleanEnv(environ []string) []string {
	kept := make([]string, 0, len(environ))
	for _, v := range environ {
		if !strings.HasPrefix(v, "GIT_") || inherited(v) {
			kept = append(kept, v)
		}
	}
	return kept
}

func inherited(v string) bool {
	for _, prefix := range inheritedEnv {
		if strings.HasPrefix(v, prefix) {
			return true
		}
	}
	return false
}

// gitError turns git's exit into an error that says what it said.
func gitError(args []string, stderr string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return vault.Errorf(vault.CodeNoGit, "install git", "the git command is not installed: %w", err)
	}
	said := strings.TrimSpace(stderr)
	if said == "" {
		said = err.Error()
	}
	e := &vault.Error{Code: vault.CodeIO, Msg: "git " + subcommand(args) + ": " + said, Err: err}
	if strings.Contains(said, "promisor remote") {
		e.Msg = "this clone has only a part of its history, and what this needs was never fetched"
		e.Hint = "let git fetch it: git log -p --all >/dev/null; or clone without --filter"
	}
	return e
}

// subcommand returns the first argument that is neither an option nor the setting
// of a -c.
func subcommand(args []string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}

// exitCode returns the exit code of a git call that ran; -1 for other errors.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}
