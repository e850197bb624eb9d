package vault

import (
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// TypeMemory is the type of the files that form the tree. Records of other
// types ([header.RecordTypes]) may lie in the vault; the commands of the tree refuse them.
const TypeMemory = header.TypeMemory

// The status of a memory. Other words are kept as they are and count as open.
const (
	StatusOpen       = header.StatusOpen
	StatusClosed     = "closed"
	StatusDeferred   = "deferred"
	StatusInProgress = "in_progress"
)

// Limits at the door.
const (
	MaxTitle     = header.MaxTitle // characters in a title
	MaxFile      = 4 << 20         // bytes of a memory's file; larger ones are reported and left alone
	MaxPointers  = 10_000          // entries of one block that the mirror knows; a block with more is reported, and none is lost
	MaxDepth     = 64              // levels of folders
	TreeCap      = 20              // levels of the tree that queries walk
	TriggerLimit = 120             // characters of a trigger phrase beyond which we warn
)

// Placeholder stands in a block where a child has no trigger phrase yet.
const Placeholder = "No summary — update this memory's pointer block manually or re-add with add-sub"

// Header holds the values of the front matter, by the table of fields.
type Header = header.Values

// Reference is a pointer to another memory, in the header or in the prose.
type Reference = header.Reference

// Memory is one Markdown file, parsed. A hand-made file needs none of the keys: Type falls back
// to "memory", Status to "open", Title to the first H1 and then to the file's name.
type Memory struct {
	Header
	Path     Path
	ID       ID     // empty when the file carries no valid one
	Untitled bool   // the file says no title, so that its name stands for one
	Keywords string // what the header says under other programs' keys: aliases, tags, keywords

	// References are the header's by the table of fields, then the links of the prose, each once.
	References []Reference
	Anchors    []prose.Anchor // the links of the prose with their texts

	Prose    string          // the text without front matter and block, as it stands
	Pointers []pointer.Entry // the block's entries; nil without a block or when it is damaged
	HasBlock bool            // an opening marker stands at the top level
	Problems []Problem       // what a person should look at
}

// Refers returns the targets of the references of one kind.
func (m *Memory) Refers(kind string) []string { return header.TargetsOf(m.References, kind) }

// IndexedPointers returns the pointers that a mirror keeps: at most MaxPointers.
func (m *Memory) IndexedPointers() []pointer.Entry {
	return m.Pointers[:min(len(m.Pointers), MaxPointers)]
}

// Problem is something wrong with one file that does not stop the rest.
type Problem struct {
	Path Path   `json:"path"`
	Kind string `json:"kind"` // one of the Problem… constants
	Line int    `json:"line,omitempty"`
	Msg  string `json:"message"`
}

// KeepsID reports whether sync gives a file with the problem no id: it is empty, no text, or
// its header cannot take one.
func (p Problem) KeepsID() bool {
	switch p.Kind {
	case ProblemEmpty, ProblemUnfetched, ProblemTooBig, ProblemFrontMatter, ProblemNoKeys:
		return true
	}
	return p.Kind == ProblemEncoding && strings.Contains(p.Msg, "NUL")
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
	ProblemNoKeys      = "no_keys" // what stands for a front matter is a list or a text
	ProblemID          = "bad_id"
	ProblemShape       = "other_shape"    // a key of ours that another program wrote for itself
	ProblemProtection  = "bad_protection" // protected: says neither true, append nor false
	ProblemBlock       = "invalid_block"
	ProblemPointers    = "too_many_pointers" // over MaxPointers
	ProblemMarkers     = "conflict_markers"
	ProblemVersions    = "two_versions" // of one passage, that a merge kept both
	ProblemDuplicateID = "duplicate_id"
	ProblemEmpty       = "empty"
	ProblemCopy        = "conflict_copy" // left beside a file by a cloud folder; never a memory
	ProblemEvicted     = "evicted"       // kept in the cloud only; a placeholder stands for it
	ProblemSecret      = "secret"        // looks like a credential
	ProblemFilter      = "filter_failed" // git's filter or encoding refuses the text
	ProblemFacts       = "bad_facts"     // a facts file of which nothing is used
	ProblemTwin        = "twin_name"     // differs from another name only in case or Unicode form
)
