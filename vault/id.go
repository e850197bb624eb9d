package vault

import (
	"crypto/sha256"
	"io"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// ID is the identity of a memory: one of ours, "<prefix>-<suffix>" as in pf-7k2m9qx4, or
// what a person has written under id:, as [header.ParseID] has it. It stands in the file's
// front matter, never changes and is never reused.
type ID string

// suffixLen gives 40 random bits.
const suffixLen = 8

// provisionalPrefix marks the stand-in id of a file that carries none yet.
const provisionalPrefix = "new"

// ParseID returns s as an ID; see [header.ParseID] for which are valid.
func ParseID(s string) (ID, error) {
	id, ok := header.ParseID(s)
	if !ok {
		return "", Errorf(CodeInvalid, "an id looks like pf-7k2m9qx4", "'%s' is not an id", Clip(s, 80))
	}
	return ID(id), nil
}

// Fold returns what ids are told apart by: of Intro and intro there is one.
func (id ID) Fold() string { return pointer.FoldID(string(id)) }

// Is reports whether both are one id.
func (id ID) Is(other ID) bool { return id == other || id.Fold() == other.Fold() }

func alnum(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// ValidPrefix reports whether s can stand before the dash of new ids: 2 to 8
// of a–z and 0–9, the first a letter, and not the prefix of provisional ids.
func ValidPrefix(s string) bool {
	return len(s) >= 2 && len(s) <= 8 && s[0] >= 'a' && s[0] <= 'z' && alnum(s) && s != provisionalPrefix
}

// NewID draws a new id: prefix, dash, 8 characters of Crockford base32 (40
// bits) from random. It fails only when random does.
func NewID(prefix string, random io.Reader) (ID, error) {
	var b [suffixLen]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", Errorf(CodeInternal, "", "cannot draw an id: %w", err)
	}
	return ID(prefix + "-" + header.Base32(b[:])), nil
}

// Provisional reports whether the id is a stand-in for a file that carries no
// usable id of its own; sync gives the file a real one.
func (id ID) Provisional() bool { return header.StandIn(string(id)) }

// ProvisionalID returns the stand-in id of the file p: "new-" and 8 characters
// drawn from its path, or more of them where taken says that another file's
// stand-in is the same. It follows from the path, so each clone shows the same one.
func ProvisionalID(p Path, taken func(ID) bool) ID {
	sum := sha256.Sum256([]byte(p))
	for n := suffixLen; ; n += suffixLen {
		id := ID(provisionalPrefix + "-" + header.Base32(sum[:n]))
		if n == len(sum) || !taken(id) {
			return id
		}
	}
}

// Suffix returns the part of an id after its prefix, the fallback for a slug.
func (id ID) Suffix() string {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == '-' {
			return string(id[i+1:])
		}
	}
	return string(id)
}

// IsDrawn reports whether the id has the form of those that [NewID] draws with that prefix, or
// with any where it is empty.
func (id ID) IsDrawn(prefix string) bool {
	front, suffix, ok := strings.Cut(string(id), "-")
	return ok && ValidPrefix(front) && (prefix == "" || front == prefix) && len(suffix) == suffixLen && strings.Trim(suffix, header.Alphabet) == ""
}

// Identify returns the step that gives a file the id in place of was, empty for none. A
// person's id: line stays as it is: see [header.SetID].
func Identify(id, was ID, prefix string) Step {
	if !was.IsDrawn(prefix) {
		was = ""
	}
	return Step{Op: OpSetID, ID: id, Value: string(was)}
}
