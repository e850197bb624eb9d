package journal

import (
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/tier"
)

// Reason says why an item waits for a person.
type Reason string

// The reasons, in the order in which the queue has them.
const (
	ReasonObservation Reason = "observation" // enough sessions made it: it can go into the tree
	ReasonPlace       Reason = "place"       // it asks for a place in the tree
	Core              Reason = "core"        // it is ready for the agents' own files
	Stale             Reason = "stale"       // its copy in an agent's file is out of date
	ChangedCode       Reason = "code"        // the code that it is about has changed, or is gone
	Alike             Reason = "alike"       // an agent added it, and it says nearly what another memory says
	Phrase            Reason = "phrase"      // it has no phrase yet
	Deferred          Reason = "deferred"    // the day to which it was deferred has come
	IsBelow           Reason = "below"       // too few sessions made the observation
	Denied            Reason = "denied"      // it waits no more; listed where one asks for what was denied
)

// Reasons returns the reasons in the order in which the queue has them.
func Reasons() []Reason {
	return []Reason{ReasonObservation, ReasonPlace, Core, Stale, ChangedCode, Alike, Phrase, Deferred, IsBelow, Denied}
}

// Item is a memory that waits, with the evidence for a decision.
type Item struct {
	Why       Reason       `json:"why"`
	ID        vault.ID     `json:"id"`
	Title     string       `json:"title"`
	Path      vault.Path   `json:"path"`
	Type      string       `json:"type"`
	Namespace string       `json:"namespace,omitempty"` // of a kind
	Text      string       `json:"text,omitempty"`      // the prose
	Level     string       `json:"level,omitempty"`     // pending, long-term or core
	Count     int          `json:"count,omitempty"`     // of sessions that made it
	Sessions  []string     `json:"sessions,omitempty"`
	Sources   []string     `json:"sources,omitempty"` // who wrote it, and where an imported one comes from
	FirstSeen time.Time    `json:"first_seen,omitzero"`
	LastSeen  time.Time    `json:"last_seen,omitzero"`
	Created   time.Time    `json:"created,omitzero"`
	Needs     string       `json:"needs,omitempty"`         // what a threshold lacks: "2/3, needs 1 more"
	Denied    int          `json:"denied,omitempty"`        // 1 if it was denied
	DeniedFor string       `json:"denied_reason,omitempty"` // what the person said when they denied it
	DeniedBy  string       `json:"denied_by,omitempty"`
	Back      int          `json:"back,omitempty"`    // how many sessions made it, though it was denied
	Nearest   []NearMemory `json:"nearest,omitempty"` // memories of the tree that say nearly the same, the nearest first
	Parent    *NearMemory  `json:"parent,omitempty"`  // suggested
	Targets   []string     `json:"targets,omitempty"` // the agents' files that it would go to, or whose copy is out of date
	Hash      string       `json:"hash"`              // of the file's text when the item was made
	Reads     int          `json:"reads,omitempty"`   // of what waits for [ChangedCode]: how often it was read

	Code *vault.CodeState `json:"code,omitempty"` // how the code stands that it is about
	SeenCode
	family.Origin
}

// SeenCode is what a person is shown of code that has changed under a memory.
type SeenCode struct {
	Diff          []string `json:"diff,omitempty"`          // at most twelve lines, with - or + before them
	CodeHash      string   `json:"code_hash,omitempty"`     // of the code as it was judged
	Unconfirmable string   `json:"unconfirmable,omitempty"` // why nobody can say that the memory is right about it
}

// NearMemory is another memory that an item is close to.
type NearMemory struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Summary    string     `json:"summary,omitempty"` // its phrase
	Path       vault.Path `json:"path"`
	Similarity float64    `json:"similarity,omitempty"` // the share of what either says that both say
	Same       bool       `json:"same,omitempty"`       // type, title and text are the same
}

// Queue is what waits, or a page of it.
type Queue struct {
	Items  []Item         `json:"items"`
	Total  int            `json:"total"`  // of all pages
	Counts map[Reason]int `json:"counts"` // of all that waits

	MoreCode int `json:"more_code,omitempty"` // so many more are about code that has changed; they come once these are decided

	LeftOver []tier.LeftOver `json:"left_over,omitempty"` // in files that agents load; told beside what waits
}
