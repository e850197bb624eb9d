package tier

import "github.com/cp-memory/cp/vault"

// CoreFile is the file of an adapter on this machine, as it was read.
type CoreFile struct {
	Name    string // the adapter's
	File    string // absolute, links resolved; empty for a target with no file here
	Head    string
	Folders int // that have to be made for it
	Text    []byte
	Err     error // why it cannot be read or written
	Unread  bool  // it was not read, so that it may hold a section
}

// Section returns what is to be written to the target; change is false where it says so
// already. An empty text takes the section out, and is nothing to write where there is none,
// whether or not the file can be written. The error is CodeConflict where that would lose what
// somebody edited.
func (t CoreFile) Section(key, text string) (s vault.Section, change bool, err error) {
	s = vault.Section{File: t.File, Key: key, Text: text, Head: t.Head, Folders: t.Folders}
	if t.Err != nil && text == "" && !t.Unread {
		if found, err := FindSection(t.Text, key); err == nil && !found.There {
			return s, false, nil
		}
	}
	if t.Err != nil {
		return s, false, vault.Errorf(vault.CodeIO, "put the file right, then run the command again", "%s: %s: %w", t.Name, t.File, t.Err)
	}
	found, err := FindSection(t.Text, key)
	if err != nil {
		return s, false, vault.Errorf(vault.CodeDamaged, "put the managed region right in an editor, or take it out", "%s: %s: %w", t.Name, t.File, err)
	}
	s.Was = found.Text
	switch {
	case found.Edited && found.Text != text:
		return s, false, vault.Errorf(vault.CodeConflict, "take the section "+key+" out of the file in an editor, with its markers, then run the command again",
			"%s: the section in %s was edited since it was written", t.Name, t.File)
	case text == "" || !found.There:
		return s, found.There == (text == ""), nil
	}
	return s, !SameSection(found.Text, text), nil
}
