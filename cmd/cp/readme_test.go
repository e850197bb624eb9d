package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/topics"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// The README's ```console blocks are one session of a person, top to bottom. A
// line "$ command" is run, with the lines it goes on in after a "\"; what
// follows up to the next one is what it prints. A "…" stands for any text, of
// one line or several.

// step is one command of the session and what the README says it prints.
type step struct{ command, printed string }

func TestReadmeIsTrue(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := session(string(text))
	if len(steps) < 8 {
		t.Fatalf("found %d commands in the README", len(steps))
	}
	for i, said := range play(t, steps) {
		if s := steps[i]; !matches(s.printed, said) {
			t.Errorf("$ %s\nprints:\n%s\nthe README says:\n%s", s.command, said, s.printed)
		}
	}
}

// Each command that the README and the table of tasks name is there, with the flags that they name.
func TestReadmeNamesCommands(t *testing.T) {
	testlevel.Check(t)
	readme, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	tasks, _ := topics.FindTopic("tasks")
	text := string(readme) + tasks
	p := build(t, "cp").in(t, nil)
	named := regexp.MustCompile("`cp (help [a-z-]+|(?:memory (?:fact|findings) [a-z-]+|(?:memory|shard|admin) [a-z-]+)|recall|status|doctor|init|version)([^`]*)`").FindAllStringSubmatch(text, -1)
	if len(named) < 40 {
		t.Fatalf("found %d commands", len(named))
	}
	helps := make(map[string]string)
	for _, n := range named {
		help, known := helps[n[1]]
		if !known {
			words := strings.Fields(n[1])
			if words[0] != "help" {
				words = append(words, "--help")
			}
			r := p.sh("cp " + strings.Join(words, " "))
			help = r.out
			if helps[n[1]] = help; r.exit != 0 || words[0] != "help" && !regexp.MustCompile(`(?m)^  cp `+n[1]+`\b`).MatchString(help) {
				t.Errorf("cp %s is no command", n[1])
			}
		}
		for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(n[2], -1) {
			if !strings.Contains(help, flag) {
				t.Errorf("cp %s has no %s", n[1], flag)
			}
		}
	}
}

// The three lines of the bench that the README shows are lines of BENCH.md.
func TestReadmeShowsTheBench(t *testing.T) {
	tables := make(map[string][]string)
	for _, name := range []string{"README.md", "BENCH.md"} {
		text, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "<!-- bench -->\n")
		table, _, closed := strings.Cut(rest, "<!-- /bench -->")
		if !closed {
			t.Fatalf("%s holds no table between the bench's markers", name)
		}
		tables[name] = strings.Split(strings.TrimSpace(table), "\n")
	}
	if n := len(tables["README.md"]); n != 5 {
		t.Errorf("the README's table has %d lines, want its head and three rows", n)
	}
	for _, line := range tables["README.md"] {
		if !slices.Contains(tables["BENCH.md"], line) {
			t.Errorf("BENCH.md does not hold the README's line\n%s", line)
		}
	}
}

// command matches a command with the lines it goes on in.
var command = regexp.MustCompile(`^(?:.*\\\n)*.*`)

// session returns the commands of all console blocks.
func session(readme string) []step {
	var steps []step
	for _, block := range regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(readme, -1) {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			end := len(command.FindString(part))
			steps = append(steps, step{part[:end], strings.TrimPrefix(part[end:], "\n")})
		}
	}
	return steps
}

// boundary separates what the commands of a session print.
const boundary = "\x1e"

// play runs the commands in one shell, in a world in which a checkout of the
// source is in ~/cp, and returns what each printed, on either stream. It fails
// the test when a command fails.
func play(t *testing.T, steps []step) []string {
	t.Helper()
	checkout, err := filepath.Abs(top)
	if err != nil {
		t.Fatal(err)
	}
	script := "set -e -o pipefail; exec 2>&1; mkdir -p ~; ln -s '" + checkout + "' ~/cp\n"
	for _, s := range steps {
		script += s.command + "\nprintf '" + boundary + "'\n"
	}
	p := build(t, "cp")
	if err := os.Link(filepath.Join(p.bin, "cp"), filepath.Join(p.bin, "cp-memory")); err != nil {
		t.Fatal(err)
	}
	r := p.in(t, nil).sh(script, "LC_ALL=C.UTF-8", "CP_AGENT=ada",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	said := strings.Split(r.out, boundary)
	if last := len(said) - 1; r.exit != 0 {
		t.Errorf("$ %s\nexit %d:\n%s", steps[last].command, r.exit, said[last])
	}
	return said[:len(said)-1]
}

// passing is what differs from run to run: ids, commits, times, scores and
// this machine's folders.
var passing = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`\b(hn|sh)-[0-9a-hjkmnp-tv-z]{8}\b`), "$1-········"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`), "TIME"},
	{regexp.MustCompile(`(?m)^[0-9a-f]{7} `), "COMMIT "},
	{regexp.MustCompile(`/\S*/(handbook|shop)\b`), "~/$1"},
	{regexp.MustCompile(`"score": [0-9.]+`), `"score": 0`},
	{regexp.MustCompile(`(?m)^[01]\.\d\d  `), "0.00  "},
}

// matches reports whether what was printed is what was promised.
func matches(promised, printed string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(settled(promised)), "…", "(?s:.*)")
	return regexp.MustCompile("^" + pattern + "$").MatchString(settled(printed))
}

// settled replaces what differs from run to run and drops spaces at line ends.
func settled(text string) string {
	for _, p := range passing {
		text = p.form.ReplaceAllString(text, p.as)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
