package console

import "github.com/spf13/cobra"

// force is the flag that says: all the same.
const force = "force"

// AllowForce gives a command the flag with which a person changes what is protected from agents,
// see [settings.Writer]. Where the command has it for a question of its own, it means both.
func AllowForce(cmd *cobra.Command) {
	if own := cmd.Flags().Lookup(force); own != nil {
		own.Usage += "; at a terminal, change protected memories, too"
		return
	}
	cmd.Flags().Bool(force, false, "at a terminal: change protected memories, too (\"cp help format\")")
}

// IsForced reports whether --force was typed.
func IsForced(cmd *cobra.Command) bool {
	typed := cmd.Flags().Lookup(force)
	return typed != nil && typed.Value.String() == "true"
}

// IsAtTerminal reports whether a person sits before the command: one of the streams is a terminal,
// however the others are piped.
func (s Streams) IsAtTerminal() bool { return s.InTTY || s.OutTTY || s.ErrTTY }
