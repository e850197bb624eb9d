package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault/sync"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// desk is a scratch vault and a person or program at it.
type desk struct {
	t      *testing.T
	root   string
	person bool   // at a terminal
	types  string // what comes from stdin
	out    *failing
	errs   io.Writer        // stderr; nil for one that is kept
	model  phrase.Generator // who writes phrases; nil for nobody
	ctx    context.Context  // nil for one without end
}

// scratch makes an empty vault in a repository of its own.
func scratch(t *testing.T) *desk {
	t.Helper()
	if testing.Short() {
		t.Skip("makes git repositories")
	}
	d := &desk{t: t, root: t.TempDir()}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	d.git("init", "-q", "-b", "main")
	d.git("config", "user.name", "A Person")
	d.git("config", "user.email", "person@example.com")
	d.write(".cp/vault.yaml", "format: 1\nproject: test\nprefix: pf\n")
	d.write(".cp/.gitignore", "*\n!vault.yaml\n!.gitignore\n")
	d.git("add", "-A")
	d.git("commit", "-qm", "a vault")
	return d
}

func (d *desk) git(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = d.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// failing is a writer that takes so many bytes and then is a full disk.
type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// run runs a command line.
func (d *desk) run(args ...string) outcome {
	d.t.Helper()
	var out, errs bytes.Buffer
	streams := console.Streams{In: strings.NewReader(d.types), Out: &out, Err: &errs, InTTY: d.person, OutTTY: d.person, ErrTTY: d.person, Width: 60}
	a := &app.App{
		Env: func(string) string { return "" }, Dir: d.root, Now: time.Now, Finder: func(s *app.Session) *recall.Finder {
			return &recall.Finder{Vault: s.Vault, Lexicon: s.Lexicon}
		},
		Wire:    d.wire,
		Watcher: func(*app.Session) (tree.Watcher, bool) { return tree.Watcher{}, false },
		GitTop:  func(string) (string, error) { return "", vault.Errorf(vault.CodeNoGit, "", "no git here") },
		Tracked: func(context.Context, string, string) ([]string, error) { return nil, nil },
		IgnoredFolders: func(context.Context, string) (func(string) string, error) {
			return func(string) string { return "" }, nil
		},
	}
	if d.out != nil {
		streams.Out = d.out
	}
	if d.errs != nil {
		streams.Err = d.errs
	}
	ctx := d.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	if d.model != nil {
		a.Env = func(name string) string { return map[string]string{"CP_GENERATION_PROVIDER": "test"}[name] }
		a.Generator = func(settings.Generation) (phrase.Generator, error) { return d.model, nil }
	}
	exit := Run(ctx, a, streams, append([]string{"--agent", "agent-penfold"}, args...))
	return outcome{exit, out.String(), errs.String()}
}

func (d *desk) wire(_ context.Context, s settings.Settings) (o app.Opened, err error) {
	repo, err := gitstore.FindRepo(s.Root)
	if err != nil {
		return o, err
	}
	store, err := worktree.Open(s.Root, vaulttest.Ports(repo), worktree.Options{Wait: s.LockTimeout, Now: time.Now, Random: rand.Reader})
	if err != nil {
		return o, err
	}
	usage, err := usage.Open(filepath.Join(store.CommonStateDir(), "usage.db"))
	if err != nil {
		return o, err
	}
	mirror, err := index.Open(filepath.Join(s.Root, ".cp", "index.db"), index.Options{Source: store.Ports().Source, Folders: store, Usage: usage, Now: time.Now, Wait: s.LockTimeout})
	if err != nil {
		return o, err
	}
	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Usage: usage, Prefix: s.Prefix, Agent: s.Agent, Now: time.Now, Random: rand.Reader, Deliverable: tree.Deliverable()}
	return app.Opened{Syncer: &sync.Syncer{Vault: v}, Index: mirror, State: store, Lexicon: mirror,
		Close: func() error { return errors.Join(mirror.Close(), usage.Close()) }}, nil
}

// done runs a command line that has to succeed and returns its answer.
func (d *desk) done(args ...string) string {
	d.t.Helper()
	got := d.run(args...)
	if got.exit != 0 {
		d.t.Fatalf("%q: exit %d\n%s%s", args, got.exit, got.out, got.err)
	}
	return got.out
}

