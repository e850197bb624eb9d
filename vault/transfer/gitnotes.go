package transfer

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// A git note lies below a ref such as refs/notes/cs/decisions and belongs to one commit. It is
// Markdown with a front matter. Notes that were appended to one commit stand one below the
// other in one text:
//
//	---
//	type: decision
//	spec: user-auth
//	timestamp: 2025-12-14T10:30:00Z
//	summary: Chose RS256 over HS256 for JWT signing
//	---
//
//	## Context
//	…
//
// Each becomes one entry with its own date, commit and kind. Its source is the ref, the commit
// and which of the notes there it is, from 1. One that has no date takes that of the commit.

// GitNote returns the ref, the commit and the number of the note that a source names.
func GitNote(source string) (ref, commit string, n int) {
	ref, commit, _ = strings.Cut(strings.TrimPrefix(source, fromNotes), ":")
	commit, number, _ := strings.Cut(commit, ":")
	n, _ = strconv.Atoi(number)
	return ref, commit, n
}

// fromNotes begins what source: says in an entry that was a note.
const fromNotes = "notes:"

// gitNotes reads the form. A note that another ref has as well comes once: a program that
// renamed its refs left the old ones. The first one stays, so its source does.
func (r *reader) gitNotes() {
	type said struct{ namespace, commit, title, body string }
	first := make(map[said]string)
	for _, f := range r.files {
		for i, text := range splitAppended(string(f.Text), "type", "summary", "timestamp", "spec") {
			n := newGitNote(f, i+1, text)
			is := said{path.Base(n.ref), n.Commit, n.Title, n.Prose}
			was, known := first[is]
			if known && was != n.ref && n.err == nil {
				continue
			} else if !known {
				first[is] = n.ref
			}
			r.Items = append(r.Items, Item{Source: n.Source, Entry: &n.Memory, Err: cmp.Or(n.err, journal.CheckBody(n.Prose))})
		}
	}
}

// gitNote is one note, as it becomes an entry.
type gitNote struct {
	vault.Memory
	ref string
	err error // why it cannot be read; nil if it can
}

// newGitNote reads the nth note of a file.
func newGitNote(f File, nth int, text string) *gitNote {
	ref, commit, _ := strings.Cut(f.Rel, ":")
	n := &gitNote{ref: ref}
	h, body := header.Split([]byte(text))
	n.Prose = strings.TrimLeft(string(body), "\r\n")
	n.Commit, n.Source = commit, fromNotes+f.Rel+":"+strconv.Itoa(nth)
	if err := h.Err(); err != nil {
		n.err = vault.Errorf(vault.CodeDamaged, "Check note format at commit "+commit, "Note contains invalid YAML front matter")
		return n
	}
	source := n.Source
	n.Header, n.References, _ = header.ReadValues(h)
	n.Anchor, n.Source = header.Anchor{Commit: commit, CommitKey: f.CommitKey}, source
	said := n.Summary
	n.Summary = ""
	if n.Spec = notNull(n.Spec); !h.HasFrontMatter() { // plain text: its first line says what it is about
		said, n.Prose = firstLine(n.Prose), text
	}
	n.Phase = notNull(n.Phase)
	n.kind(h)
	n.makeTitle(said)
	if n.Created.IsZero() {
		n.Created = f.At
	}
	n.resolution()
	return n
}

// notNull returns what a value says; YAML's words for nothing say nothing.
func notNull(value string) string {
	switch value {
	case "null", "~", "Null", "NULL":
		return ""
	}
	return value
}

// kind takes the kind from the front matter, else from the ref.
func (n *gitNote) kind(h *header.Header) {
	said, _ := h.Get("type")
	for _, word := range []string{said, path.Base(n.ref)} {
		if k, ok := header.ParseKind(word); ok {
			n.Type = string(k)
			return
		}
	}
	n.lacks("type")
}

// lacks notes that the note has no such field, unless something else is wrong of it.
func (n *gitNote) lacks(name string) {
	if n.err == nil {
		n.err = vault.Errorf(vault.CodeInvalid, "Add "+name+" to note at commit "+n.Commit, "Note missing required field: %s", name)
	}
}

// makeTitle makes the title of what the note says it is about. One that is too long goes above
// the text as well.
func (n *gitNote) makeTitle(said string) {
	said = strings.TrimSpace(header.OneLine(strings.Join(strings.Fields(said), " ")))
	if n.Title = said; said == "" {
		n.lacks("summary")
	} else if utf8.RuneCountInString(said) > journal.MaxTitle {
		n.Title = strings.TrimSpace(string([]rune(said)[:journal.MaxTitle-1])) + "…"
		n.Prose = said + "\n\n" + n.Prose
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// resolution takes up a last paragraph that tells how the note was resolved: lines of
// status, resolved_at and resolution that were appended without a front matter.
func (n *gitNote) resolution() {
	body := strings.TrimRight(n.Prose, " \r\n")
	at := strings.LastIndex("\n\n"+strings.ReplaceAll(body, "\r\n", "\n"), "\n\n")
	last := strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n")[max(at-1, 0):])
	said := make(map[string]string)
	for line := range strings.Lines(last) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "status", "resolved_at", "resolution":
			said[key] = strings.TrimSpace(value)
		default:
			ok = false
		}
		if !ok {
			return
		}
	}
	if said["status"] != "resolved" {
		return
	}
	n.Status, n.Resolved, n.Resolution = vault.StatusClosed, header.ParseDate(said["resolved_at"]), said["resolution"]
	n.Prose = strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n")[:max(at-1, 0)], "\n") + "\n"
	if said["resolution"] != "" {
		n.Prose += "\n## " + journal.Resolution + "\n\n" + said["resolution"] + "\n"
	}
}
