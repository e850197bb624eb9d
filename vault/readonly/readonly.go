package readonly

import (
	"bytes"
	"crypto/sha256"
	"strings"

	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/frontmatter"
)

// Is reports whether a file is named like a read-only note: .mdc, .mdx or .markdown, in any
// case.
func Is(name string) bool {
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

// Stem returns the name of a read-only note without its ending.
func Stem(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// prefix begins the ids of read-only notes. That of a vault's own has two letters at least.
const prefix = "f-"

// ID returns the id of the read-only note at a path: 40 bits of the path's SHA-256, so each
// clone has the same.
func ID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return prefix + field.Base32(sum[:8])
}

// Text returns a text of which the header can be read: a value that is no YAML, as in
// globs: *.go or description: When: always, is put in quotes. Lines stay where they are.
// What cannot be read then stays as it is.
func Text(doc []byte) []byte {
	h, _ := frontmatter.Split(doc)
	if h.Err() == nil || h.Text() == "" {
		return doc
	}
	var quoted strings.Builder
	for line := range strings.Lines(h.Text()) {
		quoted.WriteString(quote(line))
	}
	return bytes.Replace(doc, []byte(h.Text()), []byte(quoted.String()), 1)
}

// quote returns a line of a header with its value in quotes, unless it can be read as it is.
func quote(line string) string {
	key, value, ok := strings.Cut(line, ": ")
	body := strings.TrimRight(value, " \t\r\n")
	if !ok || body == "" || strings.ContainsAny(key, " \t#\"'[{") {
		return line
	}
	if h, _ := frontmatter.Split([]byte("---\n" + line + "\n---\n")); h.Err() == nil {
		return line
	}
	return key + ": '" + strings.ReplaceAll(strings.TrimLeft(body, " \t"), "'", "''") + "'" + value[len(body):]
}
