package cli

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/merge"
)

// errConflict ends a merge that leaves a person something to decide: git takes
// the exit code 1 for that.
var errConflict = errors.New("conflict")

// mergeDriver merges one file for git. It opens no vault and calls no git, so
// that a merge of a thousand files costs a thousand times a millisecond.
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

// mergeFiles merges what is in the files into the second; name is what they are
// versions of.
func (f face) mergeFiles(base, ours, theirs, name string) error {
	var docs [3][]byte
	for i, file := range [...]string{base, ours, theirs} {
		var err error
		if docs[i], err = os.ReadFile(file); err != nil {
			return mergeFailed(file, err)
		}
	}
	merged := merge.Text
	if f.isMemory(name) {
		merged = merge.Merge
	}
	r := merged(docs[0], docs[1], docs[2], merge.Options{})
	if err := disk.Overwrite(ours, r.Text); err != nil {
		return mergeFailed(ours, err)
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

// mergeFailed is the error of a merge that could not be tried: git has to stop.
func mergeFailed(file string, err error) error {
	return vault.Errorf(vault.CodeIO, "git merge --abort puts everything back", "cannot merge %s: %w", file, errors.Join(errNoMerge, reason(err)))
}

// errNoMerge makes the exit code one that git takes for a failure, not for a conflict.
var errNoMerge = errors.New("the merge driver failed")

// mergeTop is set to the top of the work tree by a pull, for which git merges in
// another folder.
const mergeTop = "CP_MERGE_TOP"

// isMemory reports whether a file of that name, relative to the top of the
// work tree in which git runs its drivers, is a memory's.
func (f face) isMemory(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	if !vault.Path(name).IsMarkdown() {
		return false
	}
	dir := f.Env(mergeTop)
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return false
		}
	}
	root, ok := settings.Above(path.Join(dir, path.Dir(name)))
	return ok && root != ""
}