// id runs a command that makes a memory and returns its id.
func (d *desk) id(args ...string) string {
	d.t.Helper()
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(d.done(append(args, "-o", "json")...)), &made); err != nil {
		d.t.Fatal(err)
	}
	return made.ID
}

func (d *desk) child(parent, title string) string {
	d.t.Helper()
	return d.id("memory", "add-sub", parent, "--title", title, "--body", "About "+title+".", "--summary", "When "+title, "--auto-approve")
}

// fails checks how a command line ends that cannot do its job.
func (d *desk) fails(want string, args ...string) {
	d.t.Helper()
	if got := d.run(args...); got.exit != 1 || !strings.Contains(got.err, want) || got.out != "" {
		d.t.Errorf("%q: exit %d, stdout %q, stderr %q; want %q", args, got.exit, got.out, got.err, want)
	}
}

func TestAddSubChecksTheParentBeforeItAsks(t *testing.T) {
	d := scratch(t)
	d.write("task.md", "---\nid: pf-task\ntitle: A task\ntype: task\n---\n")
	a := d.id("memory", "add", "A")
	sub := func(parent string, more ...string) []string {
		return append([]string{"memory", "add-sub", parent, "--title", "T", "--body", "x"}, more...)
	}
	d.fails("Error: Shard pf-nope not found", sub("pf-nope", "--summary", "S")...)
	d.fails("Error: Shard pf-task is type 'task', expected 'memory'", sub("pf-task", "--summary", "S")...)
	d.fails(`Error: AI summary generation requires generation config. Use --no-ai --summary "..." to bypass`, sub(a)...)
	d.fails("Error: AI summary generation requires", sub(a, "--auto-approve", "--summary", " ")...)
	d.done("memory", "resolve", a)
	d.fails("is closed", sub(a, "--summary", "S")...)
}

func TestADeepPlaceIsAskedAbout(t *testing.T) {
	d := scratch(t)
	at := d.id("memory", "add", "level 0")
	for _, level := range []string{"1", "2", "3", "4", "5"} {
		at = d.id("memory", "add-sub", at, "--title", level, "--body", "x", "--summary", "S") // nothing is asked up to here
	}
	deep := []string{"memory", "add-sub", at, "--title", "six", "--body", "x", "--summary", "S"}
	question := "This memory will be at depth 6. Deep hierarchies increase access latency. Continue? (y/n)"
	d.fails(question, deep...)
	d.fails("hint: say yes with --auto-approve", deep...)
	d.person, d.types = true, "n\n"
	d.fails("cancelled; nothing was created", deep...)
	if got := d.done("memory", "list", "-o", "jsonl"); strings.Count(got, "\n") != 6 {
		t.Errorf("something was created:\n%s", got)
	}
	d.types = "y\n"
	if got := d.run(deep...); got.exit != 0 || !strings.Contains(got.err, question) {
		t.Errorf("yes: %+v", got)
	}
	d.person = false
	d.done(append(deep[:len(deep):len(deep)], "--auto-approve")...)
}

func TestDeleteAsksAPersonAndNobodyElse(t *testing.T) {
	d := scratch(t)
	a := d.id("memory", "add", "A")
	b := d.child(a, "B")
	d.child(b, "C")
	d.fails("Error: Memory has 1 child", "memory", "delete", b) // before any question
	d.types = "y\n"
	d.fails("say yes with --force", "memory", "delete", b, "--recursive") // a pipe is nobody
	d.person = true
	got := d.run("memory", "delete", b, "--recursive")
	if got.exit != 0 || !strings.HasSuffix(got.err, "Delete B and 1 descendant? (y/n) ") { // a slow machine shows how long it takes before
		t.Errorf("recursive: %+v", got)
	}
	d.types = "no\n"
	d.fails("Delete memory \"A\" ("+a+")?\n[y/N] Error: cancelled; nothing was deleted", "memory", "delete", a)
	d.types = ""
	if got := d.done("memory", "delete", a, "--force", "-o", "json"); got != "{\n  \"deleted\": [\n    \""+a+"\"\n  ],\n  \"parent_updated\": null\n}\n" {
		t.Errorf("JSON: %s", got)
	}
}

