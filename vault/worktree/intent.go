package worktree

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/remake"
)

// An intent is one write, decided: everything apply needs, and the texts it was
// decided on. On disk it is tx/<op>.json:
//
//	{"sum": "<SHA-256 of the intent's bytes>", "intent": {"format": 1, "op": "20261102T140247.120-k3v9q2m1", …}}
//
// A record whose sum does not fit was never completed, and nothing was done for it.
type intent struct {
	Format  int       `json:"format"`
	Op      string    `json:"op"`
	At      time.Time `json:"at"`
	Agent   string    `json:"agent,omitempty"`
	Message string    `json:"message"`
	Base    string    `json:"base,omitempty"` // HEAD when it was planned
	Edits   []*edit   `json:"edits"`

	Sections []vault.Section `json:"sections,omitempty"` // of agents' files; written before the commit

	Join   *vault.Join `json:"join,omitempty"`   // the history that is taken over
	Anew   string      `json:"anew,omitempty"`   // HEAD, which has lost it: it is made on top of that once more
	Back   bool        `json:"back,omitempty"`   // HEAD has it: only files and index are put back to that
	Queued string      `json:"queued,omitempty"` // the file in outbox/ of the waiting write that it makes
}

const intentFormat = 1

// edit is a planned [vault.Edit] with what was found on disk.
type edit struct {
	vault.Edit
	Kind   kind   `json:"kind"`
	Before string `json:"before,omitempty"` // digest of the file's text; empty when there was none
	After  string `json:"after,omitempty"`  // digest once the steps are made
	Text   []byte `json:"text,omitempty"`   // what Whole commits
	Adopts string `json:"adopts,omitempty"` // what the commit says of a file that HEAD has not

	made []byte // the text with the steps made on it; nil in a later command, and where there is much

	Takes []string `json:"takes"` // digests of what the steps take out of the text; null in earlier versions

	// Of a move or removal: what lay there. A file's name is relative to Path,
	// and empty when Path is the file itself.
	Files   []found  `json:"files,omitempty"`
	Folders [][]byte `json:"folders,omitempty"` // below Path, outer before inner
}

// kind is the form of an edit.
type kind string

const (
	creates kind = "create"
	changes kind = "change"
	moves   kind = "move" // perhaps after changes
	removes kind = "remove"
	takes   kind = "take" // what another history makes of the file
)

// found is a file as planning saw it. Names are bytes: only what is a memory
// has to be UTF-8.
type found struct {
	Name   []byte `json:"name,omitempty"`
	Inode  uint64 `json:"inode,omitempty"` // with MTime, tells a file that is still the planned one
	MTime  int64  `json:"mtime,omitempty"`
	Digest string `json:"digest,omitempty"` // of what is to be removed; empty when only HEAD has it

	moved bool // it has left its old place, and is at the new one
}

func (f found) path(base vault.Path) vault.Path {
	if len(f.Name) == 0 {
		return base
	}
	return base.Join(string(f.Name))
}

// joinBase is path for absolute names.
func (f found) joinBase(base string) string {
	if len(f.Name) == 0 {
		return base
	}
	return base + string(filepath.Separator) + string(f.Name)
}

type record struct {
	Sum    string          `json:"sum"`
	Intent json.RawMessage `json:"intent"`
}

// encode returns the record of an intent.
func (in *intent) encode() ([]byte, error) {
	b, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return json.Marshal(record{Sum: files.Digest(b), Intent: b})
}

// decodeIntent returns the intent of a record, and whether the record is whole.
func decodeIntent(b []byte) (*intent, bool) {
	var r record
	if json.Unmarshal(b, &r) != nil || files.Digest(r.Intent) != r.Sum {
		return nil, false
	}
	in := new(intent)
	return in, json.Unmarshal(r.Intent, in) == nil
}

func (s *Store) tx() string                  { return filepath.Join(s.state, "tx") }
func (s *Store) intentFile(op string) string { return filepath.Join(s.tx(), op+".json") }

// journal makes the intent durable.
func (s *Store) journal(in *intent) error {
	b, err := in.encode()
	if err != nil {
		return vault.Errorf(vault.CodeInternal, "", "cannot write the intent down: %w", err)
	}
	return writeNew(s.intentFile(in.Op), b)
}

// writeNew writes a new file durably: all of it or nothing.
func writeNew(name string, b []byte) error {
	temp := name + ".tmp"
	if err := disk.Remove(temp); err != nil { // a killed process left it
		return err
	}
	if err := disk.WriteSync(temp, b, 0o600); err != nil {
		return err
	}
	if err := disk.RenameNew(temp, name); err != nil {
		_ = disk.Remove(temp)
		return err
	}
	return disk.SyncDir(filepath.Dir(name))
}

// forget removes a finished intent.
func (s *Store) forget(op string) error {
	if err := disk.Remove(s.intentFile(op)); err != nil {
		return err
	}
	return disk.SyncDir(s.tx())
}

// pending returns the intents that wait, the oldest first, and drops torn ones
// and those that were kept long enough.
func (s *Store) pending() ([]*intent, error) {
	entries, err := os.ReadDir(s.tx())
	if err != nil {
		return nil, err
	}
	var found []*intent
	for i, e := range entries {
		name := filepath.Join(s.tx(), e.Name())
		switch {
		case remake.IsOnShelf(name):
			err = s.shelf().Trim(e.Name(), len(entries)-i)
		case strings.HasSuffix(name, ".json.tmp"):
			err = disk.Remove(name)
		case strings.HasSuffix(name, ".json"):
			var in *intent
			if in, err = s.loadIntent(name); in != nil {
				found = append(found, in)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found, func(a, b *intent) int { return strings.Compare(a.Op, b.Op) })
	return found, nil
}

// loadIntent reads one record; nil when it was torn, and dropped.
func (s *Store) loadIntent(name string) (*intent, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	in, ok := decodeIntent(b)
	if !ok {
		return nil, disk.Remove(name)
	}
	if in.Format != intentFormat {
		return nil, vault.Errorf(vault.CodeInternal, "run that newer cp once",
			"a newer cp left an unfinished write (%s) that this one cannot read", filepath.Base(name))
	}
	return in, nil
}
