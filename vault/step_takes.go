package vault

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// Takes returns the text that the step takes out of doc, line ends aside: what it
// replaces or removes. It is empty for a step that only adds, or whose effect shows.
func (s Step) Takes(doc []byte) string {
	if !s.Replaces() || s.Done(doc) {
		return ""
	}
	return s.takes(doc)
}

// takes is Takes of a step that replaces something and whose effect does not show.
func (s Step) takes(doc []byte) string {
	h, body := header.Split(doc)
	switch s.Op {
	case OpSetKey, OpSetList, OpDropKey, OpSetIn:
		return prose.WithEnds(rowsOf(h, s.Key), "\n")
	case OpSetText:
		return prose.WithEnds(string(doc), "\n")
	}
	return prose.WithEnds(s.takesBelow(string(body)), "\n")
}

// Replaces reports whether steps of the kind may take text away. Those that take
// a label from a list name the text themselves.
func (s Step) Replaces() bool {
	switch s.Op {
	case OpSetKey, OpDropKey:
		return !header.FieldOf(s.Key).Ours
	case OpSetList, OpSetIn, OpSetText, OpSetSection, OpSetProse, OpSetPointer, OpRemovePointer, OpSetBlock:
		return true
	}
	return false
}

// rowsOf returns the lines of a key.
func rowsOf(h *header.Header, key string) string {
	all, _ := h.Segments()
	i := slices.IndexFunc(all, func(seg header.Segment) bool { return seg.Key == key })
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(all[i].Text)
}

// takesBelow does what Takes does, for the text below the front matter.
func (s Step) takesBelow(text string) string {
	b, err := pointer.FindBlock(text)
	var entries []pointer.Entry
	above, after := text, ""
	switch {
	case err != nil:
		entries = pointer.Readable(text).Entries
	case b != nil:
		above, after, entries = text[:b.Start], text[b.End:], b.Entries
	}
	switch s.Op {
	case OpSetSection:
		return sectionTaken(text, b, s.Name)
	case OpSetProse:
		return prose.TrimNewlines(above) + prose.TrimNewlines(after)
	}
	var out strings.Builder
	for _, e := range entries {
		out.WriteString(s.takesOf(e))
	}
	return out.String()
}

// takesOf returns what a step on the pointer block takes of one entry.
func (s Step) takesOf(e pointer.Entry) string {
	var stays *pointer.Entry
	switch s.Op {
	case OpSetPointer:
		if stays = s.Entry; !e.PointsTo(s.Entry.ID) {
			return ""
		}
	case OpRemovePointer:
		if !e.PointsTo(string(s.ID)) {
			return ""
		}
	default:
		if i := slices.IndexFunc(s.Entries, func(o pointer.Entry) bool { return o.PointsTo(e.ID) }); i >= 0 {
			stays = &s.Entries[i]
		}
	}
	if stays == nil {
		line, _ := e.Line()
		return line
	}
	out := ""
	if !pointer.IsAlike(e.Title, stays.Title) {
		out = e.Title + "\n"
	}
	if !pointer.IsAlike(e.Summary, stays.Summary) {
		out += e.Summary + "\n"
	}
	return out
}

// Loses names what the steps would take out of a person's text that the
// committed one, nil for none, has not; empty for nothing. The words that cp
// itself writes as a status are not missed.
func Loses(steps []Step, typed, committed []byte) string {
	after := func(s Step, doc []byte) []byte {
		if out, err := s.Apply(doc); err == nil {
			return out
		}
		return doc
	}
	for _, s := range steps {
		taken := s.Takes(typed)
		if taken != "" && !s.sameWords(taken, s.Takes(committed)) && !s.ordinary(taken) {
			return s.describeReplaced()
		}
		typed, committed = after(s, typed), after(s, committed)
	}
	return ""
}

// sameWords reports whether what is taken of a person's text is what is taken of the
// committed one. What a formatter has made of a pointer is no person's.
func (s Step) sameWords(typed, committed string) bool {
	switch s.Op {
	case OpSetPointer, OpRemovePointer, OpSetBlock:
		return pointer.IsAlike(typed, committed)
	}
	return typed == committed
}

// ordinary reports whether the rows of a status say one of the usual ones.
func (s Step) ordinary(rows string) bool {
	_, value, _ := strings.Cut(rows, ":")
	return s.Key == "status" && UsualStatus(strings.TrimSpace(value))
}

// describeReplaced says in words what the step replaces.
func (s Step) describeReplaced() string {
	switch s.Op {
	case OpSetKey, OpSetList, OpDropKey, OpSetIn:
		return "its " + s.Key
	case OpSetSection:
		return "the section \"" + s.Name + "\""
	case OpSetPointer:
		return "the pointer to " + s.Entry.ID
	case OpRemovePointer:
		return "the pointer to " + string(s.ID)
	case OpSetBlock:
		return "the pointer block"
	}
	return "the file"
}

// ErrUncommitted refuses to replace or remove what of a file is in no commit, on disk or staged. Where
// it is both, and not the same, staged comes first: `git add` would drop that.
func ErrUncommitted(p Path, what string, staged bool) error {
	edits, hint := "uncommitted edits", "commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command"
	if staged {
		edits, hint = "staged edits that are not on disk", "commit them first (`git commit`), then repeat the command"
	}
	return &Error{Code: CodeDirty, Path: string(p), Msg: what + " has " + edits + ", which git's history would not keep", Hint: hint}
}