func TestWhatHasToWaitIsSaidAndDelivered(t *testing.T) {
	d := scratch(t)
	a := d.id("memory", "add", "A")
	d.git("checkout", "-q", "--detach")
	got := d.run("memory", "add", "Noted on no branch")
	if got.exit != 75 || got.out != "saved; will be committed when a branch is checked out\n" {
		t.Errorf("text: %+v", got)
	}
	got = d.run("memory", "add-sub", a, "--title", "B", "--body", "x", "--summary", "S", "-o", "json")
	if got.exit != 75 || !strings.Contains(got.out, `"queued": true`) {
		t.Errorf("JSON: %+v", got)
	}
	d.fails("HEAD is detached", "memory", "update", a, "--title", "X")
	d.git("checkout", "-q", "main")
	got = d.run("memory", "add", "After")
	if got.exit != 0 || strings.Count(got.err, "committed what was waiting: pf-") != 2 {
		t.Errorf("delivery: %+v", got)
	}
	if tree := d.done("memory", "tree"); strings.Count(tree, "\n") != 4 || !strings.Contains(tree, "└── B (pf-") {
		t.Errorf("tree:\n%s", tree)
	}
}

// The three forms say the same, and an empty list is one in each of them.
func TestFormsAgree(t *testing.T) {
	d := scratch(t)
	for _, line := range []string{"memory list", "memory tree", "memory hot", "memory search nothing", "shard list", "memory export"} {
		if got := d.done(append(strings.Fields(line), "-o", "json")...); got != "[]\n" {
			t.Errorf("%s in an empty vault: %q", line, got)
		}
	}
	if got := d.done("memory", "tree"); got != "" {
		t.Errorf("an empty tree: %q", got)
	}
	a := d.id("memory", "add", "Deployment overview", "--label", "x, y", "--label", "z")
	d.child(a, "Rollback")
	d.done("memory", "show", a, "--depth", "1")
	for _, line := range []string{
		"memory list", "memory tree", "memory search rollback", "memory show " + a + " --depth 1", "memory path " + a, "shard show " + a,
		"shard list", "shard edges " + a, "memory sync --dry-run", "memory export", "memory hot --min-depth 0",
	} {
		var fromJSON, fromYAML any
		args := strings.Fields(line)
		steady(d, args)
		if err := json.Unmarshal([]byte(d.done(append(args, "-o", "json")...)), &fromJSON); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		steady(d, args)
		if err := yaml.Unmarshal([]byte(d.done(append(args, "-o", "yaml")...)), &fromYAML); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if diff := cmp.Diff(again(t, fromJSON), again(t, fromYAML)); diff != "" {
			t.Errorf("%s: JSON and YAML differ:\n%s", line, diff)
		}
	}
}

// steady makes the telemetry forget, so that two readings say the same.
func steady(d *desk, args []string) {
	if args[1] == "show" {
		_ = os.RemoveAll(filepath.Join(d.root, ".git", "cp"))
	}
}

