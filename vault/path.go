package vault

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/header"
)

// Path is the place of a file or folder in the vault: relative to its root,
// slash-separated, clean, valid UTF-8 without control characters. The root
// itself is the empty Path.
type Path string

// ParsePath returns s as a Path, or an error if it is absolute, leaves the
// vault, names .git or .cp, or holds what a Path may not hold.
func ParsePath(s string) (Path, error) {
	bad := func(why string) (Path, error) {
		return "", Errorf(CodeInvalid, "use a path relative to the vault, like notes/idea.md", "path %q %s", Clip(s, 200), why)
	}
	switch {
	case !utf8.ValidString(s):
		return bad("is not UTF-8")
	case strings.ContainsFunc(s, unicode.IsControl):
		return bad("holds a control character")
	case s == "" || s == ".":
		return "", nil
	case path.IsAbs(s) || path.Clean(s) != strings.TrimSuffix(s, "/"):
		return bad("is not a clean relative path")
	}
	for part := range strings.SplitSeq(s, "/") {
		switch strings.ToLower(part) {
		case "..", ".git", ".cp":
			return bad("leaves the vault's own files")
		}
	}
	return Path(strings.TrimSuffix(s, "/")), nil
}

// Dir returns the folder that holds p.
func (p Path) Dir() Path {
	if i := strings.LastIndexByte(string(p), '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// Base returns the last element of p.
func (p Path) Base() string { return string(p[strings.LastIndexByte(string(p), '/')+1:]) }

// Join returns the path of name inside the folder p.
func (p Path) Join(name string) Path {
	if p == "" {
		return Path(name)
	}
	return p + "/" + Path(name)
}

// Within reports whether p is dir or lies below it; everything lies within the root.
func (p Path) Within(dir Path) bool {
	return dir == "" || p == dir || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// IsMarkdown reports whether p is named like a Markdown file (.md in any case).
func (p Path) IsMarkdown() bool {
	return len(p) > 3 && strings.EqualFold(string(p[len(p)-3:]), ".md")
}

// Foreign reports whether p is named like a note of another kind than *.md. It is a
// read-only note unless the file has an id of ours, see package readonly.
func (p Path) Foreign() bool { return header.IsReadOnlyName(string(p)) }

// IsNote reports whether p is named like a memory's file.
func (p Path) IsNote() bool { return p.IsMarkdown() || p.Foreign() }

// Home returns p without the ending of a note: the folder for the children of the memory in it.
func (p Path) Home() Path {
	if p.Foreign() {
		return Path(header.TrimEnding(string(p)))
	}
	return p.Stem()
}

// ReadOnly reports whether the memory is a read-only note.
func (n *Node) ReadOnly() bool { return header.IsReadOnly(string(n.Path), string(n.ID)) }

// ReadOnly is that of [Node].
func (m *Memory) ReadOnly() bool { return header.IsReadOnly(string(m.Path), string(m.ID)) }

// Writable refuses a read-only note.
func (n *Node) Writable() error {
	if !n.ReadOnly() {
		return nil
	}
	return &Error{Code: CodeReadOnly, Path: string(n.Path), Msg: "a read-only note, into which cp never writes",
		Hint: "edit it by hand; as " + (n.Path.Home() + ".md").QuoteForShell() + " it would be a memory like others, and so with `extensions:` in .cp/vault.yaml"}
}

// FactsDir is the folder of the facts files, see package fact. No memory lies there, and only
// a look that names the folder sees it.
const FactsDir Path = fact.Dir

// IsFacts reports whether p is named like a facts file: *.json in FactsDir at any depth, or
// *.jsonl in its folder untracked.
func (p Path) IsFacts() bool { return fact.Is(string(p)) }

// Stem returns p without its .md.
func (p Path) Stem() Path {
	if p.IsMarkdown() {
		return p[:len(p)-3]
	}
	return p
}

// folderFiles are the names of files that can be the memory of their folder, by rank.
var folderFiles = [...]string{"index.md", "_index.md", "readme.md"}

// FolderRank returns 1 for index.md, 2 for _index.md and 3 for README.md, in any case:
// such a file can be the memory of its folder. It returns 0 for every other file and for
// files in the vault's root.
func (p Path) FolderRank() int {
	base := p.Base()
	if len(base)+1 >= len(p) || base == "" || base[0] < utf8.RuneSelf && !strings.ContainsRune("iI_rR", rune(base[0])) {
		return 0
	}
	base = strings.ToLower(base)
	for i, name := range folderFiles {
		if base == name {
			return i + 1
		}
	}
	return 0
}

// QuoteForShell returns the path as a shell takes it.
func (p Path) QuoteForShell() string {
	if strings.Trim(string(p), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" {
		return string(p)
	}
	return "'" + strings.ReplaceAll(string(p), "'", `'\''`) + "'"
}
