package console

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/target"
)

// What a command names: how many of its first arguments, what these are, and the flag that names
// a memory.
const refsKey, soughtKey, refsFlagKey = "refs", "sought", "refs-flag"

// AllRefs says that every argument of a command names a memory.
const AllRefs = -1

// Refs says that so many of the first arguments of a command name memories. A project below the
// current one may have them.
func Refs(cmd *cobra.Command, n int) *cobra.Command {
	return RefsTo(cmd, n, target.Memory)
}

// RefsTo says what the first arguments of a command name.
func RefsTo(cmd *cobra.Command, n int, what target.Sought) *cobra.Command {
	annotateCommand(cmd, refsKey, strconv.Itoa(n))
	return annotateCommand(cmd, soughtKey, strconv.Itoa(int(what)))
}

// RefsFlag says that a flag of a command names a memory.
func RefsFlag(cmd *cobra.Command, flag string) *cobra.Command {
	return annotateCommand(cmd, refsFlagKey, flag)
}

// RefCount returns how many of the first arguments name something, the first one of all.
func RefCount(cmd *cobra.Command) int {
	n, _ := strconv.Atoi(cmd.Annotations[refsKey])
	return max(n, -n)
}

// refsOf returns what a command line names.
func refsOf(cmd *cobra.Command, args []string) (refs []string, what target.Sought) {
	if flag := cmd.Flags().Lookup(cmd.Annotations[refsFlagKey]); flag != nil && flag.Value.String() != "" {
		return []string{flag.Value.String()}, target.Memory
	}
	sought, _ := strconv.Atoi(cmd.Annotations[soughtKey])
	n, _ := strconv.Atoi(cmd.Annotations[refsKey])
	if n == AllRefs {
		n = len(args)
	}
	return args[:min(n, len(args))], target.Sought(sought)
}
