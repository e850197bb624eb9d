package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/topics"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault/doctor"
)

// The examples in the help topics print what they promise; "…" stands for
// anything.
func TestTheExamplesInTheTopicsAreTrue(t *testing.T) {
	base := build(t, "cp")
	for _, topic := range topics.All() {
		t.Run(topic.Name, func(t *testing.T) {
			if _, err := exec.LookPath("sqlite3"); err != nil && topic.Name == "sql" {
				t.Skip("no sqlite3")
			}
			p := base.in(t, nil)
			p.must("cp init")
			text, _ := topics.FindTopic(topic.Name)
			for _, e := range examples(text) {
				r := p.sh(e.line)
				printed := strings.TrimSpace(r.out + "\n" + r.err)
				pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(e.prints)), "…", "(?s:.*)")
				if !regexp.MustCompile("^" + pattern + "$").MatchString(printed) {
					t.Errorf("$ %s\n%s\nwant\n%s", e.line, printed, e.prints)
				}
			}
		})
	}
}

// example is a command line in a topic, and what it prints.
type example struct{ line, prints string }

// examples finds the lines that begin with "    $ " and the block below each.
func examples(text string) []example {
	var found []example
	in := false
	for line := range strings.Lines(text) {
		body, indented := strings.CutPrefix(line, "    ")
		switch command, is := strings.CutPrefix(body, "$ "); {
		case indented && is:
			found, in = append(found, example{line: strings.TrimSpace(command)}), true
		case in && indented:
			found[len(found)-1].prints += body
		default:
			in = false
		}
	}
	return found
}

func TestVersion(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	if got := p.must("cp version"); !regexp.MustCompile(`^cp version \S+.*\nformats: vault \d+, index \d+\nmade with: go\S+, SQLite [\d.]+, for linux/\w+$`).MatchString(got) {
		t.Errorf("got %q", got)
	}
	var v app.Versions
	if err := json.Unmarshal([]byte(p.must("cp version -o json")), &v); err != nil || v.Git == "" || v.SQLite == "" || v.Go == "" || v.Version == "" || v.Formats.Vault == 0 || v.Formats.Index == 0 {
		t.Errorf("got %+v, %v", v, err)
	}
	if r := p.sh("cp version -o xml"); r.exit != 1 || !strings.Contains(r.err, "unknown output format 'xml'") {
		t.Errorf("got %+v", r)
	}
	if got := p.must("cp version -o json", "PATH="+p.bin); !strings.Contains(got, `"git": ""`) {
		t.Errorf("without git: %s", got)
	}
}

// With --check it asks once, and names what is newer; nobody to ask is an error with a hint.
func TestVersionIsChecked(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	asked, newest := 0, "v99.0.0"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		_, _ = fmt.Fprintf(w, `{"tag_name": %q}`, newest)
	}))
	at := "CP_RELEASES=" + server.URL
	if got := p.must("cp version --check", at); !strings.Contains(got, "\nnewest: v99.0.0\nNext: https://github.com/cp-memory/cp/releases") {
		t.Errorf("got %s", got)
	}
	var v app.Versions
	if err := json.Unmarshal([]byte(p.must("cp version --check -o json", at)), &v); err != nil || v.Newest != newest || v.Update == "" {
		t.Errorf("got %+v, %v", v, err)
	}
	p.must("cp version; cp version -o json; cp init; cp doctor; cp memory add x; cp memory recall x; cp status; cp help", at)
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	server.Close()
	r := p.sh("cp version --check -o json", at)
	if r.exit != 1 || !strings.Contains(r.err, `"code": "remote_failed"`) || !strings.Contains(r.err, `"hint"`) {
		t.Errorf("offline: %+v", r)
	}
}

// checks runs doctor and returns its records by name; several of one name are
// the last one, unless it is fine.
func checks(t *testing.T, p *program, line string) map[string]doctor.Finding {
	t.Helper()
	var records []doctor.Finding
	r := p.sh(line)
	if err := json.Unmarshal([]byte(r.out), &records); err != nil {
		t.Fatalf("%s: %v\n%+v", line, err, r)
	}
	bad, byName := 0, map[string]doctor.Finding{}
	for _, c := range records {
		if c.Severity == "error" {
			bad++
		}
		if c.Severity != "ok" && c.Severity != "info" && c.Fix == "" {
			t.Errorf("no fix for %+v", c)
		}
		if _, there := byName[c.Check]; !there || c.Severity != "ok" {
			byName[c.Check] = c
		}
	}
	if want := min(bad, 1); r.exit != want {
		t.Errorf("%s: exit %d with %d errors", line, r.exit, bad)
	}
	return byName
}