// again passes a value through JSON, where numbers are all of one kind.
func again(t *testing.T, v any) (out any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTextFromAFileCannotSteerTheTerminal(t *testing.T) {
	d := scratch(t)
	d.write("evil.md", "---\nid: pf-evil\ntitle: \"a\\x1b[2Jb\\u202e\"\nlabels: [\"\\x1b]0;x\\a\"]\nsummary: \"\\x9b31m\"\n---\ntext \x1b[31m red\r\n\u202e end\n")
	d.person = true
	for _, line := range []string{"memory tree --stats", "memory list", "memory show pf-evil", "shard show pf-evil", "memory search red", "memory sync --dry-run", "memory list -o json", "memory show pf-evil -o yaml", "memory export -o jsonl"} {
		got := d.run(strings.Fields(line)...)
		for _, bad := range []string{"\x1b[2J", "\x1b]", "\x1b[31m", "\x07", "\u202e", "\u009b", "\r"} {
			if strings.Contains(got.out, bad) || bad != "\r" && strings.Contains(got.err, bad) { // a progress line has its own
				t.Errorf("%s lets through %q:\n%q", line, bad, got.out+got.err)
			}
		}
	}
}

func TestPagesSayWhatTheyLeftOut(t *testing.T) {
	d := scratch(t)
	for _, text := range []string{"one", "two", "three"} {
		d.done("memory", "add", text)
	}
	got := d.run("memory", "list", "--limit", "2")
	if strings.Count(got.out, "\n") != 3 || got.err != "1-2 of 3; the next ones: --offset 2\n" {
		t.Errorf("first page: %+v", got)
	}
	if got = d.run("memory", "list", "--limit", "2", "--offset", "2"); strings.Count(got.out, "\n") != 2 || got.err != "" {
		t.Errorf("last page: %+v", got)
	}
	if got = d.run("memory", "list", "--offset", "3", "-o", "json"); got.out != "[]\n" || !strings.Contains(got.err, "there are only 3") {
		t.Errorf("beyond: %+v", got)
	}
	if got = d.run("memory", "list", "--status", "closed"); got.exit != 0 || got.out != "No memories found.\n" {
		t.Errorf("none: %+v", got)
	}
	if got = d.run("memory", "search", "zebra"); got.exit != 0 || got.out != "No matching memories found.\n" {
		t.Errorf("no match: %+v", got)
	}
}

func TestIdsAreCompleted(t *testing.T) {
	d := scratch(t)
	a := d.id("memory", "add", "Deployment")
	if got := d.done("__complete", "memory", "show", a[:4]); !strings.HasPrefix(got, a+"\tDeployment\n") {
		t.Errorf("got %q", got)
	}
	if got := d.done("__complete", "memory", "move", a, ""); !strings.HasPrefix(got, a+"\t") {
		t.Errorf("the second argument of move: %q", got)
	}
	if got := d.done("__complete", "memory", "show", a, ""); strings.Contains(got, a) {
		t.Errorf("a second id for show: %q", got)
	}
}

func TestAnAnswerThatCannotBeWrittenIsAnError(t *testing.T) {
	d := scratch(t)
	d.done("memory", "add", "A")
	for _, line := range []string{"memory list", "memory list -o json", "memory export -o jsonl", "memory tree -o yaml"} {
		d.out = &failing{left: 3}
		if got := d.run(strings.Fields(line)...); got.exit != 1 || !strings.Contains(got.err, "no space left on device") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestExportNeverOverwrites(t *testing.T) {
	d := scratch(t)
	d.child(d.id("memory", "add", "Deployment"), "Rollback")
	out := filepath.Join(t.TempDir(), "out")
	if got := d.done("memory", "export", "--to", out); got != "Exported 2 files to "+out+"\n" {
		t.Errorf("got %q", got)
	}
	for _, name := range []string{"deployment.md", "deployment/rollback.md"} {
		want, _ := os.ReadFile(filepath.Join(d.root, name))
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	d.fails("exists; nothing was overwritten", "memory", "export", "--to", out)
	d.fails("lies in the vault", "memory", "export", "--to", "sub")
}

func TestEditCommitsWhatWasTyped(t *testing.T) {
	d := scratch(t)
	a := d.id("memory", "add", "First words")
	edit := func(editor string) outcome {
		config := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(config, []byte("editor: "+editor+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return d.run("memory", "edit", a, "--config", config)
	}
	if got := edit(`sed -i s/First/Second/`); got.exit != 0 || !strings.Contains(got.out, "Edited memory") {
		t.Errorf("edit: %+v", got)
	}
	if got := d.git("show", "HEAD:"+strings.TrimPrefix(strings.TrimSpace(d.done("memory", "path", a)), d.root+"/")); !strings.Contains(got, "Second words") {
		t.Errorf("HEAD has %s", got)
	}
	if got := edit("true"); got.exit != 0 || !strings.Contains(got.out, "Nothing to do") {
		t.Errorf("no change: %+v", got)
	}
	if got := edit("false"); got.exit != 1 || !strings.Contains(got.err, "nothing was committed") {
		t.Errorf("a failing editor: %+v", got)
	}
	if status := d.git("status", "--short"); status != "" {
		t.Errorf("git status:\n%s", status)
	}
}
