package transfer

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// existing is a file of the vault that may be an earlier copy of a source.
type existing struct {
	path    vault.Path
	memory  *vault.Memory
	wanted  []byte // the source's text with the id and the keys the file has
	same    bool   // it is the source's text, our additions aside
	similar bool   // it is another version of it
}

// existing compares the source f with the file at p.
func (im *placer) existing(f *source, p vault.Path) (existing, error) {
	doc, err := im.tx.Read(p)
	if err != nil {
		return existing{path: p}, im.ctx.Err() // a link, a pipe, an unreadable file: the name is taken
	}
	old := existing{path: p, memory: vault.ParseText(p, doc)}
	if wanted, ok := f.dress(old.memory.ID, stepsToKeepKeys(f.header, doc)); ok {
		old.wanted = wanted
		was, is := blockless(doc), blockless(wanted)
		old.same = bytes.Equal(was, is)
		old.similar = old.same || alike(cutFrontMatter(was), f.body)
	}
	return old, nil
}

// stepsToKeepKeys returns the steps that give another version of a file, with the header h, the keys
// that other commands wrote into the file since. It is still that file and keeps them.
func stepsToKeepKeys(h *header.Header, doc []byte) []vault.Step {
	has, _ := header.Split(doc)
	var steps []vault.Step
	for _, key := range has.Keys() {
		if header.RankOf(key) < 0 || header.FieldOf(key).Kind == header.IDValue || h.Line(key) > 0 {
			continue
		}
		if value, ok := has.Get(key); ok {
			steps = append(steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: value})
		} else if object, ok := has.Map(key); ok {
			_ = header.EachIn(object, func(in, value string) error {
				steps = append(steps, vault.Step{Op: vault.OpSetIn, Key: key, Name: in, Value: value})
				return nil
			})
		} else {
			steps = append(steps, vault.Step{Op: vault.OpSetList, Key: key, List: has.List(key)})
		}
	}
	return steps
}

// blockless returns a text without its pointer block.
func blockless(doc []byte) []byte {
	without, err := vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock}}, doc)
	if err != nil {
		return doc
	}
	return without
}

// cutFrontMatter returns a text without its front matter.
func cutFrontMatter(doc []byte) []byte {
	_, text := header.Split(doc)
	return text
}

// alike reports whether two texts are versions of one: at least half of their
// words are the same ones (Dice's coefficient of the bags of words).
func alike(a, b []byte) bool {
	count := make(map[string]int)
	n, m, common := 0, 0, 0
	for w := range strings.FieldsFuncSeq(string(a), notWord) {
		count[w]++
		n++
	}
	for w := range strings.FieldsFuncSeq(string(b), notWord) {
		m++
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 4*common >= n+m
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// byID finds the memory that has the source's own id, wherever it is by now.
func (im *placer) byID(f *source) (existing, bool, error) {
	if f.own == "" || im.ids[f.own.Fold()] {
		return existing{}, false, nil
	}
	n, err := im.tx.Tree().Find(im.ctx, string(f.own))
	if err != nil || !n.ID.Is(f.own) || im.names.isClaimed(n.Path) {
		return existing{}, false, nil
	}
	old, err := im.existing(f, n.Path)
	return old, old.similar, err
}

// reportExisting reports about a source that is in the vault.
func (im *placer) reportExisting(row Row, old existing, err error) (Row, error) {
	if err != nil {
		return row, err
	}
	if old.same {
		return im.keepUnchanged(row, old), nil
	}
	return im.differs(row, old)
}

func (im *placer) keepUnchanged(row Row, old existing) Row {
	im.names.claim(old.path)
	row.Path, row.ID, row.Action = old.path, old.memory.ID, Unchanged
	return row
}

// differs reports a source whose copy says something else by now, or replaces the copy's text.
func (im *placer) differs(row Row, old existing) (Row, error) {
	im.names.claim(old.path)
	row.Path, row.ID, row.Action, row.Reason = old.path, old.memory.ID, Differs, "--update replaces it"
	if !im.o.Update || im.o.Kind != Files {
		return row, nil
	}
	d, err := im.openExisting(old.path)
	if err == nil {
		row.Action, row.Reason, err = im.planNewText(d, old.wanted)
	}
	return row, err
}

// unfitText tells of a text that cannot replace another one.
const unfitText = "its new text cannot stand in a memory's file"

// planNewText plans a memory's new text, with the pointers that it has, and has its parent's pointer
// say its new title and phrase. It returns what a row says of it.
func (im *importer) planNewText(d *vault.Doc, text []byte) (action, reason string, err error) {
	switch err := im.tx.Clean(im.ctx, d.Path); {
	case vault.CodeOf(err) == vault.CodeDirty:
		return Differs, "it has uncommitted edits, which --update does not replace", nil
	case err != nil:
		return Differs, "", err
	}
	text, err = vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock, Entries: d.Mem.Pointers, Hidden: im.tx.HidesPointers()}}, text)
	switch {
	case err != nil:
		return Differs, "its new text cannot take the pointer block: " + err.Error(), nil
	case len(text) > vault.MaxFile:
		return Differs, unfitText, nil
	}
	step := vault.Step{Op: vault.OpSetText, Text: string(text)}
	if d.Mem.ID == "" || d.ID.Provisional() { // it is to stay without an id
		return Updated, "", im.tx.Edit(d, step)
	}
	_, err = im.tx.Amend(im.ctx, d, step)
	return Updated, "", err
}
