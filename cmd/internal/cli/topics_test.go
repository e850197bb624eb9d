package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/topics"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sync"
)

// Every topic in the list has a text, and every text is in the list.
func TestTopicsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, topic := range topics.All() {
		listed[topic.Name+".md"] = true
		if text, ok := topics.FindTopic(topic.Name); !ok || !strings.HasPrefix(text, "# ") {
			t.Errorf("the topic %s has no text", topic.Name)
		}
	}
	files, err := filepath.Glob("../topics/*.md")
	if err != nil || len(files) != len(listed) {
		t.Errorf("got the files %v (%v), want one for each topic", files, err)
	}
	for _, name := range []string{"", "../topics", "topics.go", "nothing"} {
		if _, ok := topics.FindTopic(name); ok {
			t.Errorf("%q is no topic", name)
		}
	}
}

// The table of codes in the help is the one in the code.
func TestTopicExitCodesListsEveryCode(t *testing.T) {
	source, err := os.ReadFile("../../../vault/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := topics.FindTopic("exit-codes")
	codes := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 15 {
		t.Fatalf("found %d codes only", len(codes))
	}
	for _, code := range codes {
		if !strings.Contains(text, "\n| `"+code[1]+"` | ") {
			t.Errorf("the code %s is not in the help", code[1])
		}
	}
	if rows := strings.Count(text, "\n| `"); rows != len(codes) {
		t.Errorf("the help has %d codes, want %d", rows, len(codes))
	}
}

// The memory in the topic about the format is one.
func TestTopicFormatShowsAMemory(t *testing.T) {
	text, _ := topics.FindTopic("format")
	_, example, _ := strings.Cut(text, "## The file\n\n")
	var file strings.Builder
	for line := range strings.Lines(example) {
		if !strings.HasPrefix(line, "    ") && line != "\n" {
			break
		}
		file.WriteString(strings.TrimPrefix(line, "    "))
	}
	m := vault.Parse("troubleshooting.md", []byte(file.String()))
	if m.ID != "pf-7k2m9qx4" || len(m.Pointers) != 1 || len(m.Labels) != 2 || m.Summary == "" || len(m.Problems) != 0 {
		t.Errorf("got %+v", m)
	}
}

// Every command line in a topic names a command we have and flags it knows.
func TestTopicsNameCommandsThatExist(t *testing.T) {
	command := regexp.MustCompile("(?m)(?:^    (?:\\$ )?|`)cp ([a-z][^`\n]*)")
	for _, topic := range topics.All() {
		text, _ := topics.FindTopic(topic.Name)
		text = strings.ReplaceAll(text, "\\\n", "")
		for _, found := range command.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(strings.Split(found[1], "  ")[0])
			if words[0] == "help" {
				if _, ok := topics.FindTopic(words[1]); !ok && words[1] != "<topic>" {
					t.Errorf("%s: no topic: cp %s", topic.Name, found[1])
				}
				continue
			}
			cmd, rest, err := Root(new(app.App), console.Streams{}).Find(words)
			if err != nil || !cmd.HasParent() || cmd.HasSubCommands() && cmd.Name() != "setup" { // setup does something itself, too
				t.Errorf("%s: no command: cp %s", topic.Name, found[1])
				continue
			}
			checkFlags(t, cmd, rest)
		}
	}
}

func checkFlags(t *testing.T, cmd *cobra.Command, words []string) {
	t.Helper()
	for _, w := range words {
		name, isFlag := strings.CutPrefix(w, "--")
		if isFlag && !strings.HasSuffix(name, `"`) && cmd.Flags().Lookup(name) == nil && cmd.InheritedFlags().Lookup(name) == nil {
			t.Errorf("%s has no flag %s", cmd.CommandPath(), w)
		}
	}
}

// The kinds of findings in the help, of the topic and of both commands, are those in the
// code, each where it counts or does not.
func TestHelpListsWhichFindingsCount(t *testing.T) {
	text, _ := topics.FindTopic("findings")
	counts, aside, ok := strings.Cut(text, "\n## What is left alone by design\n")
	var want [2]string
	for _, k := range sync.Kinds() {
		part, row := aside, "\n| `"+k.Name+"` | "+k.Says+" |\n"
		if k.Mend {
			part = counts
		}
		if !ok || !strings.Contains(part, row) {
			t.Errorf("the topic has no %q in its place", row)
		}
		want[map[bool]int{true: 0, false: 1}[k.Mend]] += " " + k.Name
	}
	if rows := strings.Count(text, "\n| `"); rows != len(sync.Kinds()) {
		t.Errorf("the topic has %d kinds, want %d", rows, len(sync.Kinds()))
	}
	for _, cmd := range []*cobra.Command{face{}.sync(), face{}.doctor()} {
		help := strings.Join(strings.Fields(cmd.Long), " ")
		_, help, _ = strings.Cut(help, "These count, see cp help findings:")
		counts, aside, _ := strings.Cut(help, " These are left alone by design and do not count:")
		if aside, _, _ = strings.Cut(aside, " Nor do files"); counts != want[0] || aside != want[1] {
			t.Errorf("%s: got %q and %q, want %q", cmd.Name(), counts, aside, want)
		}
	}
}
