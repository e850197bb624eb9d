package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Remote talks with other repositories for this one.
type Remote struct {
	plumb.Git
	IDs   object.IDs
	Limit time.Duration // of a talk; 0 is none
	Team  bool          // fetch what other clones have counted, too

	// Beside is the folder of the code, where the vault is on a branch of its own beside
	// it: git talks from there, and a partial clone has all of such a branch. It is empty
	// for any other vault.
	Beside  string
	Refetch bool // fetch also what a partial clone has a part of
}

// networkEnv are the variables of git that reach it besides inheritedEnv when it
// talks to a remote: a person's own way to their credentials.
var networkEnv = []string{
	"GIT_SSH=", "GIT_SSH_COMMAND=", "GIT_SSH_VARIANT=", "GIT_ASKPASS=", "GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_COMMAND=", "GIT_ALLOW_PROTOCOL=",
}

// killAfter bounds the time that git has to end after it was told to.
const killAfter = 5 * time.Second

// Upstream returns where the branch is exchanged: what git's configuration
// says, else the branch of the same name at the only remote.
func (r Remote) Upstream(ctx context.Context, branch string) (vault.Upstream, error) {
	s, err := r.Settings(ctx)
	if err != nil {
		return vault.Upstream{}, err
	}
	short := strings.TrimPrefix(branch, "refs/heads/")
	up := vault.Upstream{Remote: s["branch."+short+".remote"], Ref: s["branch."+short+".merge"]}
	if up.Remote == "" || up.Ref == "" {
		remotes := remotesIn(s)
		if len(remotes) != 1 {
			return up, noUpstream(short, remotes)
		}
		up = vault.Upstream{Remote: remotes[0], Ref: branch}
	}
	return up, checkUpstream(up)
}

// remotesIn returns the names of the remotes, in order.
func remotesIn(s plumb.Settings) []string {
	var names []string
	for key := range s {
		if name, ok := strings.CutPrefix(key, "remote."); ok && strings.HasSuffix(name, ".url") {
			names = append(names, strings.TrimSuffix(name, ".url"))
		}
	}
	slices.Sort(names)
	return names
}

func noUpstream(branch string, remotes []string) error {
	if len(remotes) == 0 {
		return vault.Errorf(vault.CodeRemote, "git remote add origin <url>", "the repository has no remote to exchange with")
	}
	return vault.Errorf(vault.CodeRemote, "git branch --set-upstream-to="+remotes[0]+"/"+branch+" "+branch,
		"the branch %s has no upstream, and there are %d remotes: %s", branch, len(remotes), strings.Join(remotes, ", "))
}

// checkUpstream refuses names that git could take for something else.
func checkUpstream(up vault.Upstream) error {
	switch {
	case up.Remote == ".":
		return vault.Errorf(vault.CodeRemote, "git branch --set-upstream-to=<remote>/<branch>", "the branch's upstream is a branch of this very repository")
	case strings.HasPrefix(up.Remote, "-"), strings.Contains(up.Remote, "::"), !strings.HasPrefix(up.Ref, "refs/heads/"), !plumb.ValidRef(up.Ref), strings.ContainsAny(up.Ref, ":*?[~^"):
		return vault.Errorf(vault.CodeRemote, "git branch --set-upstream-to=<remote>/<branch>", "the upstream %q %q is none to exchange with", up.Remote, up.Ref)
	}
	return nil
}

// network runs git to talk to a remote: with the person's credentials, as they set them
// up, and without a way to ask for more. A session of its own keeps ssh from the terminal.
// say, which may be nil, gets git's progress.
func (r Remote) network(ctx context.Context, say func(string), args ...string) (string, error) {
	s, err := r.Settings(ctx)
	if err != nil {
		return "", err
	}
	if r.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.Limit)
		defer cancel()
	}
	cmd := r.Cmd(ctx, networkEnviron(s, os.Environ()), args...)
	if r.Beside != "" {
		cmd.Dir = r.Beside
	}
	sysfile.Detach(cmd)
	cmd.Cancel = func() error { return sysfile.EndSession(cmd) }
	cmd.WaitDelay = killAfter
	var out bytes.Buffer
	said := &chatter{say: say}
	cmd.Stdout, cmd.Stderr = &out, said
	err = cmd.Run()
	said.endLine()
	if err != nil {
		err = r.networkError(ctx, plumb.Subcommand(args), said.text.String(), err)
	}
	return out.String(), err
}

// networkEnviron keeps what leads to credentials and takes what asks for them.
func networkEnviron(s plumb.Settings, environ []string) []string {
	env := []string{"SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never"}
	given := func(name string) bool {
		return slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, name+"=") })
	}
	for _, v := range environ {
		if slices.ContainsFunc(networkEnv, func(prefix string) bool { return strings.HasPrefix(v, prefix) }) {
			env = append(env, v)
		}
	}
	if !given("GIT_ASKPASS") {
		env = append(env, "GIT_ASKPASS=") // neither core.askPass nor SSH_ASKPASS
	}
	if !given("GIT_SSH_COMMAND") && !given("GIT_SSH") && s["core.sshcommand"] == "" {
		env = append(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return env
}

// networkError says in one sentence what git said.
func (r Remote) networkError(ctx context.Context, verb, said string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return plumb.Error([]string{verb}, "", err)
	}
	if cause := context.Cause(ctx); errors.Is(cause, context.DeadlineExceeded) {
		return vault.Errorf(vault.CodeRemote, "look at the network, or give it longer with --timeout; nothing has changed", "git %s did not end in time: %w", verb, cause)
	}
	e := &vault.Error{Code: vault.CodeRemote, Msg: "git " + verb + ": " + complaint(said, err), Err: err,
		Hint: "look at the network and at your credentials; nothing has changed"}
	if strings.Contains(said, "No space left on device") {
		e.Code, e.Hint = vault.CodeIO, "free some space on the disk, here or at the remote; nothing has changed"
	}
	return e
}

// maxComplaint bounds the lines of git's that an error shows.
const maxComplaint = 4

// complaint returns the message of git, or of the program it talked through: everything up
// to the line with which it gave up.
func complaint(said string, err error) string {
	var lines []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		fatal := strings.HasPrefix(line, "fatal: ")
		for _, mark := range []string{"fatal: ", "error: ", "ERROR: ", "remote: "} {
			line = strings.TrimPrefix(line, mark)
		}
		if line = strings.TrimRight(line, ". "); line != "" {
			lines = append(lines, line)
		}
		if fatal {
			break
		}
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines[max(0, len(lines)-maxComplaint):], "; ")
}

// chatter collects what git says on its standard error, and passes it on line by line.
type chatter struct {
	say  func(string)
	text bytes.Buffer
	line []byte
}

func (c *chatter) Write(b []byte) (int, error) {
	for _, ch := range b {
		if ch != '\r' && ch != '\n' {
			c.line = append(c.line, ch)
			continue
		}
		c.endLine()
	}
	return len(b), nil
}

// maxSaid bounds what is kept of git's words, in bytes.
const maxSaid = 64 << 10

func (c *chatter) endLine() {
	line := string(c.line)
	c.line = c.line[:0]
	if strings.TrimSpace(line) == "" {
		return
	}
	if c.text.Len()+len(line) < maxSaid {
		fmt.Fprintln(&c.text, line)
	}
	if c.say != nil {
		c.say(line)
	}
}

var _ io.Writer = (*chatter)(nil)
