package vault

import "time"

// Commit is what a repository is asked to record. Its paths, also those in
// Edits, are relative to the top of the work tree.
type Commit struct {
	Op      string // the intent's name: idempotency key and trailer Cp-Op
	Message string // complete, with trailers
	Agent   string // author's name; empty takes git's own identity
	Time    time.Time
	Edits   []Edit // without any the commit is made all the same: its message is what is to be recorded
	Join    *Join  // the history to take over; Edits then name all files that differ

	// Texts holds the text on disk of each edit that says Adopt or Whole, by path.
	Texts map[Path][]byte

	// Adopts is what the message is to say of each such edit where HEAD has no
	// version of its file, by path: the value of a trailer Cp-Adopts.
	Adopts map[Path]string

	// Anew says that HEAD's history holds a commit of Op, and HEAD lacks these edits.
	Anew bool

	// Rewound is told the operations that a late git reset took from the branch,
	// before anything is recorded on it. Its error ends the publication; nil hears nothing.
	Rewound func(lost []Revision) error
}

// Published is the outcome of recording a Commit.
type Published struct {
	Before string // where the branch stood; empty on an unborn one
	Commit string // where it stands; equal to Before when HEAD already held the edits

	// Adopted are the files that HEAD had no version of, see Adopts.
	Adopted []Path
}
