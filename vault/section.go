package vault

import (
	"errors"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// FindSection returns the section of a file that a name means, with the line of its heading in
// the file, and its text. The error is a *[prose.NoSection], with such lines too, or says that
// the block is damaged.
func FindSection(doc []byte, name string) (at prose.Found, text string, err error) {
	_, body := header.Split(doc)
	whole := string(body)
	lines := strings.Count(string(doc[:len(doc)-len(body)]), "\n")
	b, err := pointer.FindBlock(whole)
	if err != nil {
		return at, "", wrapCodecError(err, lines)
	}
	start, end, at, err := pieceWith(whole, b, name)
	lines += strings.Count(whole[:start], "\n")
	at.Line += lines
	var no *prose.NoSection
	if errors.As(err, &no) {
		for i := range no.Same {
			no.Same[i].Line += lines
		}
		return at, "", err
	}
	return at, whole[start:end][at.Start:at.End], nil
}

// pieceWith returns the range of the prose that holds the section which a name means: what
// stands above the block, or else below it.
func pieceWith(text string, b *pointer.Block, name string) (start, end int, at prose.Found, err error) {
	if b == nil {
		at, err = prose.FindSection(text, name)
		return 0, len(text), at, err
	}
	at, err = prose.FindSection(text[:b.Start], name)
	var no *prose.NoSection
	if errors.As(err, &no) && len(no.Same) == 0 {
		if below, err := prose.FindSection(text[b.End:], name); err == nil {
			return b.End, len(text), below, nil
		}
	}
	return 0, b.Start, at, err
}

// setSection makes a step on a section.
func (s Step) setSection(text, eol string, b *pointer.Block) (string, error) {
	start, end, _, _ := pieceWith(text, b, s.Name)
	piece, err := prose.SetSection(text[start:end], s.Name, s.Value, s.Text, eol, end < len(text))
	if err != nil {
		return "", err
	}
	return s.checkBlock(text[:start]+piece+text[end:], b)
}

// sectionTaken returns what a step on a section takes out. Where somebody has since made a second
// section of the name, that is both of them: the step then gives way to that person.
func sectionTaken(text string, b *pointer.Block, name string) (taken string) {
	start, end, at, err := pieceWith(text, b, name)
	var no *prose.NoSection
	if !errors.As(err, &no) {
		return prose.TrimNewlines(text[start:end][at.Start:at.End])
	}
	for _, at := range no.Same {
		taken += at.Heading + "\n" + text[start:end][at.Start:at.End]
	}
	return taken
}
