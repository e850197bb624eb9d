package field

import (
	"slices"

	"github.com/cp-memory/cp/vault/kind"
)

// The values that a memory has where its header is silent.
const (
	Memory = "memory" // the type of what the tree holds
	Open   = "open"   // the status
)

// None is what `pointers:` says in a parent that keeps no pointers to its direct children.
const None = "none"

// Quiet reports whether the memory keeps no pointers to its direct children.
func (v *Values) Quiet() bool { return v.Pointers == None }

// closed is the status of a memory that is done with.
const closed = "closed"

// Records are the types of files that are no memories. A kind of the journal makes an
// entry ([Values.IsEntry]). Any other word is some other program's ("type: daily-note" in
// an Obsidian vault, "type: docs" in a site): it is kept in the file, and the file is a
// memory like the rest.
var Records = [...]string{"task", "bug", "epic", "backlog", "requirement", "knowledge", "message", "session"}

// IsRecord reports whether files of a type are records.
func IsRecord(word string) bool { return slices.Contains(Records[:], word) }

// typeOf returns the name of a type: a record's, the kind of an entry, or [Memory].
func typeOf(word string) string {
	if IsRecord(word) {
		return word
	}
	if k, ok := kind.Of(word); ok {
		return string(k)
	}
	return Memory
}

// Status returns the name of a status. An entry may be resolved, which is closed, or
// unresolved, which is open.
func Status(word string) string {
	switch word {
	case "resolved":
		return closed
	case "unresolved":
		return Open
	}
	return word
}

// IsEntry reports whether the type is a kind of the journal.
func (v *Values) IsEntry() bool {
	_, ok := kind.Of(v.Type)
	return ok
}

// IsMemory reports whether the commands take the file for a memory: it is one of the tree
// or an entry, and no record.
func (v *Values) IsMemory() bool { return !IsRecord(v.Type) }

// InTree reports whether the file is shown in the tree and in lists that are asked for
// nothing in particular. An entry is once it has got its place there.
func (v *Values) InTree() bool { return v.Type == Memory || v.IsEntry() && !v.LongTerm.IsZero() }
