package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/topics"
)

// helped is a help text for programs.
type helped struct {
	Topic string `json:"topic"`
	Text  string `json:"text"`
}

// help shows the help of a command, or a topic. A command comes first where
// both have the name.
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
			if about, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 && about != cmd.Root() {
				about.InitDefaultHelpFlag()
				return about.Help()
			}
			if len(args) == 0 {
				return f.overview(cmd.Root())
			}
			text, ok := topics.Text(args[0])
			if !ok || len(args) > 1 {
				return unknown(cmd.Root(), args[0])
			}
			return f.answer(helped{args[0], text}, func(s render.Screen) { s.Text(text) })
		},
	}
}

// overview is the help of the program itself, with the topics beneath.
func (f face) overview(root *cobra.Command) error {
	if err := root.Help(); err != nil {
		return err
	}
	f.screen().Text("\nTopics (cp help <topic>):\n" + topicList())
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
