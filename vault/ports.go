package vault

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault/filename"
)

// Stat holds what a scan can learn about a file without opening it.
type Stat struct {
	Size  int64
	MTime int64 // ns since 1970
	CTime int64 // ns since 1970
	Inode uint64
}

// File is one entry of a scan: a Markdown file, a facts file, or a problem at its path.
type File struct {
	Path    Path
	Stat    Stat
	Kept    bool     // it is being written: what was kept of it stays
	Problem *Problem // set when the entry cannot be a memory (a symlink, a bad name …)
}

// Scope says how much of the vault an answer needs to be fresh about.
type Scope struct {
	Dir     Path // the folder; empty for the vault's root
	Shallow bool // only the files of Dir itself and of transparent folders in it
	None    bool // nothing: a point read that checks what it finds
	Still   bool // the files are known to be fresh; only HEAD may have moved
	Each    bool // of the whole vault: each facts file, however many there are, and not their folders alone

	// Paths, when there are any, are all that is looked at: each of them, and
	// all that lies below one that is a folder.
	Paths []Path
}

// IsWholeVault reports whether s is the whole vault.
func (s Scope) IsWholeVault() bool {
	return s.Dir == "" && !s.Shallow && !s.None && !s.Still && len(s.Paths) == 0
}

// Head describes the branch and its commit.
type Head struct {
	Commit string // hex; empty on an unborn branch or without git
	Branch string // full ref name; empty on a detached HEAD
	Busy   string // what is under way: "merge", "rebase", "bisect", "detached HEAD" …; empty when free
}

// Standstill returns the error for a repository in which an operation is under way. what
// names the operation, as Head does.
func Standstill(what string) *Error {
	said, hint := "a "+what+" is under way", "finish or abort it, then run the command again"
	switch what {
	case "detached HEAD":
		said, hint = "HEAD is detached, so there is no branch to commit to", "make a branch of what is here (`git switch -c NAME`), or go back to one (`git switch main`, say), then run the command again"
	case "unmerged index":
		said, hint = "git's index holds conflicts that nobody has settled", "settle them and `git add` the files, then run the command again"
	case "am":
		said = "a git am is under way"
	}
	return &Error{Code: CodeBusy, Msg: said, Hint: hint}
}

// Source is the set of ports from which a mirror is made.
type Source struct {
	Files
	Commits
}

// Files are the vault's files on disk.
type Files interface {
	// Scan calls fn for each candidate in scope, in bytewise path order of the
	// folders' entries. complete is false when something could not be read:
	// rows then may be added and changed but never dropped. Facts files are candidates
	// where the scope names them: its Dir or some of its Paths lie in FactsDir.
	Scan(ctx context.Context, scope Scope, fn func(File) error) (complete bool, err error)

	// Writes names the writes that are under way and were made of late: a look at
	// the disk in which it changes may have seen half of one. live reports whether a
	// living process is making one of them.
	Writes() (name string, live bool)

	// Read returns a file's bytes and its stat from the same open file. It may be
	// called by several goroutines at once.
	Read(p Path) ([]byte, Stat, error)

	// BlobID returns git's object id of b as a blob in this repository's format.
	BlobID(b []byte) string
}

// Commits tell where the branch stands and what its commits hold.
type Commits interface {
	// Head reads HEAD; it never fails because a repository is missing.
	Head(ctx context.Context) (Head, error)

	// Tip returns Head's commit alone. To learn which operation is under way git's index
	// is read, which costs more than the rest of a read in an unchanged vault.
	Tip(ctx context.Context) (commit string, err error)

	// Changes calls fn for each Markdown file below the vault and each facts file whose
	// blob differs between two commits, in path order; blob is empty when it is gone in
	// to. An empty from lists everything in to.
	Changes(ctx context.Context, from, to string, fn func(p Path, blob string) error) error

	// Arrivals calls fn for each Markdown file that a commit brought to its path, the newest
	// commit first, by the order of history and no clock, until fn returns false. It tells of
	// the commits that to reaches and from does not; an empty from is none. follows is false,
	// and fn is not called, if the order of the commits before from is not the one that it
	// was when from was the last: then all have to be asked for.
	Arrivals(ctx context.Context, from, to string, fn func(Arrival) (more bool)) (follows bool, err error)
}

// Origin tells of a commit when it was made, and by whom. A rebase changes neither.
type Origin struct {
	Time   time.Time
	Author string
}

// Arrival is a file that a commit brought to its path: no parent of the commit had it there.
type Arrival struct {
	Commit string
	Origin
	Path Path
	From Path // where it was, if it moved
}

