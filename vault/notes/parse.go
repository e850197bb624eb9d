package notes

import (
	"path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/frontmatter"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/kind"
)

// Text is all that one ref notes of one commit.
type Text struct {
	Ref    string
	Commit string    // in full
	Date   time.Time // of the commit; a note that has none takes it
	Text   string
}

// Note is one of the notes in a Text.
type Note struct {
	Ref    string
	Commit string
	N      int // which of the notes of its ref and commit it is, counted from 1
	Header vault.Header
	Body   string
	Refs   []vault.Reference
	Err    error // why it cannot be read; nil if it can
}

// Source names the note: what `source:` says in its entry.
func (n *Note) Source() string {
	return "notes:" + n.Ref + ":" + n.Commit + ":" + strconv.Itoa(n.N)
}

// Parse returns the notes in a text, in order. An empty text has none.
func Parse(t Text) (all []Note) {
	for _, part := range split(t.Text) {
		n := Note{Ref: t.Ref, Commit: t.Commit, N: len(all) + 1}
		n.read(part, t.Date)
		all = append(all, n)
	}
	return all
}

// split parts the notes that were appended to one another: each begins with a front matter.
// Lines of three dashes in a text, and those in a block of code, part nothing.
func split(text string) (parts []string) {
	lines := strings.SplitAfter(strings.TrimPrefix(text, "\ufeff"), "\n")
	from, fence := 0, false
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fence = !fence
		}
		if fence || line != "---" {
			continue
		}
		end := headerEnd(lines, i)
		if end < 0 {
			continue
		}
		if part := strings.Join(lines[from:i], ""); strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
		from, i = i, end
	}
	if part := strings.Join(lines[from:], ""); strings.TrimSpace(part) != "" {
		parts = append(parts, part)
	}
	return parts
}

// Once returns the notes without those that another ref has as well: a program that renamed its
// refs left the old ones. The first one stays, so its source does.
func Once(all []Note) (once []Note) {
	type said struct{ namespace, commit, title, body string }
	ref := make(map[said]string)
	for _, n := range all {
		is := said{path.Base(n.Ref), n.Commit, n.Header.Title, n.Body}
		if was, known := ref[is]; known && was != n.Ref && n.Err == nil {
			continue
		} else if !known {
			ref[is] = n.Ref
		}
		once = append(once, n)
	}
	return once
}

// maxHeader bounds the lines of a note's front matter.
const maxHeader = 60

// known are the keys of which one stands in every front matter.
var known = [...]string{"type:", "summary:", "timestamp:", "spec:"}

// headerEnd returns the line that closes the front matter which line at opens; -1 if it
// opens none.
func headerEnd(lines []string, at int) int {
	isHeader := false
	for i := at + 1; i < len(lines) && i <= at+maxHeader; i++ {
		line := strings.TrimRight(lines[i], "\r\n")
		if line == "---" {
			if isHeader {
				return i
			}
			return -1
		}
		for _, key := range known {
			isHeader = isHeader || strings.HasPrefix(line, key)
		}
	}
	return -1
}

// read fills the note in from its text.
func (n *Note) read(text string, date time.Time) {
	h, body := frontmatter.Split([]byte(text))
	n.Body = strings.TrimLeft(string(body), "\r\n")
	if err := h.Err(); err != nil {
		n.Err = vault.Errorf(vault.CodeDamaged, "Check note format at commit "+n.Commit, "Note contains invalid YAML front matter")
		return
	}
	n.Header, n.Refs, _ = field.Read(h)
	said := n.Header.Summary
	n.Header.Summary = ""
	if n.Header.Spec = present(n.Header.Spec); !h.Found() { // plain text: its first line says what it is about
		said, n.Body = firstLine(n.Body), text
	}
	n.Header.Phase = present(n.Header.Phase)
	n.kind(h)
	n.title(said)
	if n.Header.Created.IsZero() {
		n.Header.Created = date
	}
	n.Header.Commit = n.Commit
	n.Header.Source = n.Source()
	n.resolution()
}

// present returns what a value says; YAML's words for nothing say nothing.
func present(value string) string {
	switch value {
	case "null", "~", "Null", "NULL":
		return ""
	}
	return value
}

// kind takes the kind from the front matter, else from the ref.
func (n *Note) kind(h *frontmatter.Header) {
	said, _ := h.Get("type")
	for _, word := range []string{said, path.Base(n.Ref)} {
		if k, ok := kind.Of(word); ok {
			n.Header.Type = string(k)
			return
		}
	}
	if n.Err == nil {
		n.Err = vault.Errorf(vault.CodeInvalid, "Add type to note at commit "+n.Commit, "Note missing required field: type")
	}
}

// title makes the title of what the note says it is about. One that is too long goes above
// the text as well.
func (n *Note) title(said string) {
	said = strings.TrimSpace(field.OneLine(strings.Join(strings.Fields(said), " ")))
	if said == "" && n.Err == nil {
		n.Err = vault.Errorf(vault.CodeInvalid, "Add summary to note at commit "+n.Commit, "Note missing required field: summary")
		return
	}
	n.Header.Title = said
	if utf8.RuneCountInString(said) > journal.MaxTitle {
		n.Header.Title = strings.TrimSpace(string([]rune(said)[:journal.MaxTitle-1])) + "…"
		n.Body = said + "\n\n" + n.Body
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

// resolution takes up a last paragraph that tells how the note was resolved: lines of
// status, resolved_at and resolution that were appended without a front matter.
func (n *Note) resolution() {
	body := strings.TrimRight(n.Body, " \r\n")
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
	n.Header.Status, n.Header.Resolved, n.Header.Resolution = vault.StatusClosed, field.Date(said["resolved_at"]), said["resolution"]
	n.Body = strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n")[:max(at-1, 0)], "\n") + "\n"
	if said["resolution"] != "" {
		n.Body += "\n## " + journal.Resolution + "\n\n" + said["resolution"] + "\n"
	}
}
