package vault

import (
	"context"
	"time"
)

// Commit is a request to record edits. All its paths are relative to the top of the work
// tree, those in Edits too.
type Commit struct {
	Op      string // the intent's name: idempotency key and trailer Cp-Op
	Message string // complete, with trailers
	Agent   string // author's name; empty takes git's own identity
	Time    time.Time
	Base    string // HEAD when the edits were planned; empty when nobody knows
	Edits   []Edit // without any the commit is made all the same: its message is what is to be recorded
	Join    *Join  // the history to take over; Edits then name all files that differ

	// Texts holds the text on disk of each edit that says Adopt or Whole, by path.
	Texts map[Path][]byte

	// Adopts holds the value of a trailer Cp-Adopts for each such edit of a file that HEAD
	// does not hold, by path.
	Adopts map[Path]string

	// Anew says that HEAD's history holds a commit of Op, and HEAD lacks these edits.
	Anew bool

	// Rewound is called with the operations that a late git reset took from the branch,
	// before anything is recorded on it. Its error ends the publication. It may be nil.
	Rewound func(lost []Revision) error

	// Reverted is called before anything is recorded on an index in which a failed merge
	// may have taken operations back. Its error ends the publication. It may be nil.
	Reverted func(context.Context) error
}

// Published is the outcome of recording a Commit.
type Published struct {
	Before string // where the branch stood; empty on an unborn one
	Commit string // where it stands; equal to Before when HEAD already held the edits

	// Adopted are the files that HEAD had no version of, see Adopts.
	Adopted []Path
}
