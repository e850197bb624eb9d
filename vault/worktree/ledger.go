package worktree

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// SectionLedger remembers in a file which sections were written from this work tree, and where: by
// that a section is found again where the settings, or the vault's name, say another place by
// now. It is one line of JSON for each:
//
//	{"file": "/code/CLAUDE.md", "key": "pf/pf-7k2m9qx4"}
//
// What was written is true in the files alone: an entry may be about a section that a person
// has taken out since.
type SectionLedger struct {
	Name string // the file; empty remembers nothing
}

// SectionsWritten is a section that was written.
type SectionsWritten struct {
	File string `json:"file"` // absolute, links resolved
	Key  string `json:"key"`
}

// SectionLedgerIn returns the ledger in the state folder of a work tree; of none without a folder.
func SectionLedgerIn(state string) SectionLedger {
	if state == "" {
		return SectionLedger{}
	}
	return SectionLedger{Name: filepath.Join(state, "core.jsonl")}
}

// ReadAll returns what is remembered. A line that cannot be read is left out.
func (l SectionLedger) ReadAll() (all []SectionsWritten) {
	if l.Name == "" {
		return nil
	}
	text, _ := os.ReadFile(l.Name)
	for line := range bytes.Lines(text) {
		var w SectionsWritten
		if json.Unmarshal(line, &w) == nil && w.File != "" && w.Key != "" {
			all = append(all, w)
		}
	}
	return all
}

// note remembers a section that stands in the file at, or forgets one that was taken out.
func (l SectionLedger) note(at string, s vault.Section) error {
	is, all := SectionsWritten{File: at, Key: s.Key}, l.ReadAll()
	if l.Name == "" || slices.Contains(all, is) == (s.Text != "") {
		return nil
	}
	all = slices.DeleteFunc(all, func(w SectionsWritten) bool { return w == is })
	if s.Text != "" {
		all = append(all, is)
	}
	var text bytes.Buffer
	for _, w := range all {
		line, err := json.Marshal(w)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	if err := disk.MkdirAll(filepath.Dir(l.Name), 0o700); err != nil {
		return err
	}
	return disk.ReplaceSync(l.Name, text.Bytes(), 0o600)
}
