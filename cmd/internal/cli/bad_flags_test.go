package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
)

// commands lists the commands that can be run.
func commands(cmd *cobra.Command) (all []*cobra.Command) {
	for _, c := range cmd.Commands() {
		all = append(all, commands(c)...)
	}
	if cmd.Runnable() && (!cmd.HasSubCommands() || cmd.Name() == "setup") { // other groups print their help
		all = append(all, cmd)
	}
	return all
}

// No value of any flag brings out the words of a library: the answer is one sentence.
func TestBadValuesOfFlags(t *testing.T) {
	tried := 0
	for _, cmd := range commands(Root(new(app.App), console.Streams{})) {
		line := strings.Fields(cmd.CommandPath())[1:]
		try := func(flag *pflag.Flag) {
			values := []string{"x", "", "1.5", "99999999999999999999", "-"}
			if kind := flag.Value.Type(); kind == "string" || kind == "stringArray" {
				return // any text will do, or the command says why not
			} else if kind == "bool" {
				values = values[:2]
			}
			for _, value := range values {
				tried++
				got := typed(t, "", append(line, "--"+flag.Name+"="+value)...)
				if cmd.Annotations[console.Captures] != "" { // the same in other words
					got.err = strings.NewReplacer("[validation] ", "Error: ", "\n→ ", "\nhint: ").Replace(got.err)
				}
				if _, err := strconv.ParseFloat(value, 64); flag.Value.Type() == "float64" && err == nil {
					continue // a number; the command says its range
				}
				if got.exit != 1 || !strings.HasPrefix(got.err, "Error: --"+flag.Name+" takes ") || strings.Count(got.err, "\n") != 2 || !strings.Contains(got.err, "\nhint: ") {
					t.Errorf("%s --%s=%s: exit %d, %q", cmd.CommandPath(), flag.Name, value, got.exit, got.err)
				}
				for _, word := range []string{"strconv", "Error: Error", "parsing", "invalid syntax", "time:"} {
					if strings.Contains(got.err, word) {
						t.Errorf("%s --%s=%s: %q", cmd.CommandPath(), flag.Name, value, got.err)
					}
				}
			}
		}
		cmd.LocalNonPersistentFlags().VisitAll(try)
		if line[0] == "status" {
			cmd.InheritedFlags().VisitAll(try)
		}
	}
	if tried < 150 {
		t.Errorf("tried %d values only", tried)
	}
}
