package vault

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
	"github.com/cp-memory/cp/vault/prose"
)

// ApplySteps returns doc after all the steps, in order; on an error nothing of it counts.
func ApplySteps(steps []Step, doc []byte) ([]byte, error) {
	var err error
	for _, s := range steps {
		if doc, err = s.Apply(doc); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// ApplyTaking does what ApplySteps does, and returns what each step takes out of the text
// that the steps before it leave, see [Step.Takes]; steps that take nothing out are not
// among them.
func ApplyTaking(steps []Step, doc []byte) (after []byte, taken []string, err error) {
	for _, s := range steps {
		next, err := s.Apply(doc)
		if err != nil {
			return nil, nil, err
		}
		if s.Replaces() && !bytes.Equal(next, doc) {
			if text := s.takes(doc); text != "" {
				taken = append(taken, text)
			}
		}
		doc = next
	}
	return doc, taken, nil
}

// ApplyRepaired applies the steps to a committed or staged version, which nobody can edit.
// If its pointer block is damaged, it first writes the block anew from the entries that
// can still be read, as sync repairs the file on disk.
func ApplyRepaired(steps []Step, doc []byte) ([]byte, error) {
	out, err := ApplySteps(steps, doc)
	if CodeOf(err) != CodeDamaged {
		return out, err
	}
	_, body := header.Split(doc)
	anew := Step{Op: OpSetBlock, Entries: pointer.Readable(string(body)).Entries}
	repaired, again := ApplySteps(append([]Step{anew}, steps...), doc)
	if again != nil {
		return nil, err
	}
	return repaired, nil
}

// WithHad returns the steps with Had, of which nothing shows in doc. Between the plan and
// the commit somebody may commit or stage the file with them: an append is not made twice
// then.
func WithHad(steps []Step, doc []byte) []Step {
	if !slices.ContainsFunc(steps, func(s Step) bool { return s.Op == OpAppend }) {
		return steps
	}
	steps = slices.Clone(steps)
	for i, s := range steps {
		if s.Op == OpAppend {
			_, body := header.Split(doc)
			n := prose.CountParagraph(string(body), s.Text)
			steps[i].Had = &n
		}
		if next, err := s.Apply(doc); err == nil {
			doc = next
		}
	}
	return steps
}

// Plain returns the steps without Had, for a version that is as it was when they were planned.
func Plain(steps []Step) []Step {
	steps = slices.Clone(steps)
	for i := range steps {
		steps[i].Had = nil
	}
	return steps
}

// Apply returns doc, a whole file, after the step. A step whose effect shows
// already changes nothing, except for OpAppend without Had. Bytes the step does not mean
// stay, and inserted text takes the document's line ends. The error is CodeDamaged,
// with the line, for a header or block that cannot be edited without guessing.
func (s Step) Apply(doc []byte) ([]byte, error) {
	if s.Op != OpTakeOut && (s.Admits() || header.IsOdd(doc)) {
		return header.EditLegible(doc, s.apply)
	}
	return s.apply(doc)
}

// Admits reports whether the step makes a memory of a read-only note.
func (s Step) Admits() bool { return s.Op == OpSetID && s.Key == header.OurID }

// apply is Apply to a text of which the header can be read.
func (s Step) apply(doc []byte) ([]byte, error) {
	switch s.Op {
	case OpSetKey, OpSetList, OpAddToList, OpDropFromList, OpDropKey, OpSetID, OpSetIn:
		out, err := s.applyKey(doc)
		return out, wrapCodecError(err, 0)
	case OpSetText:
		return []byte(s.Text), nil
	case OpTakeOut:
		return s.takeOut(doc), nil
	case OpSettle:
		doc, _ = merge.ResolveHeader(doc)
		return doc, nil
	case OpSetSetting:
		return header.SetLine(doc, s.Key, s.Value), nil
	case OpAddLine:
		return header.AddLine(doc, s.Text), nil
	case OpFacts:
		return fact.ApplyChange([]byte(s.Value), doc, []byte(s.Text)), nil
	}
	if s.Op == OpRelink {
		doc = prose.RelinkHeader(doc, s.Links)
	}
	_, body := header.Split(doc)
	at := len(doc) - len(body)
	eol := prose.LineEnd(body, doc)
	text, err := s.applyBody(string(body), eol)
	if err != nil {
		return nil, wrapCodecError(err, strings.Count(string(doc[:at]), "\n"))
	}
	if text == string(body) {
		return doc, nil
	}
	if !bytes.Contains(body, []byte("\n")) { // every line end is ours, the block's included
		text = prose.WithEnds(text, eol)
	}
	out, err := header.Join(doc, text)
	return out, wrapCodecError(err, 0)
}

// applyKey makes the steps on the front matter.
func (s Step) applyKey(doc []byte) ([]byte, error) {
	switch s.Op {
	case OpSetKey:
		return header.SetField(doc, s.Key, s.Value)
	case OpSetList:
		return header.SetFieldList(doc, s.Key, s.List)
	case OpSetIn:
		return header.SetIn(doc, s.Key, s.Name, s.Value)
	case OpDropKey:
		return header.DropKey(doc, s.Key)
	case OpSetID:
		if s.Admits() {
			return header.Set(doc, s.Key, string(s.ID))
		}
		return header.SetID(doc, string(s.ID), s.Value)
	case OpAddToList:
		return header.AddItems(doc, s.Key, s.List)
	}
	return header.RemoveItems(doc, s.Key, s.List)
}

// applyBody makes the steps on the text below the front matter.
func (s Step) applyBody(text, eol string) (string, error) {
	switch s.Op {
	case OpAddPointer, OpSetPointer, OpRemovePointer, OpSetBlock:
		after, err := s.applyBlock(text)
		if err == nil && s.Hidden && !hasBlock(text) {
			return pointer.Restyle(after, true)
		}
		return after, err
	case OpRestyle:
		return pointer.Restyle(text, s.Hidden)
	case OpRelink:
		return prose.ReplaceLinks(text, s.Links), nil
	}
	return s.applyProse(text, eol)
}

// hasBlock reports whether the text has a block, damaged or not.
func hasBlock(text string) bool {
	b, err := pointer.FindBlock(text)
	return b != nil || err != nil
}

// applyBlock makes the steps on the pointers.
func (s Step) applyBlock(text string) (string, error) {
	switch s.Op {
	case OpAddPointer, OpSetPointer:
		if s.Op == OpAddPointer && len(s.Entries) > 0 {
			return pointer.AppendSubMemories(text, s.Entries)
		}
		if s.Entry == nil {
			return "", Errorf(CodeInternal, "", "step %s without an entry", s.Op)
		}
		if s.Op == OpAddPointer {
			return pointer.AppendSubMemory(text, *s.Entry)
		}
		return pointer.SetSubMemory(text, *s.Entry)
	case OpRemovePointer:
		return pointer.RemoveSubMemory(text, string(s.ID))
	}
	return pointer.SetSubMemories(text, s.Entries)
}

// applyProse makes the steps on the prose: what stands before the block, and,
// for OpSetProse, after it.
func (s Step) applyProse(text, eol string) (string, error) {
	b, err := pointer.FindBlock(text)
	if err != nil {
		return "", err
	}
	if s.Op == OpSetSection {
		return s.setSection(text, eol, b)
	}
	above, rest := text, ""
	if b != nil {
		above, rest = text[:b.Start], text[b.Start:]
	}
	switch s.Op {
	case OpAppend:
		if s.Had == nil || prose.CountParagraph(text, s.Text) <= *s.Had {
			above = prose.Append(above, s.Text, eol, b != nil)
		}
	case OpAddToLead:
		above = prose.AddToLead(above, s.Text, eol, b != nil)
	case OpAddToSection:
		above = prose.AddToSection(above, s.Name, s.Text, eol, b != nil)
	case OpSetProse:
		above = prose.FormatProse(s.Text, eol, b != nil)
		if b != nil {
			rest = text[b.Start:b.End]
		}
	default:
		return "", Errorf(CodeInternal, "", "unknown step %q", s.Op)
	}
	return s.checkBlock(above+rest, b)
}

// checkBlock returns the text if its block is still as before. New prose with an unclosed
// code fence would hide the block, and a marker in it would make a second one.
func (s Step) checkBlock(text string, before *pointer.Block) (string, error) {
	after, err := pointer.FindBlock(text)
	switch {
	case err != nil, before == nil && after != nil, before != nil && after == nil:
	case before == nil, slices.EqualFunc(before.Entries, after.Entries, sameEntry):
		return text, nil
	}
	return "", Errorf(CodeInvalid, "close the code fence or comment, and leave sub-memories markers out of the text",
		"the text would damage the file's sub-memories block")
}

func sameEntry(a, b pointer.Entry) bool {
	return a.ID == b.ID && a.Title == b.Title && a.Summary == b.Summary
}

// wrapCodecError turns an error of the codecs into one of ours; the body begins lines into the document.
func wrapCodecError(err error, lines int) error {
	var ours *Error
	var head *header.Error
	var block *pointer.Damage
	switch {
	case err == nil || errors.As(err, &ours):
		return err
	case errors.As(err, &head):
		return &Error{Code: CodeDamaged, Msg: head.Msg, Line: head.Line, Err: err, Hint: "repair the front matter in an editor"}
	case errors.As(err, &block):
		hint := "cp memory sync"
		if errors.Is(err, pointer.ErrHidden) {
			hint = "close the code fence or comment in an editor"
		}
		return &Error{Code: CodeDamaged, Msg: block.Err.Error(), Line: lines + block.Line, Err: err, Hint: hint}
	}
	return Errorf(CodeInvalid, "", "%w", err)
}

// Done reports whether doc shows the step's effect already.
func (s Step) Done(doc []byte) bool {
	if s.Op == OpAppend && s.Had == nil {
		_, body := header.Split(doc)
		return prose.HasParagraph(string(body), s.Text)
	}
	out, err := s.Apply(doc)
	return err == nil && string(out) == string(doc)
}
