package cli

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/topics"
)

var update = flag.Bool("update", false, "write the words of the pass-through")

// The words by which the pass-through knows our command lines are those of the command
// tree. It cannot ask the tree, which takes longer to make than a copy takes.
func TestTheWordsOfThePassThrough(t *testing.T) {
	const name = "../passthrough/words.go"
	want, err := format.Source(wordsOf(Root(&app.App{Env: func(string) string { return "" }, Now: time.Now}, console.Streams{})))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not that of the command tree: go test ./cmd/internal/cli -run TestTheWords -args -update", name)
	}
}

// wordsOf writes the words of a command tree as Go.
func wordsOf(root *cobra.Command) []byte {
	var b bytes.Buffer
	b.WriteString("package passthrough\n\n// Code generated from the command tree: go test ./cmd/internal/cli -run TestTheWords -args -update. DO NOT EDIT.\n\n")
	b.WriteString("// commands are the words that make a command line ours, each with the words that may\n// follow it.\nvar commands = map[string][]string{\n")
	next := map[string][]string{"help": {}}
	for _, c := range root.Commands() {
		next[c.Name()] = c.ValidArgs
		for _, below := range c.Commands() {
			next[c.Name()] = append(append(next[c.Name()], below.Name()), below.Aliases...)
		}
		if c.HasSubCommands() {
			next[c.Name()] = append(next[c.Name()], "help")
		}
		next["help"] = append(next["help"], c.Name())
	}
	for _, topic := range topics.All() {
		next["help"] = append(next["help"], topic.Name)
	}
	for _, word := range slices.Sorted(maps.Keys(next)) {
		slices.Sort(next[word])
		fmt.Fprintf(&b, "%q: {", word)
		for _, w := range slices.Compact(next[word]) {
			fmt.Fprintf(&b, "%q,", w)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n// globals are the flags that may stand before a command, and whether a value follows.\nvar globals = map[string]bool{\n")
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		fmt.Fprintf(&b, "%q: %t,\n", "--"+f.Name, f.NoOptDefVal == "")
		if f.Shorthand != "" {
			fmt.Fprintf(&b, "%q: %t,\n", "-"+f.Shorthand, f.NoOptDefVal == "")
		}
	})
	b.WriteString("}\n")
	return b.Bytes()
}