// Revision is one commit. In a person's commit the fields from trailers are empty.
type Revision struct {
	Commit  string
	Time    time.Time
	Author  string
	Subject string
	Op      string   // the trailer Cp-Op
	Verb    string   // the trailer Cp-Verb
	ID      ID       // the trailer Cp-Id
	Agent   string   // the trailer Cp-Agent
	Undoes  []string // the trailers Cp-Undoes: the operations that this one takes back
	Adopts  []string // the trailers Cp-Adopts, see package past
}

// Store is a vault's durable side: the files, and the repository they are
// committed to. One value may stand behind all of its ports.
type Store struct {
	Source
	FileStatus
	Snapshots
	Writer
	Recovery
	Outbox
}

// FileStatus tells how single files stand, on disk and to the repository.
type FileStatus interface {
	// List returns the names in a folder on disk, in order; none where there is none.
	List(ctx context.Context, dir Path) ([]string, error)

	// ReadSaved reads a file that is to be acted on. If whole refuses the text and the
	// file was written a moment ago, an editor may be saving it: it is read again for up
	// to a tenth of a second, and then returned as it is.
	ReadSaved(ctx context.Context, p Path, whole func(text []byte) bool) ([]byte, Stat, error)

	// ListModified returns the paths whose text on disk is in no commit: HEAD has no version
	// or another one (line endings aside). staged are the paths whose staged text differs
	// from both HEAD's and the disk's.
	ListModified(ctx context.Context, paths ...Path) (disk, staged []Path, err error)

	// ListIgnored returns the paths that git ignores and HEAD does not hold.
	ListIgnored(ctx context.Context, paths []Path) ([]Path, error)

	// LeftOut returns the paths that a sparse checkout leaves out of the work tree. They
	// are not on disk and not deleted.
	LeftOut(ctx context.Context, paths []Path) ([]Path, error)

	// ListStaged returns the paths that a person has staged: the index holds another version
	// than HEAD.
	ListStaged(ctx context.Context, paths []Path) ([]Path, error)
}

// Snapshots read what commits hold of single files.
type Snapshots interface {
	// ReadAt returns a file's bytes in a commit; the error is CodeNotFound when
	// it is not in there.
	ReadAt(ctx context.Context, commit string, p Path) ([]byte, error)

	// History calls fn for the commits that touched any of the paths, the newest
	// first, until fn returns false.
	History(ctx context.Context, paths []Path, fn func(Revision) bool) error
}

// Writer makes changes durable.
type Writer interface {
	// Lock takes the vault's lock, waiting a bounded time, and then finishes
	// what a crashed writer left. The error names the holder.
	Lock(ctx context.Context, verb string) (unlock func(), err error)

	// Commit makes the change durable; the lock is held.
	Commit(ctx context.Context, c *Change) (Receipt, error)

	// Rehearse returns the error with which Commit would refuse the change, and changes nothing.
	Rehearse(ctx context.Context, c *Change) error
}

// Recovery handles unfinished writes for commands that only read.
type Recovery interface {
	// Hasty returns a store whose Lock is tried once, for callers that do not wait.
	Hasty() Store

	// Recover finishes what killed writers left, if that can be done at once, and returns
	// notes for the person. Unfinished returns the writes that it had to leave.
	Recover(ctx context.Context) (notes []string, err error)
	ListUnfinished(ctx context.Context) []Unfinished

	// Remake makes commits again that a late git reset took from the branch, and puts back
	// what a failed git merge took from files and index. It reports whether it did
	// anything. It never waits: what cannot be done now is left for the next Lock, which
	// says why.
	Remake(ctx context.Context) bool
}

// Outbox keeps writes that wait for the repository to be free.
type Outbox interface {
	// Queue keeps a write that has to wait. Waiting lists them, the oldest first; what
	// cannot be read is left out, and the error says so.
	// Next returns the oldest that no commit has made yet, nil without one, and Unqueue forgets
	// one that comes to nothing; the lock is held.
	Queue(ctx context.Context, q Queued) error
	Waiting(ctx context.Context) ([]Queued, error)
	Next(ctx context.Context) (*Queued, error)
	Unqueue(ctx context.Context, q Queued) error
}

// Entry describes what lies at a path on disk, under any case or Unicode form of the name.
type Entry struct {
	File   bool // something of that name
	Folder bool // a folder in which its children would live: the name without .md
}

// Look tells what stands at p on disk.
func (s Store) Look(ctx context.Context, p Path) (Entry, error) {
	names, err := s.List(ctx, p.Dir())
	return newNames(names).entryAt(p), err
}

// names are those in a folder, by their [filename.Fold].
type names map[string]bool

