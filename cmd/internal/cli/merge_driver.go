package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/vault/merge"
)

// errConflict ends a merge that leaves a person something to decide: git takes
// the exit code 1 for that.
var errConflict = errors.New("conflict")

// mergeDriver merges one file for git.
func (f face) mergeDriver() *cobra.Command {
	return &cobra.Command{
		Use:    "merge-driver %O %A %B %P",
		Short:  "Merge one memory for git",
		Hidden: true,
		Long: `Merge the versions %A and %B of the file %P, which come from %O, into %A: a
memory by its front matter, its pointer block and its prose; any other file as
git merge-file does. The exit code is 1 when conflicts are left.

git calls it where .gitattributes says merge=cp-memory. See: cp help merging`,
		Args: takes(4, 4, "the four names that git gives: %O %A %B %P"),
		RunE: func(_ *cobra.Command, args []string) error { return f.mergeFiles(args[0], args[1], args[2], args[3]) },
	}
}

func (f face) mergeFiles(base, ours, theirs, name string) error {
	r, err := f.MergeFiles(base, ours, theirs, name)
	if err != nil {
		return err
	}
	f.tellMerge(name, r)
	if !r.Clean() {
		return errConflict
	}
	return nil
}

// tellMerge says what was decided, and what is left to be.
func (f face) tellMerge(name string, r merge.Result) {
	for _, d := range r.Dropped {
		f.warn(name + ": " + d.String())
	}
	for _, n := range r.Notes {
		f.warn(name + ": " + n)
	}
	if r.Plain != "" && !r.Clean() {
		f.warn(name + ": merged as a plain text: " + r.Plain)
	}
	for _, line := range r.Conflicts {
		f.warn(fmt.Sprintf("%s:%d: both sides changed the text", name, line))
	}
}
