package header

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
)

// IsReadOnlyName reports whether a file is named like a read-only note: .mdc, .mdx or .markdown, in any
// case.
func IsReadOnlyName(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 || name[i-1] == '/' {
		return false
	}
	switch ext := name[i:]; len(ext) {
	case len(".mdc"):
		return strings.EqualFold(ext, ".mdc") || strings.EqualFold(ext, ".mdx")
	case len(".markdown"):
		return strings.EqualFold(ext, ".markdown")
	}
	return false
}

// Endings are the kinds of note that extensions: may list, in the order in which they are
// the memory of a folder. No code is among them.
var Endings = [...]string{".mdc", ".mdx", ".markdown"}

// NoteEnding returns the ending of a note whose name ends as extensions: can say it, in small
// letters; "" for others. x.MDC stays a read-only note.
func NoteEnding(name string) string {
	if i := strings.LastIndexByte(name, '.'); IsReadOnlyName(name) && slices.Contains(Endings[:], name[i:]) {
		return name[i:]
	}
	return ""
}

// TrimEnding returns the name of a note without its ending.
func TrimEnding(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// prefix begins the ids of read-only notes. That of a vault's own has two letters at least.
const prefix = "f-"

// ReadOnlyID returns the id of the read-only note at a path: 40 bits of the path's SHA-256, so each
// clone has the same.
func ReadOnlyID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return prefix + Base32(sum[:8])
}

// IsReadOnly reports whether the memory in a file is a read-only note, by the file's name and its id.
func IsReadOnly(name, id string) bool { return IsReadOnlyName(name) && strings.HasPrefix(id, prefix) }

// NoteIdentity returns the id of the note at a path: that under cp_id:, else that of a read-only
// note. A header that cannot be read counts line by line.
func NoteIdentity(path string, h *Header) string {
	own, _ := h.Get(OurID)
	if h.Err() != nil {
		for line := range strings.Lines(h.Text()) {
			own = cmp.Or(RowID(line, OurID), own)
		}
	}
	if id, ok := ParseID(own); ok && NoteEnding(path) != "" && !strings.HasPrefix(id, prefix) && !StandIn(id) {
		return id
	}
	return ReadOnlyID(path)
}

// IsOdd reports whether a text is that of a memory that was a read-only note, with a header
// that is no YAML.
func IsOdd(doc []byte) bool {
	if !bytes.Contains(doc, []byte(OurID+":")) {
		return false
	}
	h, _ := Split(doc)
	return h.Err() != nil && strings.Contains("\n"+h.Text(), "\n"+OurID+":")
}

// EditLegible edits a note whose header may be no YAML: edit gets a text of which the header can be
// read, and the lines that it leaves as they are stay as they were.
func EditLegible(doc []byte, edit func([]byte) ([]byte, error)) ([]byte, error) {
	legible, back := Legible(doc)
	out, err := edit(legible[0])
	if err != nil {
		return nil, err
	}
	return back(out), nil
}

// Legible returns texts of which the headers can be read, and what puts the lines of one made
// of them back as they were.
func Legible(docs ...[]byte) (texts [][]byte, back func([]byte) []byte) {
	raw := make(map[string]string)
	for _, doc := range docs {
		text := LegibleText(doc)
		if texts = append(texts, text); bytes.Equal(text, doc) {
			continue
		}
		h, _ := Split(doc)
		for line := range strings.Lines(h.Text()) {
			if quoted := quoteValue(line); quoted != line {
				raw[quoted] = line
			}
		}
	}
	return texts, func(doc []byte) []byte {
		h, _ := Split(doc)
		if len(raw) == 0 || h.Text() == "" {
			return doc
		}
		var lines strings.Builder
		for line := range strings.Lines(h.Text()) {
			lines.WriteString(cmp.Or(raw[line], line))
		}
		return bytes.Replace(doc, []byte(h.Text()), []byte(lines.String()), 1)
	}
}

// LegibleText returns a text of which the header can be read: a value that is no YAML, as in
// globs: *.go or description: When: always, is put in quotes. Lines stay where they are.
// What cannot be read then stays as it is.
func LegibleText(doc []byte) []byte {
	h, _ := Split(doc)
	if h.Err() == nil || h.Text() == "" {
		return doc
	}
	var quoted strings.Builder
	for line := range strings.Lines(h.Text()) {
		quoted.WriteString(quoteValue(line))
	}
	return bytes.Replace(doc, []byte(h.Text()), []byte(quoted.String()), 1)
}

// quoteValue returns a line of a header with its value in quotes, unless it can be read as it is.
func quoteValue(line string) string {
	key, value, ok := strings.Cut(line, ": ")
	body := strings.TrimRight(value, " \t\r\n")
	if !ok || body == "" || strings.ContainsAny(key, " \t#\"'[{") {
		return line
	}
	if h, _ := Split([]byte("---\n" + line + "\n---\n")); h.Err() == nil {
		return line
	}
	return key + ": '" + strings.ReplaceAll(strings.TrimLeft(body, " \t"), "'", "''") + "'" + value[len(body):]
}
