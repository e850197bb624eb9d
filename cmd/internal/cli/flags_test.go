package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
)

// outcome is what a person sees of a command.
type outcome struct {
	exit     int
	out, err string
}

// typed runs a command line in an empty folder that is no vault.
func typed(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text.md"), []byte("Text."), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app.App{Env: func(string) string { return "" }, Dir: dir, Now: time.Now}
	exit := Run(context.Background(), a, console.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs}, args)
	return outcome{exit, out.String(), errs.String()}
}

// opens is what a command line says that was right, where there is no vault.
const opens = "there is no memory vault here or above"

func TestACommandLineIsCheckedBeforeAnythingIsOpened(t *testing.T) {
	for _, test := range []struct{ name, line, want string }{
		{"add: a pipe", "memory add", opens},
		{"add: --body", "memory add --body x", opens},
		{"add: text and --body", "memory add x --body y", "Error: cannot use both a text and --body\n"},
		{"add: words without quotes", "memory add two words", "Error: cp memory add takes one text in quotes, but got \"words\" too\n"},
		{"add: text twice", "memory add x --body-file text.md", "Error: cannot use both a text and --body-file\n"},
		{"add: a file", "memory add --body-file text.md", opens},
		{"add: stdin", "memory add --body-file -", opens},
		{"add: no such file", "memory add --body-file gone.md", "Error: Cannot read file 'gone.md': no such file or directory\n"},
		{"add-sub: no parent", "memory add-sub", "Error: a parent's id is required\n"},
		{"add-sub: no title", "memory add-sub pf-1 --body x", "Error: --title is required\n"},
		{"add-sub: a pipe", "memory add-sub pf-1 --title T --summary S", opens},
		{"add-sub: both bodies", "memory add-sub pf-1 --title T --body x --body-file y", "Error: cannot use both --body and --body-file\n"},
		{"add-sub: an empty body that was given is one", "memory add-sub pf-1 --title T --body= --summary S", opens},
		{"add-sub: --no-ai alone", "memory add-sub pf-1 --title T --body x --no-ai", "Error: --summary required when using --no-ai.\n"},
		{"add-sub: --no-ai comes before the file is read", "memory add-sub pf-1 --title T --body-file gone.md --no-ai", "Error: --summary required when using --no-ai.\n"},
		{"show: no budget", "memory show pf-1 --budget 0", "Error: --budget must be at least 1\n"},
		{"show: no id", "memory show", "Error: an id is required\n"},
		{"tree: depth 0", "memory tree --max-depth 0", "Error: --max-depth must be 1-10\n"},
		{"tree: depth 11", "memory tree --max-depth 11", "Error: --max-depth must be 1-10\n"},
		{"list: limit 0", "memory list --limit 0", "Error: Limit must be 1-1000.\n"},
		{"list: limit 1001", "memory list --limit 1001", "Error: Limit must be 1-1000.\n"},
		{"list: an argument", "memory list x", "Error: cp memory list takes no arguments, but got \"x\"\n"},
		{"hot: negative", "memory hot --min-depth -1", "Error: --min-depth must not be negative\n"},
		{"move: nowhere", "memory move pf-1", "Error: a new parent's id or --root is required\n"},
		{"move: two places", "memory move pf-1 pf-2 --root", "Error: a new parent and --root are mutually exclusive\n"},
		{"update: nothing", "memory update pf-1", "Error: nothing to change: give --title, --body, --append, --label, --summary, --status or --about\n"},
		{"update: an empty title is a change", "memory update pf-1 --title=", opens},
		{"defer: no day", "memory defer pf-1", "Error: --until is required\n"},
		{"defer: no date", "memory defer pf-1 --until soon", "Error: Invalid duration: 'soon'. Use format like '7d', '24h', or '2026-01-01'\n"},
		{"export: to a person", "memory export", "Error: give a form, -o json, jsonl or yaml, or a folder, --to DIR\n"},
		{"import: nothing", "memory import", "Error: a folder or file is required\n"},
		{"an unknown form", "memory list -o xml", "Error: unknown output format 'xml'\nhint: use -o text, -o json, -o yaml or -o jsonl\n"},
		{"an unknown flag", "memory list --bogus", "Error: unknown flag: --bogus\nhint: see `cp memory list --help`\n"},
		{"a flag that is no number", "memory show pf-1 --depth x", "Error: --depth takes a whole number, but got \"x\"\nhint: see `cp memory show --help`\n"},
		{"a mistyped command", "memory shwo pf-1", "Error: unknown command \"shwo\" for `cp memory`\nhint: did you mean `cp memory show`?\n"},
		{"a command of the program", "memory init", "Error: unknown command \"init\" for `cp memory`\nhint: it is `cp init`\n"},
		{"an unknown command", "memory frobnicate", "Error: unknown command \"frobnicate\" for `cp memory`\nhint: see `cp memory --help`\n"},
		{"an escape sequence in an argument", "memory \x1b[31m", "Error: unknown command \"\\x1b[31m\" for `cp memory`\n"},
		{"all is well", "memory tree", opens},
	} {
		got := typed(t, "from stdin", strings.Split(test.line, " ")...)
		if got.exit != 1 || got.out != "" || !strings.Contains(got.err, test.want) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 1 and %q", test.name, got.exit, got.out, got.err, test.want)
		}
	}
}

