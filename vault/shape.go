package vault

import (
	"cmp"
	"context"
	"github.com/cp-memory/cp/vault/prose"
	"time"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/internal/tokens"
)

// Node is a memory as the mirror knows it: everything but its text.
type Node struct {
	Header      // Summary is the child's, else the one in the parent's block
	ID          ID
	Path        Path
	Hash        string // git's blob id of the bytes on disk
	Content     string // Memory.ContentHash of what is on disk
	Head        string // git's blob id in HEAD; empty when it is not committed
	Size        int64
	Tokens      int // of its text, as Tokens estimates
	Parent      ID  // empty for a root
	ParentTitle string
	Depth       int  // 0 for a root
	Children    int  // open memories directly below; of a parent without pointers only where an outline or Prime asks
	Waiting     int  // of these, entries that wait for a person's decision; likewise
	Unpointed   bool // its parent keeps no pointers
	Orphan      bool // its parent's file is gone, and sync has not settled it yet
	In          Path // the folder it lies in below its parent's, if that folder has no memory of its own; else empty
	Seat        bool // it stands for the folder it lies in, as x/README.md does where no x.md is
	HasBlock    bool
	Superseded  ID // the memory that has taken its place; empty when none has
	Reads       Reads
	ParentReads int // how often its parent was read
}

// Dirty reports whether the file has uncommitted edits or is not committed at all.
func (n *Node) Dirty() bool { return n.Hash != n.Head }

// PointerCost are the tokens of a line about a memory beside its title and phrase.
const PointerCost = 12

// Tokens estimates how many tokens a language model counts in text, see [tokens.Count].
func Tokens(text string) int { return tokens.Count(text) }

// PointerTokens estimates what a line costs that points to the memory: its id,
// title and trigger phrase.
func (n *Node) PointerTokens() int {
	return PointerCost + Tokens(prose.Harmless(n.Title)) + Tokens(prose.Harmless(n.Summary))
}

// Folder returns the folder in which the node's children live: x/ for x.md, and for
// x/README.md if that is the memory of x/.
func (n *Node) Folder() Path {
	if n.Seat {
		return n.Path.Dir()
	}
	return n.Path.Home()
}

// Tree answers questions about the vault's shape. Children come in display order: first as
// the parent's block names them, then the others by creation time. Lists are bounded by
// their options. No method reads a file's text.
type Tree struct {
	Places
	Lists
	Ranking
	Audit
	Links

	// Origins returns of files when their first commits were made, and by whom, through
	// moves; of a file in no commit when it was written. nil knows none.
	Origins func(ctx context.Context, paths []Path) (map[Path]Origin, error)

	Nodes func(ctx context.Context, files []Path) ([]Node, error) // those in files that are there, in any order, without telemetry
	// Saying returns the memories that last had a doc hash (package dochash); nil knows none.
	Saying func(ctx context.Context, hash string) ([]Node, error)

	// Strays returns the ids of which there are facts and no memory on disk; nil knows none.
	Strays func(ctx context.Context) ([]ID, error)
}

// Places tell where memories stand.
type Places interface {
	// Find resolves an id, a unique prefix of one (3 characters at least) or a
	// file's path. The error is CodeNotFound, or CodeAmbiguous with the candidates.
	Find(ctx context.Context, ref string) (Node, error)

	// At returns the memory in the file p. ok is false if there is none.
	At(ctx context.Context, p Path) (Node, bool, error)

	// Owner returns the memory whose children live in dir: the memory of dir, or of the
	// nearest folder above that has one.
	Owner(ctx context.Context, dir Path) (Node, bool, error)

	// Children returns the direct children, closed ones too.
	Children(ctx context.Context, id ID) ([]Node, error)

	// Ancestry returns the way from the root to the memory itself, without telemetry.
	Ancestry(ctx context.Context, id ID) ([]Node, error)

	// Walk returns the subtree in display order, depth first.
	Walk(ctx context.Context, o WalkOptions) ([]Node, error)
}

// Lists are answers in rows.
type Lists interface {
	// List returns a page of memories, the newest first, and how many there are in all. The
	// order is that of the commits that brought them; those in no commit come first.
	List(ctx context.Context, o ListOptions) ([]Node, int, error)

	// Hot returns promotion candidates, the most read first.
	Hot(ctx context.Context, minDepth, limit int) ([]Node, error)

	// Roots returns the open memories without a parent, in display order.
	Roots(ctx context.Context) ([]Node, error)

	// Overview returns the open roots that matter most, those with children and a
	// trigger phrase first, how many there are, and the memories read most.
	// Among roots that matter alike each folder has its turn.
	Overview(ctx context.Context, roots, hottest int) (Overview, error)

	// Edges returns a memory's edges, both directions; those to children only with kin.
	Edges(ctx context.Context, id ID, kin bool) ([]Edge, error)

	// Counts returns how many files of any type there are by status.
	Counts(ctx context.Context) (Counts, error)
}

// Ranking orders memories by words.
type Ranking interface {
	// Search ranks memories by a text query; any query is safe. A hit by sums is not filled.
	Search(ctx context.Context, query string, o ListOptions) ([]Hit, int, error)

	// Weigh tells of each phrase how much of a question it takes up, by its words
	// and how rare they are by the sums, nil in the vault: from 0, nothing, to 1, all of it.
	Weigh(ctx context.Context, question string, phrases []string, s *family.Sums) ([]float64, error)

	// Sums returns what ranking by a text needs to know of the vault, or of what lies below the
	// memory or in the folder that o names.
	Sums(ctx context.Context, text string, o ListOptions) (*family.Sums, error)
}

