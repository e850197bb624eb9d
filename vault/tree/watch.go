package tree

import (
	"time"

	"github.com/cp-memory/cp/vault"
)

// Watch keeps the mirror current while files change.
type Watch struct {
	Commit bool          // commit edits that are finished
	Quiet  time.Duration // how long a file is left alone before it counts as finished; 0 means 5 s

	// Looked is called at the end of each pass, also of one that found nothing new. It returns
	// at once; nil is nothing to do.
	Looked func()
}

// Pass is one look of a watcher at what has changed, and what it did about it.
type Pass struct {
	At       time.Time     `json:"at"`
	Files    int           `json:"files"` // looked at
	Changed  int           `json:"changed"`
	Removed  int           `json:"removed"`
	Whole    bool          `json:"whole"` // the whole vault was scanned
	Commits  []Committed   `json:"commits"`
	Left     []Left        `json:"left"` // edits that are not committed, and why; each is told once
	Warnings []string      `json:"warnings"`
	Took     time.Duration `json:"-"`
}

// Idle reports whether there is nothing to tell of the pass.
func (p *Pass) Idle() bool {
	return p.Changed+p.Removed+len(p.Commits)+len(p.Left)+len(p.Warnings) == 0
}

// Committed is one commit of a watcher.
type Committed struct {
	ID     vault.ID   `json:"id,omitempty"` // empty where several memories are meant
	Title  string     `json:"title"`
	Path   vault.Path `json:"path,omitempty"`
	Commit string     `json:"commit"`
}

// Left is an edit that a watcher leaves to its person.
type Left struct {
	Path vault.Path `json:"path"`
	Why  string     `json:"why"`
}

// Watcher is who keeps a vault's mirror current.
type Watcher struct {
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	Commit  bool      `json:"commit"`            // it commits finished edits
	Polling string    `json:"polling,omitempty"` // why it scans now and then instead of being told
	Build   string    `json:"build"`             // of the program, as far as two must agree
}
