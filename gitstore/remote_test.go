package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
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

// What the disk says becomes one sentence, also when it says it many times.
func TestDiskErrors(t *testing.T) {
	of := func(path string, err error) error { return &fs.PathError{Op: "remove", Path: path, Err: err} }
	for _, row := range []struct {
		err  error
		want string
	}{
		{errors.Join(of("a", syscall.EIO), of("b", syscall.EIO)), "remove a: input/output error"},
		{errors.Join(nil, errors.Join(of("a", syscall.EROFS), of("b", syscall.EROFS))), "the repository lies on a file system that is mounted read-only"},
		{vault.Errorf(vault.CodeBusy, "", "ours"), "ours"},
	} {
		if got := plumb.IOError(row.err); got.Error() != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// A full disk is no matter of the network.
func TestNetworkErrors(t *testing.T) {
	for said, want := range map[string]vault.Code{
		"error: unable to write loose object file: No space left on device\nfatal: unpack-objects failed\n": vault.CodeIO,
		"fatal: unable to access 'http://x/': Could not resolve host: x\n":                                  vault.CodeRemote,
	} {
		if err := (&Repo{}).networkError(context.Background(), "fetch", said, errors.New("exit 128")); vault.CodeOf(err) != want {
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

// The stages of every conflict come with git's word for it.
func TestMergeTrees(t *testing.T) {
	w := newWorld(t).init("")
	w.write("a.md", "one\ntwo\nthree\n")
	w.write("gone.md", "x\n")
	w.write("both.md", "1\n\n2\n\n3\n")
	w.sh("git add -A && git commit -qm base && git branch side")
	w.write("a.md", "one\nours\nthree\n")
	w.write("both.md", "ours\n\n2\n\n3\n")
	w.sh("git rm -q gone.md && git add -A && git commit -qm ours && git checkout -q side")
	w.write("a.md", "one\ntheirs\nthree\n")
	w.write("gone.md", "x\ny\n")
	w.write("both.md", "1\n\n2\n\ntheirs\n")
	w.sh("git add -A && git commit -qm theirs && git checkout -q main")
	r, err := Find(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	m, err := r.MergeTrees(ctx, "main", "side")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]vault.Clash{}
	for _, c := range m.Clashes {
		got[c.Path] = c
	}
	if c := got["a.md"]; c.Kind != "contents" || c.Base == "" || c.Ours == "" || c.Theirs == "" {
		t.Errorf("a.md: %+v", c)
	}
	if c := got["gone.md"]; c.Kind != "modify/delete" || c.Ours != "" || c.Theirs == "" {
		t.Errorf("gone.md: %+v", c)
	}
	if len(got) != 2 {
		t.Errorf("got %+v", got)
	}
	tree, err := r.Rewrite(ctx, m.Tree, map[string][]byte{"a.md": []byte("settled\n"), "d/new.md": []byte("new\n"), "gone.md": nil})
	if err != nil {
		t.Fatal(err)
	}
	if text := w.sh("git show " + tree + ":a.md " + tree + ":d/new.md " + tree + ":both.md"); text != "settled\nnew\nours\n\n2\n\ntheirs\n" {
		t.Errorf("got %q", text)
	}
	all, err := r.Differences(ctx, "main", tree)
	var names []string
	for _, d := range all {
		names = append(names, d.Path)
	}
	if err != nil || strings.Join(names, " ") != "a.md both.md d/new.md" {
		t.Errorf("got %v, %v", names, err)
	}
	if w.sh("git status --porcelain") != "" {
		t.Error("the work tree or the index was touched")
	}
}
