package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cp-memory/cp/testdata/generatetest"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// TestScript runs the stories in testdata/script through the real program. Each
// starts with a home of its own and a git identity; a vault is made by the
// story. Besides testscript's own commands there are
//
//	json VAR PATH    set VAR from the JSON on the last stdout: .id, .0.children.1.id, .children.len
//	healthy [DIR]    the vault in DIR is whole: fsck, no residue, nothing staged
//	                 or half done, blocks and index in agreement with the files
//	typed            the commands below "hint: run these" of the last error are typed
//	edit FILE OLD NEW   a person's edit, typed into the file
//	model VENDOR NAME   a language model is configured: a fake that plays NAME
//	prompts FILE        what it was asked
//	embedder VENDOR NAME   an embedding model is configured: a fake that plays
//	                       NAME; or static, written into the folder NAME
//	serve USER PASSWORD    git's server answers over HTTP at $SERVER, for the
//	                       repositories in the working folder
//	surf [FLAG...]         cp memory browse serves the vault at $SERVER; get, send and seen are
//	                       the browser: get PATH STATUS [TEXT...], send PATH STATUS
//	                       [NAME=VALUE...], seen [!]TEXT...
//	unchanged [before]     the clone in the working folder is what it was before
func TestScript(t *testing.T) {
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               stories(t),
		Setup:               func(env *testscript.Env) error { return home(env, filepath.Dir(cp)) },
		RequireExplicitExec: true,
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"json": setFromJSON, "healthy": healthy, "typed": typed, "edit": edit, "model": model, "prompts": prompts, "embedder": embedder,
			"serve": serve, "surf": surf, "get": pageGet, "send": pageSend, "seen": pageSeen, "unchanged": unchanged,
		},
	})
}

// long are stories that take five seconds of processor time and more.
var long = []string{"bad-a-block-with-too-many-entries", "bad-foreign-types", "branch-and-remotes", "edge-a-path-in-any-form",
	"edge-an-unknown-project-among-many", "story-families-write", "story-undo-of-several"}

// stories returns the files of the stories. Short of make check they are those of the seed, and
// every tenth one of the others, without the long ones.
func stories(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(all) < 200 {
		t.Fatalf("there are %d stories, %v", len(all), err)
	}
	for i, name := range all {
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		if testlevel.IsCheck() || strings.HasPrefix(base, "seed-") || i%10 == 0 && !slices.Contains(long, base) {
			files = append(files, name)
		}
	}
	return files
}

// condition adds [root]: whether permissions mean nothing here, and [mounts]: whether
// unshare -rm gives a namespace to mount in.
func condition(name string) (bool, error) {
	switch name {
	case "mounts":
		return exec.Command("unshare", "-rm", "true").Run() == nil, nil
	case "root":
		return powerful()
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// powerful reports whether permissions mean nothing here.
func powerful() (bool, error) {
	f, err := os.CreateTemp("", "cp-test-")
	if err != nil {
		return false, err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(f.Close(), os.Chmod(f.Name(), 0)); err != nil {
		return false, err
	}
	_, err = os.ReadFile(f.Name())
	return err == nil, nil
}

// home gives a story a home with a git identity, and the program on its PATH.
func home(env *testscript.Env, bin string) error {
	env.Values[served{}] = new(*generatetest.Server)
	env.Values[surfer{}] = new(*browser)
	dir := filepath.Join(env.WorkDir, "home")
	env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("HOME", dir)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("NO_COLOR", "1")
	env.Setenv("TERM", "dumb")
	env.Setenv("EDITOR", "false")
	for _, name := range []string{"CP_VAULT", "CP_AGENT", "CP_PROJECT", "VISUAL"} {
		env.Setenv(name, "")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ".gitconfig"),
		[]byte("[user]\n\tname = Penny Fold\n\temail = penny@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"), 0o644)
}

func setFromJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: json VAR PATH")
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	for key := range strings.SplitSeq(strings.TrimPrefix(args[1], "."), ".") {
		doc = member(ts, doc, key)
	}
	ts.Setenv(args[0], fmt.Sprint(doc))
}

// member steps into a JSON value: by key, by position, or "len" for how many.
func member(ts *testscript.TestScript, doc any, key string) any {
	switch v := doc.(type) {
	case map[string]any:
		if val, ok := v[key]; ok {
			return val
		}
	case []any:
		var n int
		if key == "len" {
			return len(v)
		}
		if _, err := fmt.Sscan(key, &n); err == nil && n < len(v) {
			return v[n]
		}
	}
	ts.Fatalf("no %q in %v", key, doc)
	return nil
}

// edit replaces the first OLD by NEW in a file, in place, as an editor does.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(text, args[1], args[2], 1)), 0o644))
}

// typed runs the commands that the last error gave, one a line below its hint.
func typed(ts *testscript.TestScript, neg bool, args []string) {
	_, commands, ok := strings.Cut(ts.ReadFile("stderr"), "hint: run these, ")
	if !ok {
		ts.Fatalf("the last error gives no commands")
	}
	_, commands, _ = strings.Cut(commands, "\n")
	ts.Check(ts.Exec("sh", "-ec", commands))
}

// healthy ends a story that wrote to a vault.
func healthy(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(".")
	if len(args) == 1 {
		dir = ts.MkAbs(args[0])
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			ts.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	git("fsck", "--strict", "--no-dangling")
	if staged := git("diff", "--cached", "--name-status"); staged != "" {
		ts.Fatalf("staged after the story:\n%s", staged)
	}
	for state := range strings.Lines(git("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir")) {
		state = strings.TrimSpace(state) + "/cp"
		for _, pattern := range []string{"/*/tx/*.json*", "/*/mark/[^c]*", "/../index.lock", "/../gc.pid", "/../refs/heads/*.lock"} {
			if left, _ := filepath.Glob(state + pattern); len(left) > 0 {
				ts.Fatalf("left behind: %v", left)
			}
		}
	}
	ts.Check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".cp-") {
			ts.Fatalf("left behind: %s", path)
		}
		return nil
	}))
	ts.Check(ts.Exec("cp", "memory", "sync", "--dry-run", "--vault", dir))
	out := ts.ReadFile("stdout")
	if ejected := out == ""; !ejected && !strings.Contains(out, "All pointer blocks are in sync") {
		ts.Fatalf("not in sync:\n%s", out)
	}
}
