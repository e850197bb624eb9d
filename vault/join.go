package vault

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/merge"
)

// Join makes a change take over another clone's history: HEAD then holds
// Commit, by moving there where it is ahead of HEAD, else by a commit with both
// for parents.
type Join struct {
	Commit string `json:"commit"` // theirs
	Base   string `json:"base"`   // HEAD when the two were joined; empty on an unborn branch
	Tree   string `json:"tree"`   // what joining them gave; Commit itself where HEAD is behind it
}

// Taken brings one file from the blob From to the blob Into when HEAD takes over another
// history. Both are git's blob ids; an empty one means no file.
type Taken struct {
	From string `json:"from,omitempty"`
	Into string `json:"into,omitempty"`

	FromMode uint32 `json:"from_mode,omitempty"`
	IntoMode uint32 `json:"into_mode,omitempty"`
}

// The modes of git's entries that a Taken knows.
const (
	ModeFile       = 0o100644
	ModeExecutable = 0o100755
)

// Plain reports whether both sides are ordinary files of one mode, or none.
func (t Taken) Plain() bool {
	ordinary := func(mode uint32) bool { return mode == ModeFile || mode == ModeExecutable }
	switch {
	case t.From == "":
		return ordinary(t.IntoMode)
	case t.Into == "":
		return ordinary(t.FromMode)
	}
	return ordinary(t.IntoMode) && t.FromMode == t.IntoMode
}

// Blend merges a person's version of a file, typed or staged, with what comes
// from elsewhere. Both grew from base; ok is false where the two exclude each other
// in any part of it.
func Blend(path string, base, theirs, comes []byte) (merged []byte, ok bool) {
	if by := fact.Merger(path); by != nil {
		_, err := fact.Parse(theirs)
		return by(base, theirs, comes), err == nil || strings.HasSuffix(path, ".jsonl") // what they type now may be half of it
	}
	by := merge.MergeText
	if Path(path).IsNote() {
		by = merge.Merge
	}
	r := by(base, theirs, comes, merge.Options{})
	return r.Text, r.Clean() && len(r.Dropped)+len(r.Notes) == 0
}

// DroppedFacts returns what people said in a facts file and its merge has not kept.
func DroppedFacts(path string, base, ours, theirs []byte) (all []merge.Dropped) {
	if strings.HasSuffix(path, ".jsonl") {
		return nil // a line stays or goes as a whole
	}
	for _, d := range fact.DroppedBy(base, ours, theirs) {
		all = append(all, merge.Dropped{Key: d.Key, Kept: d.Kept, Lost: d.Lost, Theirs: d.Theirs})
	}
	return all
}

// Merged is git's merge of two commits in the object database.
type Merged struct {
	Tree    string
	Clashes []Clash // what git could not settle, by path
}

// Clash is a file that git could not settle. Its path is the repository's. The
// tree holds something for it all the same, unless it says nothing of the path.
type Clash struct {
	Path string
	Kind string // git's word, like "contents" or "modify/delete"

	Base, Ours, Theirs string // blob ids; empty where a side has no file there
}

// Difference is a file that is another one in a second tree. Its path is the
// repository's.
type Difference struct {
	Path string
	Taken
}

// Reversal is a change that a person's git took back in its index and not in HEAD. The
// next commit of the whole index takes it back in HEAD too.
type Reversal struct {
	Ops     []Revision   // the operations, the oldest first
	Files   []Difference // all that they touched: from what is staged into what HEAD has
	ByMerge bool         // a git merge that failed did it, and nobody asked for that
	Fix     string       // the command that puts the files back
}

// String tells it in a sentence.
func (r Reversal) String() string {
	op := r.Ops[len(r.Ops)-1]
	return fmt.Sprintf("the files of %.10s (%s)%s are staged as they were before it, so that the next git commit takes it back", op.Commit, op.Subject, More(len(r.Ops)-1))
}

// namesTold bounds the files that an error names.
const namesTold = 10

// InTheWay returns the error for a history that cannot be taken over because of
// uncommitted files. what describes the files, hint says what to do.
func InTheWay(what, hint string, paths []string) error {
	told := strings.Join(paths[:min(len(paths), namesTold)], ", ") + More(len(paths)-namesTold)
	return Errorf(CodeDirty, hint, "%s in the way of what came: %s; nothing has changed", what, told)
}

// Passage is a run of lines that a commit adds to a file or removes from it.
type Passage struct {
	Commit string
	Path   string // in the repository
	Line   int    // of its beginning, 1-based
	Gone   bool
	Text   []byte // whole lines; good until the next one is handed over
}

// Upstream is the branch of a remote that a branch of ours is exchanged with.
type Upstream struct {
	Remote string // a name of git's configuration, or a URL
	Ref    string // the full name of the branch there
}

// String is the branch as people write it: origin/main.
func (u Upstream) String() string { return u.Remote + "/" + strings.TrimPrefix(u.Ref, "refs/heads/") }
