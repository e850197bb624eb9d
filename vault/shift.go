package vault

import "context"

// Shift is a file that stands elsewhere after moves than before, or comes or goes with them;
// with Tree a folder with all in it. Row is where the mirror has it. A path is empty where
// the file is not there: a new one was nowhere.
type Shift struct {
	Row, Was, Is Path
	Tree         bool

	ID    ID // of a file that the mirror does not have
	Title string
}

// Moves reports whether the file is there before and after, in different places.
func (s Shift) Moves() bool { return s.Was != "" && s.Is != "" && s.Was != s.Is }

// By is how a wikilink names what it means. The greater one says more of the place.
type By int

// The ways to name a memory.
const (
	ByName By = iota // its id or title
	ByEnd            // the end of its path, at least the file's name
	ByTop            // its whole path from the top, with a folder
)

// Lead is what a wikilink by a name means before and after moves; no path means nothing.
type Lead struct {
	Was   Path // the file that it means before
	WasBy By
	Goes  Path // where that file is afterwards
	Is    Path // the file that it means afterwards
	IsBy  By
}

// Holds reports whether the link means the same afterwards, by a name no weaker: a path from
// the top stays one, and a file's name does not become a title. One that meant nothing, or
// what is gone, is not to be mended.
func (l Lead) Holds() bool {
	return l.Was == "" || l.Goes == "" || l.Is == l.Goes && l.IsBy >= l.WasBy
}

// Leads tells what wikilinks by names mean.
type Leads func(ctx context.Context, names []string) ([]Lead, error)

// Linking says which links shifts concern.
type Linking struct {
	Files []Path // the files on disk that hold them, by path
	Leads Leads
}
