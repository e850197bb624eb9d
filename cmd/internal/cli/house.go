package cli

import "github.com/spf13/cobra"

// house are the commands about the program and the vault as a whole. The help
// command is set apart, since cobra has one of its own to replace.
func (f face) house() []*cobra.Command {
	return []*cobra.Command{f.init(), f.recallAny(), f.status(), f.doctor(), f.version(), f.completion(), f.admin(), f.mergeDriver()}
}