// Links tell whose text a move concerns.
type Links interface {
	// Linking returns the files on disk that link to what moves, or by a name that then means
	// something else; and those in folders that move which may link out of their own folder.
	Linking(ctx context.Context, shifts []Shift) (Linking, error)
}

// Audit gives the families that sync compares with the disk.
type Audit interface {
	// Problems returns what is wrong with single files, in path order.
	Problems(ctx context.Context) ([]Problem, error)

	// Parents calls fn for every memory with children or a block, in path order, or only
	// for the one named. Where the mirror has to be made again meanwhile it begins anew, which
	// the order tells. It is without telemetry; fn does not ask the tree.
	Parents(ctx context.Context, only ID, fn func(Family) error) error

	// Drift is one file that differs between the disk and HEAD.
	Drift(ctx context.Context) ([]Drift, error)
}

// Date fills in what so many rows do not say: when their files were made, and by whom.
func (t Tree) Date(ctx context.Context, rows int, row func(i int) (p Path, created *time.Time, creator *string)) error {
	var paths []Path
	for i := range rows {
		if p, created, creator := row(i); created.IsZero() || *creator == "" {
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 || t.Origins == nil {
		return nil
	}
	all, err := t.Origins(ctx, paths)
	for i := range rows {
		p, created, creator := row(i)
		if created.IsZero() {
			*created = all[p].Time
		}
		*creator = cmp.Or(*creator, all[p].Author)
	}
	return err
}

// WalkOptions bound a walk.
type WalkOptions struct {
	Root      ID         // empty: all roots
	Dir       Path       // only what lies in this folder; the topmost of it count as roots
	MaxDepth  int        // levels below the root; 0 means TreeCap
	Closed    bool       // include closed memories and everything below them
	Uncounted bool       // without the reads
	Each      func(Node) // is called for each node, closed ones too, of all roots, as by [Audit.Parents]; Walk then returns none
	Outline   bool       // of a node only ID, Path, In, Seat, Title, Type, Status, Summary, Created, Approved, Denied, Tokens, Parent, Depth, Children, Orphan, Superseded and the reads
	Unplaced  bool       // of an outline: without Path where no folder without a memory is near, the id is the file's own and the order needs none
}

// ListOptions filter and page a list or search.
type ListOptions struct {
	Labels  []string     // any of them
	Status  []string     // any of them, "*" for all; empty means everything but closed and what is deferred, without a day or to a later one
	Open    bool         // with empty Status: so it is of kinds alone, too, of which else all pass
	Hidden  bool         // only what empty Status leaves out, and of that what Status names
	Types   []string     // kinds, namespaces or other types; empty means what the tree shows; "*" means files of any type
	Found   bool         // with empty Types: also entries of the journal, but for denied ones, as a search finds them
	Spec    string       // only entries of this piece of work
	Commits []string     // only entries that tell of one of these commits of the code, chosen from a mirror that is up to date, or of any ("*"); nil is no filter
	Files   *[]Path      // only those in these files; nil is all
	Levels  []string     // any of them: pending, long-term, core
	Under   ID           // only below this memory, itself excluded
	Direct  bool         // with Under: only its children
	Dir     Path         // only in this folder and below
	Share   family.Share // only what it has: see package family
	Roots   bool         // only roots
	Since   time.Time    // made at or after, by Tree.Date
	Until   time.Time    // made before; likewise
	Now     time.Time    // for deferred memories
	Sums    *family.Sums // by which a search ranks; nil are those of the vault alone
	Bar     *family.Bar  // what scores below it need not be found; nil stops nothing
	Limit   int          // at most this many; 0 means 20
	Offset  int
}

// Hit is one result of a search.
type Hit struct {
	Node
	Score  float64  // higher is better; comparable within one answer only
	Terms  []string // the analysed terms of the query, for marking the passage
	Called []string // what links of other memories call it, and its aliases
}

// Overview is the top of the tree.
type Overview struct {
	Memories  int          // open ones
	RootCount int          // open ones
	RootsIn   map[Path]int // how many of them lie in each folder without a memory, itself
	Roots     []Node
	Hottest   []Node
}

// Edge is a directed relation between two memories.
type Edge struct {
	From, To ID
	Kind     string // "child-of", "references" or "link"
	Verb     string // that stands before a link under a heading Relations
	Summary  string // of a child-of edge
	Other    Node   // the far end; zero when To does not resolve
	Target   string // as written, for links that do not resolve
	Outgoing bool
}

// Counts counts the vault's files.
type Counts struct {
	Total, Open, Closed, Other int
	Memories, Roots, MaxDepth  int
	Problems, Uncommitted      int
	Tokens                     int // estimate for all memories' texts
}

// Family is a parent with what its block says and what its folder holds.
type Family struct {
	Parent   Node
	Entries  []pointer.Entry // the block's, in order; without Extra
	Children []Node          // open and closed memories that live below it
	Problems []Problem       // of the parent's file
}

// Drift is one file on which disk and HEAD disagree.
type Drift struct {
	Path Path
	ID   ID     // on disk; empty when it is gone or carries none
	Hash string // on disk; empty when it is gone
	Head string // in HEAD; empty when it is not there
}
