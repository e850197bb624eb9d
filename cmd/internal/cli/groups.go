package cli

import "github.com/spf13/cobra"

// Groups of commands in the help of "cp memory".
const (
	groupRead  = "read"
	groupWrite = "write"
	groupTree  = "tree"
	groupVault = "vault"
	groupPast  = "past"
)

// memory is the group of the hierarchical memory.
func (f face) memory() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "memory",
		Short: "Read and write memories",
		Long: `Memories form a tree: a parent names each child with a phrase that says when
one needs it. Wherever an <id> is asked for, any unique beginning of one and the
path of a file do too.`,
	}
	asGroup(cmd)
	cmd.AddGroup(
		&cobra.Group{ID: groupRead, Title: "Read:"},
		&cobra.Group{ID: groupWrite, Title: "Write:"},
		&cobra.Group{ID: groupTree, Title: "Shape the tree:"},
		&cobra.Group{ID: groupPast, Title: "Look back, take back:"},
		&cobra.Group{ID: groupVault, Title: "The vault as a whole:"},
	)
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			cmd.AddCommand(c)
		}
	}
	add(groupRead, f.prime(), f.show(), f.tree(), f.list(), f.search(), f.recallMemory(), f.hot(), f.guide(), f.path())
	add(groupWrite, f.add(), f.addSub(), f.edit(), f.update(), f.resolve(), f.deferUntil(), f.supersede(), f.batch())
	add(groupTree, f.move(), f.promote(), f.remove())
	add(groupPast, f.log(), f.changes(), f.diff(), f.blame(), f.restore(), f.undo())
	add(groupVault, f.sync(), f.watch(), f.pull(), f.push(), f.importTree(), f.export(), f.summarize())
	return cmd
}

// shard is the group that looks at files of any type.
func (f face) shard() *cobra.Command {
	cmd := &cobra.Command{Use: "shard", Short: "Look at files of any type and how they are connected"}
	asGroup(cmd)
	cmd.AddCommand(f.shardShow(), f.shardList(), f.shardEdges())
	return cmd
}