// An empty pipe is no text: a program that calls us without one gets an answer.
func TestAnEmptyPipeIsNoText(t *testing.T) {
	for line, name := range map[string]string{"memory add --title T": "add", "memory add-sub pf-1 --title T": "add-sub"} {
		want := "Error: a text is required: --body, --body-file or a pipe\nhint: see `cp memory " + name + " --help`\n"
		if got := typed(t, " \n", strings.Split(line, " ")...); got.exit != 1 || got.err != want {
			t.Errorf("%s: got %+v, want %q", line, got, want)
		}
	}
}

func TestErrorsAreADocumentForPrograms(t *testing.T) {
	for _, line := range []string{"memory show pf-1 --budget -1 -o json", "-ojson memory show --budget=-1 pf-1", "memory show pf-1 --bogus --output=json", "memory show pf-1 --bogus -o json"} {
		got := typed(t, "", strings.Split(line, " ")...)
		var doc struct {
			Error struct{ Code, Message, Hint string }
		}
		if err := json.Unmarshal([]byte(got.err), &doc); err != nil || doc.Error.Code != "invalid_argument" || doc.Error.Message == "" || doc.Error.Hint == "" {
			t.Errorf("%s: %v, %q", line, err, got.err)
		}
		if got.out != "" || got.exit != 1 {
			t.Errorf("%s: exit %d, stdout %q", line, got.exit, got.out)
		}
	}
	if got := typed(t, "", "memory", "show", "pf-1", "--bogus", "-o", "yaml"); !strings.HasPrefix(got.err, "error:\n  code: invalid_argument\n") {
		t.Errorf("YAML: %q", got.err)
	}
}

// A name that is given and empty is refused by whatever command, before anything is opened.
func TestAnEmptyNameIsNoName(t *testing.T) {
	flags, tried := map[string]bool{}, 0
	refused := func(want string, line ...string) {
		tried++
		got := typed(t, "", line...)
		got.err = strings.NewReplacer("[validation] ", "Error: ", "\n→ ", "\nhint: ").Replace(got.err) // a capture's words
		if got.exit != 1 || !strings.HasPrefix(got.err, "Error: "+want+"\nhint: see `cp ") {
			t.Errorf("%q: exit %d, %q; want %q", line, got.exit, got.err, want)
		}
	}
	for _, cmd := range commands(Root(new(app.App), console.Streams{})) {
		line, usage := strings.Fields(cmd.CommandPath())[1:], strings.Fields(cmd.Use)[1:]
		if cmd.Name() == "merge-driver" || cmd.Name() == "completion" {
			continue // a program calls the one, and the other knows a few words
		}
		args := slices.Repeat([]string{"x"}, least(cmd))
		try := func(f *pflag.Flag) {
			if what, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"id", "hash", "operation", "revision"}, what) && !slices.Contains(naming, f.Name) {
				t.Errorf("%s --%s is a %s, and may be empty", cmd.CommandPath(), f.Name, what)
			}
			if slices.Contains(naming, f.Name) && f.Value.Type() == "string" {
				flags[f.Name] = true
				refused("--"+f.Name+" is empty; give it or leave it out", append(slices.Concat(line, args), "--"+f.Name+"= ")...)
			}
		}
		cmd.Flags().VisitAll(try)
		if cmd.Name() == "status" {
			cmd.InheritedFlags().VisitAll(try)
		}
		for i := range args {
			if what := usage[min(i, len(usage)-1)]; isNaming(what) {
				blank := slices.Clone(args)
				blank[i] = ""
				refused("the argument "+what+" is empty", slices.Concat(line, blank)...)
			}
		}
	}
	if len(flags) != len(naming) || tried < 80 {
		t.Errorf("tried %d times with %v", tried, slices.Sorted(maps.Keys(flags)))
	}
}

// least returns how many arguments a command needs, where no flag is in their place.
func least(cmd *cobra.Command) (n int) {
	for n < 3 && !strings.Contains(cmd.Use, " [<") && cmd.ValidateArgs(slices.Repeat([]string{"x"}, n)) != nil {
		n++
	}
	return n
}

func TestGroupsPrintTheirHelp(t *testing.T) {
	for _, line := range []string{"memory", "shard", "memory --help", "memory add-sub --help"} {
		got := typed(t, "", strings.Split(line, " ")...)
		if got.exit != 0 || got.err != "" || !strings.Contains(got.out, "Usage:") {
			t.Errorf("%s: exit %d, stderr %q, stdout %q", line, got.exit, got.err, got.out)
		}
	}
}
