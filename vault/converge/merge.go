package converge

// Merge is a merge of two commits, whoever made it.
type Merge struct {
	Commit string
	Base   string    // the best common ancestor; empty without one
	Sides  [2]string // its parents
	Ours   bool      // a command of ours made it, and no person
	New    bool      // where none was marked before: it is younger than this clone
}

// Replay says how git writes a conflict when it merges once more.
type Replay string

// The forms of a conflict that git knows, its driver that keeps both sides, and one
// that in place of the text writes what git gives to a driver: the sizes of the base's
// version, ours and theirs, a line each, and behind them these versions.
const (
	ReplayMerge    Replay = "merge"
	ReplayDiff3    Replay = "diff3"
	ReplayZdiff3   Replay = "zdiff3"
	ReplayUnion    Replay = "union"
	ReplayVersions Replay = "versions"
)
