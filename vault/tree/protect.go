package tree

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// Protect keeps agents from changing the memories that say so in their header, see
// [header.ProtectionOf]. It looks at what a write does to each file, whichever verb planned it,
// so that no face and no verb has a rule of its own:
//
//	                            protected: true    protected: append
//	its text, title, keys       refused            only what adds: a paragraph, a section, an item of a list
//	its file moved or removed   refused            refused
//	pointers, links, id, counts done               done
//	a folder above it moved     done               done
//
// The last two rows follow from what is done to other memories, and what it says stays the same.
// A new memory says what it likes. What a person has typed into the file decides, committed or
// not; but for a write that commits what is typed, HEAD does.
type Protect struct {
	Hint string // what is to be done instead
}

// CheckChange refuses a planned change. It lets pass what sync carries over from the disk, and what
// waited in the outbox, which would keep all that waits behind it from being written.
func (g Protect) CheckChange(ctx context.Context, tx *vault.Tx, c *vault.Change) error {
	if c.Mirrors || c.Queued != nil {
		return nil
	}
	for i := range c.Edits {
		e := &c.Edits[i]
		if e.Outside || e.Tree || e.Create != nil || e.Taken != nil || !e.Path.IsNote() {
			continue
		}
		text, err := textBefore(ctx, tx, e)
		if err != nil {
			return err
		}
		h, _ := header.Split(text)
		protection, _, _ := header.ProtectionOf(h)
		if protection == "" {
			continue
		}
		kept, err := keeps(ctx, tx, c, e, text, protection)
		if err == nil && !kept {
			err = g.refusal(e.Path, protection)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckProtected refuses edits that are yet to be planned, before a person is asked about them.
func CheckProtected(ctx context.Context, v *vault.Vault, edits ...vault.Edit) error {
	if v.Protect == nil {
		return nil
	}
	return v.Protect(ctx, v.Reading(), &vault.Change{Edits: edits})
}

// refusal is the error for a memory that an agent would change.
func (g Protect) refusal(p vault.Path, protection string) error {
	said := "this memory is protected, so no agent changes it"
	if protection == header.AppendOnly {
		said = "this memory only takes additions (protected: append), so no agent changes or removes what it has"
	}
	return &vault.Error{Code: vault.CodeProtected, Path: string(p), Msg: said, Hint: g.Hint}
}

// textBefore returns the text that an edit changes; nil for none.
func textBefore(ctx context.Context, tx *vault.Tx, e *vault.Edit) (text []byte, err error) {
	if !e.Whole {
		for _, p := range [...]vault.Path{e.Path, e.To} { // it may be moved by hand already
			if p == "" {
				continue
			}
			if text, err = tx.Read(p); vault.CodeOf(err) != vault.CodeNotFound {
				return text, err
			}
		}
	}
	text, _, err = tx.ReadCommitted(ctx, e.Path)
	return text, err
}

// keeps reports whether an edit leaves a protected memory what it is.
func keeps(ctx context.Context, tx *vault.Tx, c *vault.Change, e *vault.Edit, text []byte, protection string) (bool, error) {
	if e.Remove || e.Untrack || e.To != "" && e.To != e.Path && !goesAlong(c, e) {
		return false, nil
	}
	if e.Whole {
		typed, err := tx.Read(e.Path)
		if err != nil || !bytes.Equal(ownText(typed), ownText(text)) {
			return false, err
		}
	}
	for _, s := range e.Steps {
		next, err := s.Apply(text)
		if err != nil {
			return false, err
		}
		if !follows(s) && !saysTheSame(c, s, text, next) && (protection != header.AppendOnly || !adds(s, text)) {
			return false, nil
		}
		text = next
	}
	return true, nil
}

// saysTheSame reports whether a step leaves the text what it is, beside the pointer block. Where an
// undo moves files back, links to them lead there again: only their folders differ then.
func saysTheSame(c *vault.Change, s vault.Step, text, next []byte) bool {
	text, next = ownText(text), ownText(next)
	if bytes.Equal(text, next) {
		return true
	}
	moves := slices.ContainsFunc(c.Edits, func(e vault.Edit) bool { return e.To != "" })
	return moves && s.Op == vault.OpSetText && withoutFolders(text) == withoutFolders(next)
}

// withoutFolders returns a text with the last elements of its links' destinations.
func withoutFolders(text []byte) string {
	return prose.Replace(string(text), func(raw string) (string, bool) { return raw[strings.LastIndexByte(raw, '/')+1:], true })
}

// follows reports whether a step writes what follows from other memories, or counts.
func follows(s vault.Step) bool {
	switch s.Op {
	case vault.OpAddPointer, vault.OpSetPointer, vault.OpRemovePointer, vault.OpSetBlock, vault.OpRestyle, vault.OpRelink, vault.OpSetID, vault.OpSettle:
		return true
	}
	return slices.Contains([]string{"sessions", "first_seen", "last_seen", "seen_before"}, s.Key)
}

// adds reports whether a step adds to a text, and takes nothing away. That a memory is replaced
// is no addition.
func adds(s vault.Step, text []byte) bool {
	switch s.Op {
	case vault.OpAppend, vault.OpAddToLead, vault.OpAddToSection:
		return true
	case vault.OpAddToList:
		return s.Key != "superseded_by"
	case vault.OpSetSection:
		return s.Takes(text) == ""
	}
	return false
}

// ownText returns a file's text without its pointer block.
func ownText(doc []byte) []byte {
	text, err := vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock}}, doc)
	if err != nil {
		text = doc
	}
	return bytes.TrimRight(text, "\r\n")
}

// goesAlong reports whether a file moves because its folder does, with the memory above it. The
// file that stands for its folder is that memory.
func goesAlong(c *vault.Change, e *vault.Edit) bool {
	dir, to := e.Path.Dir(), e.To.Dir()
	if e.Path.Base() != e.To.Base() {
		return false
	}
	return slices.ContainsFunc(c.Edits, func(o vault.Edit) bool {
		if o.To == "" || o.Path == e.Path || o.Tree && o.Path == dir && standsForFolder(c, e) {
			return false
		}
		from, into := o.Path, o.To
		if !o.Tree {
			from, into = childrensFolder(o.Path), childrensFolder(o.To)
		}
		return dir.Within(from) && to == into+dir[len(from):]
	})
}

// standsForFolder reports whether an edit's file is the memory of its folder, as far as the change
// shows: no file beside the folder moves with it.
func standsForFolder(c *vault.Change, e *vault.Edit) bool {
	return e.Path.FolderRank() > 0 && !slices.ContainsFunc(c.Edits, func(o vault.Edit) bool { return o.Path == e.Path.Dir()+".md" && o.To != "" })
}

// childrensFolder returns the folder of the children of the memory in a file.
func childrensFolder(p vault.Path) vault.Path {
	if p.FolderRank() > 0 {
		return p.Dir()
	}
	return p.Home()
}
