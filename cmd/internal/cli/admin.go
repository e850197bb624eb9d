package cli

import "github.com/spf13/cobra"

// admin is the group of what is done now and then to a vault as a whole.
func (f face) admin() *cobra.Command {
	cmd := &cobra.Command{Use: "admin", Short: "What is done now and then to the vault as a whole"}
	asGroup(cmd)
	cmd.AddCommand(f.embedBackfill())
	return cmd
}
