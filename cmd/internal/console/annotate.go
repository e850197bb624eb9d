package console

import (
	"github.com/spf13/cobra"
)

// MoreFormats is the annotation of a command that writes other formats, too: their names.
const MoreFormats = "formats"

// Captures is the annotation of commands that capture: their errors are told in other words.
const Captures = "captures"

// Capturing marks a command as one that captures.
func Capturing(cmd *cobra.Command) *cobra.Command {
	return annotateCommand(cmd, Captures, "yes")
}

// annotateCommand writes down what is true of a command.
func annotateCommand(cmd *cobra.Command, key, value string) *cobra.Command {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[key] = value
	return cmd
}