// Each row damages a vault and says which check has to see it.
func TestDoctorSees(t *testing.T) {
	rows := []struct{ name, damage, check, severity, says string }{
		{"a healthy vault", "", "repository", "ok", "at "},
		{"an old lock of git's", ": >.git/index.lock; touch -d '2 minutes ago' .git/index.lock", "git_locks", "warning", "no git runs here"},
		{"a young lock", ": >.git/index.lock", "git_locks", "info", "index.lock"},
		{"a lock with something in it", "echo x >.git/HEAD.lock; touch -d '2 minutes ago' .git/HEAD.lock", "git_locks", "warning", "2 bytes"},
		{"an empty ref", ": >.git/refs/heads/x", "git_files", "error", "refs/heads/x is empty"},
		{"an empty object", "mkdir -p .git/objects/ab; : >.git/objects/ab/cd", "git_files", "error", "objects/ab/cd is empty"},
		{"no attributes", "git rm -q .gitattributes", "gitattributes", "info", "is missing"},
		{"an ignored vault", "echo '*.md' >.gitignore", "gitignore", "warning", "git ignores"},
		{"a rebase", "git rev-parse HEAD >.git/rebase-merge-x; mkdir .git/rebase-merge", "repository", "warning", "rebase"},
		{"a foreign key", "echo 'editor: evil' >>.cp/vault.yaml", "settings", "warning", "editor is not taken"},
		{"a misspelt key", "echo 'projct: x' >>.cp/vault.yaml", "settings", "info", "unknown key \"projct\""},
		{"a broken marker", "echo 'a: [' >.cp/vault.yaml", "vault", "error", "cannot parse"},
		{"no vault", "rm -r .cp", "vault", "error", "no memory vault"},
		{"no repository", "rm -rf .git", "repository", "error", "in no git repository"},
		{"an index set aside", "cp memory list; printf garbage >.cp/index.db; cp memory list", "index_bad", "info", "set aside"},
		{"vectors set aside", "printf garbage >.git/cp/root/vectors.db.bad", "set_aside", "info", "embed-backfill"},
		{"counts set aside", "printf garbage >.git/cp/root/usage.db; cp memory list; cp memory show $(ls *.md)", "set_aside", "info", "counts"},
		{"a hand-made file", "echo '# x' >x.md", "pointers", "warning", "new_file"},
		{"a nested repository", "git init -q sub; echo '# x' >sub/x.md", "nested_repositories", "warning", "sub"},
	}
	base := build(t, "cp")
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := base.in(t, nil)
			p.must("cp init && cp memory add 'a memory'")
			p.must(row.damage)
			const state = "find . -path ./.cp -prune -o -path ./.git/cp -prune -o -printf '%p %s %T@\n' | sort"
			before := p.must(state)
			if c := checks(t, p, "cp doctor -o json")[row.check]; c.Severity != row.severity || !strings.Contains(c.Evidence+string(c.Path), row.says) {
				t.Errorf("got %+v", c)
			}
			if after := p.must(state); after != before {
				t.Errorf("it changed something:\n%s\nwas\n%s", after, before)
			}
		})
	}
}