func newNames(list []string) names {
	all := make(names, len(list))
	for _, name := range list {
		all[filename.Fold(name)] = true
	}
	return all
}

// entryAt tells what stands at a path in the folder.
func (n names) entryAt(p Path) Entry {
	return Entry{File: n[filename.Fold(p.Base())], Folder: n[filename.Fold(p.Home().Base())]}
}

// Queued is a write that waits in the outbox for the repository to be free.
type Queued struct {
	Op      string    `json:"op"` // the name of the operation that will make it
	At      time.Time `json:"at"`
	Verb    string    `json:"verb"`            // see [Vault.Deliverable]
	Options []byte    `json:"options"`         // the verb's options, JSON
	Agent   string    `json:"agent,omitempty"` // who queued it, and is its author; who delivers it where an earlier version queued it
}

// Unfinished is a write whose writer died and that could not be finished yet. It may still
// be undone.
type Unfinished struct {
	Op      string
	Subject string // of its commit
	Paths   []Path // files that it touches, old and new places alike
}

// Receipt is the outcome of a commit.
type Receipt struct {
	Op      string   // the intent's name, the trailer Cp-Op
	Before  string   // HEAD before
	Commit  string   // the new commit; equal to Before when HEAD already held it all
	Paths   []Path   // files created, changed, moved or removed, old and new places alike; facts files too
	Moved   []Rename // but memories with the text they had and another place, which are not in Paths
	Gone    []Path   // those of Paths that are not there any more
	Adopted []Path   // files that were on disk, and that no commit of the branch held before
	Notes   []string // for the person: versions kept, pointers pending
	Waits   error    // why the write waits in the outbox; nil when it is in the commit
	Behind  error    // why the mirror does not have it yet, which the next command mends; nil when it has
}

// Rename is the move of a file.
type Rename struct{ From, To Path }

// Mirror is the derived side: rows made from the files alone.
type Mirror struct {
	Tree
	Refresher
	Agreement // nil remembers nothing
}

// Agreement remembers the outcome of a pass of sync that found nothing to do.
// Until a file or HEAD changes, the next pass would compare the same and find the same.
type Agreement interface {
	FindAgreement(ctx context.Context) (parents int, ok bool, err error)
	Agree(ctx context.Context, at Generation, parents int) error
}

// Refresher brings a mirror up to date.
type Refresher interface {
	// CatchUp brings the rows in scope up to date with the disk and with HEAD.
	CatchUp(ctx context.Context, src Source, scope Scope) (Report, error)

	// ApplyReceipt brings the rows of a receipt's paths up to date. A failure is not
	// one of the write: the next CatchUp does it.
	ApplyReceipt(ctx context.Context, src Source, r Receipt) error

	// Generation tells the state of the rows as they are, without a look at the disk.
	Generation(ctx context.Context) (Generation, error)
}

// Report tells what a catch-up saw.
type Report struct {
	Rebuilt  bool `json:"rebuilt"`
	Files    int  `json:"files"`
	Changed  int  `json:"changed"`
	Removed  int  `json:"removed"`
	Complete bool `json:"complete"`

	Moved      bool       `json:"-"` // HEAD is another one than at the last look
	Generation Generation `json:"-"` // where the mirror is after it
}

// Differs reports whether HEAD or any file is another one than at the last look.
func (r Report) Differs() bool { return r.Moved || r.Changed+r.Removed > 0 }

// Generation tells one state of a mirror from every other one.
type Generation struct {
	Epoch  int64 // of the mirror's file: another one is another file
	Number int64 // grows with every write
}

// Covers reports whether a mirror at g holds all that it held at t.
func (g Generation) Covers(t Generation) bool { return g.Epoch == t.Epoch && g.Number >= t.Number }

// Access is one reading of a memory.
type Access struct {
	ID    ID
	At    time.Time
	By    string
	Depth int // the memory's depth in the tree; 0 is a root
}

// LogLimit bounds the readings of each memory in the access log.
const LogLimit = 50

// Reads is the telemetry of one memory.
type Reads struct {
	Count int
	Last  time.Time // zero when never read
}

// Usage is the access telemetry of this clone.
type Usage interface {
	// Touch counts the readings; exact under concurrency.
	Touch(ctx context.Context, reads []Access) error
	// Reads returns the telemetry of the ids, as it stands.
	Reads(ctx context.Context, ids []ID) (map[ID]Reads, error)
	// Log returns the last readings of one memory, the newest first.
	Log(ctx context.Context, id ID) ([]Access, error)
	// Forget drops deleted memories.
	Forget(ctx context.Context, ids []ID) error
}
