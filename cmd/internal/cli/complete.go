package cli

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/topics"
)

// shells are those we can complete for.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
}

func (f face) completion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `Print a completion script. File names are completed as before, since cp still
copies files.

  bash        source <(cp completion bash)          # in ~/.bashrc; needs bash-completion
  zsh         source <(cp completion zsh)           # in ~/.zshrc, after compinit
  fish        cp completion fish | source           # in ~/.config/fish/config.fish
  powershell  cp completion powershell | Out-String | Invoke-Expression`,
		Args:                  console.Takes(1, 1, "a shell: bash, zsh, fish or powershell"),
		ValidArgs:             []string{"bash", "zsh", "fish", "powershell"},
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			generate, known := shells[args[0]]
			if !known {
				return console.Invalid(cmd, "there is no completion for the shell %q; there is for bash, zsh, fish and powershell", args[0])
			}
			cmd.Root().Use = filepath.Base(cmd.Root().Use)
			return generate(cmd.Root(), f.Out)
		},
	}
}

// completeFirst completes the first word of a command line, which may be a file
// to copy: where a command begins alike, the shell would offer that alone, so
// the files are listed beside it; otherwise the shell completes files itself.
func (f face) completeFirst(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	alike := func(c *cobra.Command) bool { return c.IsAvailableCommand() && strings.HasPrefix(c.Name(), typed) }
	if len(args) > 0 || !slices.ContainsFunc(cmd.Commands(), alike) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, typed) && (typed != "" || name[0] != '.') {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// helped is a help text for programs.
type helped struct {
	Topic string `json:"topic"`
	Text  string `json:"text"`
}

// help shows a topic, or the help of a command. A topic comes first where both have the
// name, so that the same words say the same under both names of the program; --help is
// about the command.
func (f face) help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command | topic]",
		Short: "Help about a command or a topic",
		Long:  "Help about a command or a topic. The topics:\n\n" + topicList(),
		Args:  cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return helpWords(cmd.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return f.overview(cmd.Root())
			}
			if text, ok := topics.FindTopic(args[0]); ok && len(args) == 1 {
				text = render.RenameCommands(f.Name, text)
				return f.Answer(helped{args[0], text}, func(s render.Screen) { s.WriteText(text) })
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 || about == cmd.Root() {
				return console.Unknown(cmd.Root(), args[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// overview is the help of the program itself, with the topics beneath.
func (f face) overview(root *cobra.Command) error {
	if err := root.Help(); err != nil {
		return err
	}
	f.Screen().WriteText(render.RenameCommands(f.Name, "\nTopics (cp help <topic>):\n"+topicList()))
	return nil
}

func topicList() string {
	var list string
	for _, t := range topics.All() {
		list += "  " + t.Name + "            "[:14-len(t.Name)] + t.About + "\n"
	}
	return list
}

// helpWords returns the words that may follow help: commands below the typed ones, and
// topics.
func helpWords(root *cobra.Command, typed []string) []string {
	var words []string
	if at, rest, err := root.Find(typed); err == nil && len(rest) == 0 {
		for _, c := range at.Commands() {
			if c.IsAvailableCommand() {
				words = append(words, c.Name()+"\t"+c.Short)
			}
		}
	}
	if len(typed) == 0 {
		for _, t := range topics.All() {
			words = append(words, t.Name+"\t"+t.About)
		}
	}
	return words
}
