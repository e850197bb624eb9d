package vault

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
	"github.com/cp-memory/cp/vault/prose"
)

// Parse returns the memory in a file's text. It never fails: Problems lists the parts that
// cannot be read, and the rest is read.
//
//   - Title is the title key, else the first H1 of the prose, else the name of the file,
//     or of its folder if the file is that folder's memory.
//   - Summary is the summary key, else description, which other programs' files use alike.
//   - ID survives a header that is broken elsewhere.
//   - A read-only note has the id of its path and no block, and nothing is wrong with its header.
//   - Prose has replacement characters if the text is not UTF-8. It is empty if the text
//     has NUL bytes, is larger than MaxFile or was not fetched by git-lfs.
func Parse(p Path, doc []byte) *Memory {
	m := ParseText(p, doc)
	m.Anchors = prose.Anchors(m.Prose)
	m.References = append(m.References, prose.Targets(m.Anchors)...)
	return m
}

// ParseText is Parse without the links, which are the slower half.
func ParseText(p Path, doc []byte) *Memory {
	m := &Memory{Path: p}
	if p.Foreign() {
		doc = header.LegibleText(doc)
	}
	h, body := header.Split(doc)
	m.Header, m.References, m.Keywords = header.ReadValues(h)
	m.identity(h, doc)
	for _, key := range header.ForeignKeys(h) {
		m.problem(ProblemShape, h.Line(key), "what "+key+" holds is of another shape: it stays, and is not read")
	}
	if _, wrong, line := header.ProtectionOf(h); line > 0 {
		m.problem(ProblemProtection, line, wrong)
	}
	if prose, ok := m.readable(doc, body); ok {
		m.fillBody(prose, len(doc)-len(body), doc)
	}
	if m.Title == "" {
		m.Untitled = true
		m.Title = nameTitle(p)
	}
	return m
}

// identity fills the id, from a broken header too, and tells what is wrong with the header.
func (m *Memory) identity(h *header.Header, doc []byte) {
	m.ID = ID(header.IdentityOf(h))
	if m.Path.Foreign() {
		if m.ID = ID(header.NoteIdentity(string(m.Path), h)); m.ReadOnly() {
			return
		}
	}
	if err := h.Err(); err != nil {
		m.headerProblem(h, err)
		if m.ID == "" {
			m.ID = ID(header.BrokenID(h, doc))
		}
	} else if line := h.Line(header.OwnID); m.ID == "" && line > 0 {
		if id, ok := h.Get(header.OwnID); ok {
			m.problem(ProblemID, line, "'"+Clip(id, 80)+"' cannot be an id")
		} else if len(h.List(header.OwnID)) > 0 {
			m.problem(ProblemID, line, "a list cannot be an id")
		}
	}
}

// headerProblem reports a broken header; conflict markers explain it better than YAML does.
func (m *Memory) headerProblem(h *header.Header, err *header.Error) {
	line := 1
	for row := range strings.Lines(h.Text()) {
		if line++; strings.HasPrefix(row, "<<<<<<< ") {
			m.problem(ProblemMarkers, line, "git conflict markers in the front matter"+header.TwoIDs(h.Text()))
			return
		}
	}
	kind := ProblemFrontMatter
	if err.NoKeys() {
		kind = ProblemNoKeys
	}
	m.problem(kind, err.Line, err.Msg)
}

// readable returns the body as text, and whether it is worth reading on.
func (m *Memory) readable(doc, body []byte) (string, bool) {
	switch {
	case len(doc) > MaxFile:
		m.problem(ProblemTooBig, 0, "larger than 4 MiB")
		return "", false
	case bytes.IndexByte(doc, 0) >= 0:
		m.problem(ProblemEncoding, 1+bytes.Count(doc[:bytes.IndexByte(doc, 0)], []byte("\n")), "holds NUL bytes: not a text")
		return "", false
	case IsLFSPointer(doc):
		m.problem(ProblemUnfetched, 1, "stands for a text that git-lfs has not fetched")
		return "", false
	case !utf8.Valid(doc):
		m.problem(ProblemEncoding, prose.BadLine(doc), "not UTF-8")
		return strings.ToValidUTF8(string(body), "\ufffd"), true
	case len(bytes.TrimSpace(doc)) == 0:
		m.problem(ProblemEmpty, 0, "the file is empty")
	}
	return string(body), true
}

// IsLFSPointer reports whether the text is the pointer that git-lfs keeps in a file's
// place (its specification v1: the first line is the version, a file has at most
// 1,023 bytes).
func IsLFSPointer(doc []byte) bool {
	return len(doc) < 1024 && bytes.HasPrefix(doc, []byte("version https://git-lfs.github.com/spec/")) && bytes.Contains(doc, []byte("\noid "))
}

// fillBody fills what the text tells; it begins at byte offset at of doc.
func (m *Memory) fillBody(text string, at int, doc []byte) {
	lines := bytes.Count(doc[:at], []byte("\n"))
	m.Prose = text
	var b *pointer.Block
	var err error
	if !m.ReadOnly() {
		b, err = pointer.FindBlock(text)
	}
	m.HasBlock = b != nil || errors.Is(err, pointer.ErrUnclosed) || errors.Is(err, pointer.ErrConflict)
	switch {
	case err != nil:
		m.blockProblem(err, lines)
	case b != nil:
		m.Pointers, m.Prose = b.Entries, b.Without(text)
		if n := len(b.Entries) + len(b.Repeated); n > MaxPointers {
			m.problem(ProblemPointers, lines+1+strings.Count(text[:b.Start], "\n"), fmt.Sprintf("the pointer block has %d entries: those after the first %d are not in the index", n, MaxPointers))
		}
	}
	own := m.Prose
	if errors.Is(err, pointer.ErrConflict) { // which is told; this is about the text above it
		own = above(own, err, b)
	}
	if line := prose.Conflict(own); line > 0 {
		m.problem(ProblemMarkers, lines+line, "git conflict markers in the text")
	}
	for _, line := range merge.ListKeptPassages(own) {
		m.problem(ProblemVersions, lines+line, "two versions of one passage, kept when they met: keep what holds and delete the comments")
	}
	if m.Title == "" {
		m.Title = header.OneLine(prose.Title(m.Prose))
	}
}

// above returns the text over a damaged block, b where it is known, and over its conflict hunk.
func above(text string, err error, b *pointer.Block) string {
	var d *pointer.Damage
	if errors.As(err, &d) {
		lines := strings.SplitAfterN(text, "\n", d.Line)
		text = text[:len(text)-len(lines[len(lines)-1])]
	}
	if b != nil {
		text = text[:min(len(text), b.Start)]
	}
	return text
}

// blockProblem reports a damaged block.
func (m *Memory) blockProblem(err error, lines int) {
	var d *pointer.Damage
	if !errors.As(err, &d) {
		return
	}
	kind, msg := ProblemBlock, d.Err.Error()
	if errors.Is(err, pointer.ErrConflict) {
		kind = ProblemMarkers
	}
	if d.Detail != "" {
		msg += ": " + d.Detail
	}
	m.problem(kind, lines+d.Line, msg)
}

func (m *Memory) problem(kind string, line int, msg string) {
	m.Problems = append(m.Problems, Problem{Path: m.Path, Kind: kind, Line: line, Msg: msg})
}

// nameTitle returns the title a file's name gives.
func nameTitle(p Path) string {
	if p.FolderRank() > 0 {
		return header.OneLine(p.Dir().Base())
	}
	return header.OneLine(p.Home().Base())
}
