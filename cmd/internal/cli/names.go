package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/console"
)

// An empty name is no name: a variable that was not set, a command that failed. Without it a
// command would do the same to something else, as to the newest operation, the root, the
// folder where one is, or a file that has changed meanwhile.

// naming are the flags that name what a command is about, where it is to go, or what it must
// find there. A few others, which have a sentence of their own for it, are not here.
var naming = []string{"all-children-of", "at", "commit", "config", "http", "if-match", "op", "out", "plugin", "project", "section", "since",
	"socket", "spec", "to", "token-file", "under", "vault"}

// texts are what an argument is called that is a text, and no name.
var texts = []string{"text", "words", "title", "question", "kind", "command"}

// checkNames refuses a name that is given and empty.
func checkNames(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && slices.Contains(naming, f.Name) && isBlank(f.Value.String()) {
			err = console.Invalid(cmd, "--%s is empty; give it or leave it out", f.Name)
		}
	})
	usage := strings.Fields(cmd.Use)[1:]
	for i, arg := range args {
		if err != nil || len(usage) == 0 {
			break
		}
		if what := usage[min(i, len(usage)-1)]; isBlank(arg) && isNaming(what) {
			err = console.Invalid(cmd, "the argument %s is empty", what)
		}
	}
	return err
}

// isNaming reports whether an argument names something, by what the usage calls it.
func isNaming(what string) bool {
	return strings.ContainsAny(what[:1], "<[") && !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(what, text) })
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
