package vault

import (
	"context"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/prose"
)

// Change is the edits of one commit: all that one verb does to the vault.
type Change struct {
	Verb    string   // "add-sub", "move", …: the trailer Cp-Verb and the commit's subject
	ID      ID       // the memory it is about; may be empty
	Title   string   // its title, for the subject
	Agent   string   // trailer Cp-Agent and author
	Note    string   // optional paragraph of the commit message
	Undoes  []string // the operations that this one takes back, the newest first: the trailers Cp-Undoes
	Settles string   // the merge that this change puts right: the trailer Cp-Settles
	Edits   []Edit

	AllowSecret bool // commit also what looks like a credential: the person said so, or the history holds it already

	// Mirrors says that what the steps replace stands elsewhere, or was compared by
	// the plan: sync's, which carry a person's words from one place to another.
	// All others are refused where they would replace what is in no commit.
	Mirrors bool

	// Paths of memories that the change makes go away, for the telemetry.
	Gone []ID

	// Sections are written to files of agents, before the commit that records them.
	Sections []Section

	// Queued is the waiting write that the change makes: it then waits no more.
	Queued *Queued

	// Join says whose history the change takes over; its edits are all Taken.
	Join *Join

	holds func(ctx context.Context) bool // nil stands on nothing; see Holds
}

// Empty reports whether the change does nothing; it then makes no commit. An undo
// says what it takes back also where that comes to nothing: a file made and deleted.
func (c *Change) Empty() bool {
	return c == nil || len(c.Edits)+len(c.Undoes) == 0 && c.Join == nil
}

// Section is what a change makes of one memory's part in a file that agents load, see package
// core. The file is a person's, and in no commit of ours.
type Section struct {
	File    string `json:"file"` // absolute
	Key     string `json:"key"`
	Text    string `json:"text,omitempty"`    // empty takes the section out
	Was     string `json:"was,omitempty"`     // what it said before; empty for none
	Head    string `json:"head,omitempty"`    // what the file begins with where it has to be made
	Folders int    `json:"folders,omitempty"` // how many folders above it have to be made then
}

// Edit is a change of one file or folder. It is written down in the intent first, and
// then applied to HEAD's tree, to the index and to the work tree. Applying it again
// changes nothing.
//
// Exactly one of these forms:
//
//	Create                  a new file; never overwrites
//	Steps [To]              change a file, perhaps moving it
//	To                      move the file, or with Tree the folder and all in it
//	Remove                  delete the file, or with Tree the folder's listed contents
//	Untrack [Steps] [To]    keep the file on disk only; with Create make it there
//	Taken                   bring the file from one blob to another, a person's edits kept
//
// A move or removal that a person has made by hand already is no error: the edit then
// reaches only HEAD and the index. Other files in a folder that is moved or removed stay;
// emptied folders go. Of moved folders in one another the inner ones stand first: what is
// in one of them goes with it.
type Edit struct {
	Path   Path   `json:"path"`
	Create []byte `json:"create,omitempty"`
	Steps  []Step `json:"steps,omitempty"`
	To     Path   `json:"to,omitempty"`
	Remove bool   `json:"remove,omitempty"`
	Tree   bool   `json:"tree,omitempty"`

	// Adopt commits the file as it is on disk, edits included, where HEAD has
	// no version of it: hand-made files enter the vault so.
	Adopt bool `json:"adopt,omitempty"`

	// Whole commits the text on disk, and not HEAD's version with Steps. The verb edit
	// uses it to commit what a person typed.
	Whole bool `json:"whole,omitempty"`

	// Untrack takes the file out of the commit and of the index, and leaves it on
	// disk, with the Steps made on it there.
	Untrack bool `json:"untrack,omitempty"`

	// Match refuses the edit with CodeConflict unless the text on disk has this
	// blob id; empty takes any.
	Match string `json:"match,omitempty"`

	// Taken brings another history's version of the file here.
	Taken *Taken `json:"taken,omitempty"`

	// Outside marks a Path relative to the top of the work tree instead of the
	// vault; only init, setup and what is Taken use it.
	Outside bool `json:"outside,omitempty"`
}

// Op names what a Step does.
type Op string

// The steps. Each is applied to the text of one version of a file; applying it
// to its own result changes nothing, except for an OpAppend without Had.
const (
	OpAddPointer    Op = "add-pointer"    // Entry, or each of Entries: at the block's end, unless its id is there
	OpSetPointer    Op = "set-pointer"    // Entry: title and summary of the entry with its id, in place; else as OpAddPointer
	OpRemovePointer Op = "remove-pointer" // ID
	OpSetBlock      Op = "set-block"      // Entries: render the block anew, repairing it; empty removes it
	OpRestyle       Op = "restyle"        // Hidden: the block as one comment, or visible; its entries stay
	OpSetSetting    Op = "set-setting"    // Key, Value: a plain value at the top of a YAML file that is no memory
	OpFacts         Op = "facts"          // Text, Value: what a plan has made of the facts file Value, merged by entries into what it says
	OpAddLine       Op = "add-line"       // Text: a line at the end of a file that is no memory, unless it stands there
	OpSetKey        Op = "set-key"        // Key, Value: a front matter scalar
	OpSetList       Op = "set-list"       // Key, List: a front matter list of strings
	OpAddToList     Op = "add-to-list"    // Key, List: set union; labels go to tags where only those are there
	OpDropFromList  Op = "drop-from-list" // Key, List: labels from tags, too
	OpDropKey       Op = "drop-key"       // Key
	OpSetIn         Op = "set-in"         // Key, Name, Value: one key of a front matter mapping, as JSON; an empty Value takes it out
	OpAppend        Op = "append"         // Text: a paragraph at the end of the prose, before the block, unless it stands there more often than Had says
	OpSetSection    Op = "set-section"    // Name, Text: what stands in the section Name; added under the heading Value if there is none
	OpAddToLead     Op = "add-to-lead"    // Text: a paragraph at the end of what stands before the first section, unless it stands there
	OpAddToSection  Op = "add-to-section" // Name, Text: a paragraph at the end of that section, unless it stands there
	OpSetProse      Op = "set-prose"      // Text: the prose; front matter and block stay
	OpSetText       Op = "set-text"       // Text: the whole file; import's --update
	OpTakeOut       Op = "take-out"       // List, Value, Name: what was put in with an adoption, see package past
	OpSetID         Op = "set-id"         // ID, and in Value the one of ours that gives way: the identity, see [Identify]; Key: cp_id, of a note that was read-only
	OpRelink        Op = "relink"         // Links: other destinations of links; nothing else of the prose changes
	OpSettle        Op = "settle"         // take git's conflict markers out of the front matter, where both sides can be read
)

// Step is one edit of a file's text, so small that it can be made on any version of the
// text. Hidden says of the steps on pointers that a block which they make is to be hidden;
// one that is there keeps its style.
type Step struct {
	Op      Op              `json:"op"`
	Entry   *pointer.Entry  `json:"entry,omitempty"`
	Entries []pointer.Entry `json:"entries,omitempty"`
	ID      ID              `json:"id,omitempty"`
	Key     string          `json:"key,omitempty"`
	Value   string          `json:"value,omitempty"`
	List    []string        `json:"list,omitempty"`
	Name    string          `json:"name,omitempty"`
	Text    string          `json:"text,omitempty"`
	Hidden  bool            `json:"hidden,omitempty"`
	Links   []prose.Relink  `json:"links,omitempty"`

	Had *int `json:"had,omitempty"` // how often the file on disk had the text before; nil is unknown, see Counted
}
