package remote

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Names that git could take for an option, a program or a pattern are none to
// exchange with.
func TestUpstreamNamesAreChecked(t *testing.T) {
	for _, row := range []struct {
		remote, ref string
		ok          bool
	}{
		{"origin", "refs/heads/main", true},
		{"https://example.org/x.git", "refs/heads/a/b", true},
		{"git@example.org:x.git", "refs/heads/main", true},
		{"--upload-pack=sh", "refs/heads/main", false},
		{"ext::sh -c id", "refs/heads/main", false},
		{".", "refs/heads/main", false},
		{"origin", "refs/tags/v1", false},
		{"origin", "refs/heads/*", false},
		{"origin", "refs/heads/a:refs/heads/b", false},
		{"origin", "refs/heads/../../x", false},
		{"origin", "main", false},
	} {
		if err := checkUpstream(vault.Upstream{Remote: row.remote, Ref: row.ref}); (err == nil) != row.ok {
			t.Errorf("%q %q: %v", row.remote, row.ref, err)
		}
	}
}

// What leads to a person's credentials reaches git, what would ask does not.
func TestNetworkNeverAsks(t *testing.T) {
	env := networkEnviron(plumb.Settings{}, []string{"GIT_DIR=x", "GIT_SSL_CAINFO=/ca", "GIT_TRACE=1"})
	for _, want := range []string{"GIT_ASKPASS=", "GIT_SSH_COMMAND=ssh -o BatchMode=yes", "SSH_ASKPASS_REQUIRE=never", "GIT_SSL_CAINFO=/ca"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is not in %v", want, env)
		}
	}
	if got := strings.Join(env, " "); strings.Contains(got, "GIT_DIR") || strings.Contains(got, "GIT_TRACE") {
		t.Errorf("got %s", got)
	}
	env = networkEnviron(plumb.Settings{}, []string{"GIT_SSH_COMMAND=ssh -i key", "GIT_ASKPASS=/bin/token"})
	if !slices.Contains(env, "GIT_SSH_COMMAND=ssh -i key") || !slices.Contains(env, "GIT_ASKPASS=/bin/token") || slices.Contains(env, "GIT_ASKPASS=") {
		t.Errorf("a person's own: got %v", env)
	}
	if env = networkEnviron(plumb.Settings{"core.sshcommand": "ssh -F x"}, nil); slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "GIT_SSH_COMMAND=") }) {
		t.Errorf("core.sshCommand is overridden: %v", env)
	}
}

// What git says becomes one sentence.
func TestComplaint(t *testing.T) {
	for said, want := range map[string]string{
		"": "exit 128",
		"ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n": "ssh: connect to host x port 22: Connection refused; Could not read from remote repository",
		"fatal: could not read Username for 'https://x': terminal prompts disabled\n":                                                                                                            "could not read Username for 'https://x': terminal prompts disabled",
		"a\nb\nc\nd\nremote: denied.\nerror: failed\n": "c; d; denied; failed",
	} {
		if got := complaint(said, errors.New("exit 128")); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
}

// A full disk is no matter of the network.
func TestNetworkErrors(t *testing.T) {
	for said, want := range map[string]vault.Code{
		"error: unable to write loose object file: No space left on device\nfatal: unpack-objects failed\n": vault.CodeIO,
		"fatal: unable to access 'http://x/': Could not resolve host: x\n":                                  vault.CodeRemote,
	} {
		if err := (Remote{}).networkError(context.Background(), "fetch", said, errors.New("exit 128")); vault.CodeOf(err) != want {
			t.Errorf("%q: got %s, want %s", said, vault.CodeOf(err), want)
		}
	}
}

func TestRejection(t *testing.T) {
	why, ok := rejection("To file:///hub\n!\tabc:refs/heads/main\t[rejected] (fetch first)\nDone\n")
	if !ok || why != "[rejected] (fetch first)" {
		t.Errorf("got %q, %v", why, ok)
	}
	if _, ok := rejection("To x\n=\tabc:refs/heads/main\t[up to date]\nDone\n"); ok {
		t.Error("up to date is no rejection")
	}
}
