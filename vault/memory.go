package vault

import (
	"time"

	"github.com/cp-memory/cp/pointer"
)

// TypeMemory is the type of the files that form the tree. Records of other
// types ([RecordTypes]) may lie in the vault; the commands of the tree refuse them.
const TypeMemory = "memory"

// RecordTypes returns the words of the type key that name a kind of record which
// is no memory. Any other word is some other program's ("type: daily-note" in an
// Obsidian vault, "type: docs" in a site): it is kept in the file, and the file
// is a memory like the rest.
func RecordTypes() []string { return recordTypes[:] }

var recordTypes = [...]string{"task", "bug", "epic", "backlog", "requirement", "knowledge", "message", "session"}

// The status of a memory. Other words are kept as they are and count as open.
const (
	StatusOpen       = "open"
	StatusClosed     = "closed"
	StatusDeferred   = "deferred"
	StatusInProgress = "in_progress"
)

// Limits at the door.
const (
	MaxTitle     = 500      // characters in a title
	MaxHeader    = 64 << 10 // bytes of front matter
	MaxFile      = 4 << 20  // bytes of a memory's file; larger ones are reported and left alone
	MaxPointers  = 10_000   // entries of one block that the mirror knows; a block with more is reported, and none is lost
	MaxDepth     = 64       // levels of folders
	TreeCap      = 20       // levels of the tree that queries walk
	TriggerLimit = 120      // characters of a trigger phrase beyond which we warn
)

// Placeholder stands in a block where a child has no trigger phrase yet.
const Placeholder = "No summary — update this memory's pointer block manually or re-add with add-sub"

// Memory is one Markdown file, parsed. A hand-made file needs none of the keys:
// Type falls back to "memory", Status to "open", Title to the first H1 and then
// to the file's name.
type Memory struct {
	Path       Path
	ID         ID // empty when the file carries no valid one
	Title      string
	Type       string
	Status     string
	Labels     []string // trimmed, without repetitions, in the order of the file
	Summary    string   // the trigger phrase, as the child tells it; may be empty
	SummaryOf  string   // the beginning of the ContentHash that a model wrote Summary for; empty for a person's
	Created    time.Time
	Creator    string
	Deferred   time.Time // deferred_until; zero when unset
	References []string  // the references key: ids
	Keywords   string    // what the header says under other programs' keys: aliases, tags, keywords

	Supersedes   []ID // those this one has taken the place of
	SupersededBy []ID // those that have taken its place

	Prose    string          // the text without front matter and block, as it stands
	Pointers []pointer.Entry // the block's entries; nil without a block or when it is damaged
	HasBlock bool            // an opening marker stands at the top level
	Links    []Link          // outgoing links of the prose, in order, without repetitions
	Problems []Problem       // what a person should look at
}

// Indexed returns the pointers that a mirror keeps: at most MaxPointers.
func (m *Memory) Indexed() []pointer.Entry { return m.Pointers[:min(len(m.Pointers), MaxPointers)] }

// Link is an outgoing reference in the prose: a wikilink or a relative Markdown link.
type Link struct {
	Kind   string // "wikilink" or "link"
	Target string // as written, without fragment and label; links are unescaped
}

// Problem is something wrong with one file that does not stop the rest.
type Problem struct {
	Path Path   `json:"path"`
	Kind string `json:"kind"` // one of the Problem… constants
	Line int    `json:"line,omitempty"`
	Msg  string `json:"message"`
}

// Kinds of problems. They are promises: add, never change.
const (
	ProblemUnreadable  = "unreadable"  // permission, I/O error
	ProblemEncoding    = "not_utf8"    // not UTF-8, or NUL bytes
	ProblemUnfetched   = "unfetched"   // a pointer of git-lfs
	ProblemTooBig      = "too_big"     // over MaxFile
	ProblemTooDeep     = "too_deep"    // below MaxDepth folders
	ProblemName        = "bad_name"    // a name that cannot be a Path
	ProblemSymlink     = "symlink"     // a symbolic link; never followed
	ProblemNotRegular  = "not_regular" // a pipe, socket or device named *.md
	ProblemNestedRepo  = "nested_repo" // a repository inside the vault; left alone
	ProblemFrontMatter = "bad_front_matter"
	ProblemID          = "bad_id"
	ProblemBlock       = "invalid_block"
	ProblemPointers    = "too_many_pointers" // over MaxPointers
	ProblemMarkers     = "conflict_markers"
	ProblemVersions    = "two_versions" // of one passage, that a merge kept both
	ProblemDuplicateID = "duplicate_id"
	ProblemEmpty       = "empty"
	ProblemCopy        = "conflict_copy" // left beside a file by a cloud folder; never a memory
	ProblemEvicted     = "evicted"       // kept in the cloud only; a placeholder stands for it
	ProblemSecret      = "secret"        // looks like a credential
	ProblemTwin        = "twin_name"     // differs from another name only in case or Unicode form
)
