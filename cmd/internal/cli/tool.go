package cli

import (
	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/memorytool"
)

// memoryTool serves a program that uses Anthropic's SDK.
func (f face) memoryTool() *cobra.Command {
	return &cobra.Command{
		Use:   "tool",
		Short: "Answer the commands of Anthropic's memory tool",
		Long: `For a program that uses Anthropic's SDK: it starts this command once and hands it what the
model sends to the tool memory_20250818, a JSON line each, either the input or the whole
tool_use block. The answers are JSON lines with the result's text: {"content": "…"}, with
"is_error": true for an error; of a block they are the tool_result block that goes into the
next message. No line ends the command, the end of stdin does.

  /memories       is the vault, or the project in it that you stand in or name
  /memories/x.md  is the text of a memory, without its header and pointers; in the folder
                  /memories/x/ lie its children, and rename takes both along
  /memories/x.txt is kept as x.txt.md: only *.md is found, merged and taken back

Each write is one commit; "cp memory undo" takes it back. An agent's rules hold: secrets are
refused, and so are changes of a protected memory, and of a text or a section that somebody
has typed in and not committed. While a merge or rebase is under way no write is done.`,
		Example: `  echo '{"command": "view", "path": "/memories"}' | cp memory tool
  cp memory tool --vault ~/memory --agent support-bot`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.InTTY {
				f.Errs().Printf("A program talks to this command on stdin; Ctrl+D ends it. See cp help memory tool.\n")
			}
			server := memorytool.Server{App: f.App, Request: f.Request()}
			return server.Serve(cmd.Context(), f.Stdin(cmd.Context()), f.Out)
		},
	}
}
