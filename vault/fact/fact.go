package fact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Facts are the facts of one memory.
type Facts struct {
	ID        string     `json:"id"`     // the memory's
	Of        string     `json:"of"`     // the beginning of the hash of what they were drawn from
	By        string     `json:"by"`     // the model that drew them; empty where none did
	Prompt    int        `json:"prompt"` // the version of the question that it was asked
	Entities  []Entity   `json:"entities"`
	Relations []Relation `json:"relations"`
}

// Entity is a thing that a memory speaks of.
type Entity struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Hand        bool   `json:"hand,omitempty"`    // a person wrote it
	Removed     bool   `json:"removed,omitempty"` // a person does not want it
}

// Relation says how one entity stands to another one, both by their names.
type Relation struct {
	From     string `json:"from"`
	Relation string `json:"relation"`
	To       string `json:"to"`
	Hand     bool   `json:"hand,omitempty"`
	Removed  bool   `json:"removed,omitempty"`
}

// Dir is the folder of facts in a vault, and UntrackedDir that of facts of no memory.
const (
	Dir          = ".cp/facts"
	UntrackedDir = Dir + "/untracked"
)

// Path returns the place of the facts of a memory in its vault: 32 digits of the SHA-256 of
// its id, in one of 256 folders.
func Path(id string) string {
	sum := sha256.Sum256([]byte(id))
	name := hex.EncodeToString(sum[:16])
	return Dir + "/" + name[:2] + "/" + name + ".json"
}

// Is reports whether a path of a vault is named like a facts file: *.json in Dir at any
// depth, or *.jsonl in UntrackedDir.
func Is(path string) bool {
	rest, ok := strings.CutPrefix(path, Dir+"/")
	switch {
	case !ok || strings.Contains("/"+rest, "/."):
		return false
	case strings.HasSuffix(rest, ".json"):
		return true
	}
	name, ok := strings.CutPrefix(path, UntrackedDir+"/")
	return ok && strings.HasSuffix(name, ".jsonl") && !strings.Contains(name, "/")
}

// Limits of a file. Beyond them nothing of it is used. What people wrote or removed may be more
// than MaxEntries: a merge keeps what both sides did, and no entry of a person gives way in it.
const (
	MaxSize    = 1 << 20 // bytes
	MaxEntries = 1000    // entities and relations together
)

// Error says why a text is no facts file.
type Error struct{ Msg, Hint string }

func (e *Error) Error() string { return e.Msg }

func errRefused(hint, format string, args ...any) error {
	return &Error{fmt.Sprintf(format, args...), hint}
}

const mend = "mend it in an editor, or delete it and draw the facts again"

// Parse reads a facts file. Keys that it does not know it passes over. The error is an
// [*Error]: for a text that is no such JSON, is too large, or holds control characters.
func Parse(text []byte) (*Facts, error) {
	if len(text) > MaxSize {
		return nil, errRefused("split the memory", "larger than the %d MiB that facts may have", MaxSize>>20)
	}
	f, err := parseFacts(text)
	if err != nil {
		return nil, err
	}
	if n := f.Len(); n > MaxEntries && f.countUndecided() > 0 {
		return nil, errRefused("split the memory", "%d entries, more than the %d that facts may have", n, MaxEntries)
	}
	return f, nil
}

// parseFacts reads a facts file of any size.
func parseFacts(text []byte) (*Facts, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, errRefused(mend, "not UTF-8")
	}
	var f Facts
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&f); err != nil {
		return nil, errRefused(mend, "not the JSON of facts: %v", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errRefused(mend, "more than one JSON value")
	}
	if err := f.checkFacts(); err != nil {
		return nil, err
	}
	f.sort()
	return &f, nil
}

// checkFacts refuses what no facts file of ours holds.
func (f *Facts) checkFacts() error {
	if f.ID == "" {
		return errRefused(mend, "no id of a memory")
	}
	if err := refuseControls("id", f.ID, "of", f.Of, "by", f.By); err != nil {
		return err
	}
	for _, e := range f.Entities {
		if strings.TrimSpace(e.Name) == "" {
			return errRefused(mend, "an entity without a name")
		}
		if err := refuseControls("name", e.Name, "type", e.Type, "description", e.Description); err != nil {
			return err
		}
	}
	for _, r := range f.Relations {
		if strings.TrimSpace(r.From) == "" || strings.TrimSpace(r.Relation) == "" || strings.TrimSpace(r.To) == "" {
			return errRefused(mend, "a relation without its ends or its verb")
		}
		if err := refuseControls("from", r.From, "relation", r.Relation, "to", r.To); err != nil {
			return err
		}
	}
	return nil
}

// refuseControls refuses control characters in values, which come behind their keys.
func refuseControls(pairs ...string) error {
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.ContainsFunc(pairs[i+1], unicode.IsControl) {
			return errRefused(mend, "control characters in the %s %q", pairs[i], pairs[i+1])
		}
	}
	return nil
}

// FoldName returns the form of a name in which two names are compared: in NFKC, in lower case.
func FoldName(name string) string {
	for i := range len(name) {
		if c := name[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.ToLower(norm.NFKC.String(name))
		}
	}
	return name
}

// Key tells an entity from the others of its file.
func (e Entity) Key() string { return FoldName(e.Name) + "\x00" + e.Type }

// Key tells a relation from the others of its file.
func (r Relation) Key() string {
	return FoldName(r.From) + "\x00" + FoldName(r.Relation) + "\x00" + FoldName(r.To)
}