// doctor --fix shows its plan, needs a yes, and leaves a vault that is well.
func TestDoctorFix(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("cp init && cp memory add 'a memory'")
	if out := p.must("cp doctor --fix"); out != "There is nothing to mend." {
		t.Errorf("got %q", out)
	}
	p.must(": >.git/index.lock; touch -d '2 minutes ago' .git/index.lock; echo '# by hand' >hand.md")
	r := p.sh("cp doctor --fix </dev/null")
	if r.exit != 1 || !strings.Contains(r.err, "remove the lock") || !strings.Contains(r.err, "hand.md") || !strings.Contains(r.err, "--yes") || !p.has(".git/index.lock") {
		t.Errorf("without a yes: %+v", r)
	}
	p.must("cp doctor --fix --yes")
	if p.has(".git/index.lock") || !strings.Contains(p.read("hand.md"), "id: dr-") || p.must("git status --short") != "" {
		t.Error("it is not mended")
	}
	for name, c := range checks(t, p, "cp doctor -o json") {
		if c.Severity == "error" || c.Severity == "warning" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestStatus(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("cp init --project Demo --agent agent-a && cp memory add one && cp memory add two && cp memory resolve $(cp memory list -o jsonl | head -n 1 | grep -o 'dm-[a-z0-9]*' | head -n 1)")
	out := p.must("cp status")
	for _, want := range []string{"cp memory\n", "  Project:     Demo\n", "  Agent:       agent-a\n", "  Status:      HEALTHY\n", "  Shards:      2 (1 open, 1 closed, 0 other)\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	p.must("echo '---' >bad.md; echo 'title: [' >>bad.md; echo '---' >>bad.md")
	if out := p.must("cp status"); !strings.Contains(out, "INCONSISTENT") || !strings.Contains(out, "Problems:    1") {
		t.Errorf("got\n%s", out)
	}
	if out := p.must("rm -rf .git; cp status"); !strings.Contains(out, "no branch") {
		t.Errorf("without git:\n%s", out)
	}
	if r := p.sh("cd / && cp status"); r.exit != 1 || !strings.Contains(r.err, "hint: Run `cp init` to configure.") {
		t.Errorf("without a vault: %+v", r)
	}
}

// An interrupt ends the waiting for a lock, and says so.
func TestAnInterruptEndsTheProgram(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	p.must("cp init")
	hold := exec.Command("flock", filepath.Join(p.dir, ".git/cp/root/lock"), "sh", "-c", "echo held; exec sleep 60")
	out, err := hold.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := hold.Start(); err != nil {
		t.Skip("no flock")
	}
	defer func() { _ = hold.Process.Kill(); _ = hold.Wait() }()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	add := exec.Command(filepath.Join(p.bin, "cp"), "memory", "add", "waiting", "--debug")
	add.Dir, add.Env = p.dir, p.env
	said, err := add.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := add.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 4096) // the first debug line: the signals are caught by then
	if _, err := said.Read(text); err != nil {
		t.Fatal(err)
	}
	if err := add.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(said)
	if err != nil {
		t.Fatal(err)
	}
	_ = add.Wait()
	if exit := add.ProcessState.ExitCode(); exit != 130 || !strings.Contains(string(rest), "stopped by a signal (interrupt)") {
		t.Errorf("exit %d\n%s", exit, rest)
	}
}

// A reader that goes away is no error to tell of.
func TestABrokenPipeIsQuiet(t *testing.T) {
	p := build(t, "cp").in(t, nil)
	if r := p.sh("cp completion bash | true; cp help format | head -n 0"); r.err != "" {
		t.Errorf("got %+v", r)
	}
}

// A build without full-text search says at once what to do, and copies files.
func TestWithoutFullTextSearch(t *testing.T) {
	testlevel.Check(t)
	p := build(t, "cp").in(t, map[string]string{"a": "text"})
	if out, err := exec.Command("go", "build", "-o", filepath.Join(p.bin, "cp"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := p.sh("cp memory list")
	if r.exit != 1 || strings.Contains(r.err, "\n") || !strings.Contains(r.err, "go build -tags sqlite_fts5 ./cmd/cp") {
		t.Errorf("got %+v", r)
	}
	p.must("cp a b")
}

// Files are completed where commands are, since cp still copies files.
func TestCompletion(t *testing.T) {
	p := build(t, "cp").in(t, map[string]string{"main.go": "", "README": "", ".m": ""})
	for line, want := range map[string]string{
		"cp __complete m":             "mcp\tServe the memories to an agent (Model Context Protocol)\nmemory\tRead and write memories\nmain.go\n:0",
		"cp __complete R":             ":0",
		"cp __complete a b":           ":0",
		"cp __complete completion z":  "zsh\n:4",
		"cp __complete -r R":          ":0",
		"cp __complete memory add-su": "add-sub\tCreate a memory below another\n:4",
	} {
		if got := p.sh(line).out; got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out := p.must("cp completion " + shell); !strings.Contains(out, "cp") {
			t.Errorf("%s: %.80q", shell, out)
		}
	}
	p.must("cp completion bash | bash -n")
	if r := p.sh("cp completion ksh"); r.exit != 1 || !strings.Contains(r.err, "bash, zsh, fish and powershell") {
		t.Errorf("got %+v", r)
	}
}
