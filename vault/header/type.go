package header

import (
	"slices"
)

// The values that a memory has where its header is silent.
const (
	TypeMemory = "memory" // the type of what the tree holds
	StatusOpen = "open"   // the status
)

// NoPointers is what `pointers:` says in a parent that keeps no pointers to its direct children.
const NoPointers = "none"

// Quiet reports whether the memory keeps no pointers to its direct children.
func (v *Values) Quiet() bool { return v.Pointers == NoPointers }

// closed is the status of a memory that is done with.
const closed = "closed"

// RecordTypes are the types of files that are no memories. A kind of the journal makes an
// entry ([Values.IsEntry]). Any other word is some other program's ("type: daily-note" in
// an Obsidian vault, "type: docs" in a site): it is kept in the file, and the file is a
// memory like the rest.
var RecordTypes = [...]string{"task", "bug", "epic", "backlog", "requirement", "knowledge", "message", "session"}

// IsRecord reports whether files of a type are records.
func IsRecord(word string) bool { return slices.Contains(RecordTypes[:], word) }

// typeOf returns the name of a type: a record's, the kind of an entry, or [TypeMemory].
func typeOf(word string) string {
	if IsRecord(word) {
		return word
	}
	if k, ok := ParseKind(word); ok {
		return string(k)
	}
	return TypeMemory
}

// NormalStatus returns the name of a status. An entry may be resolved, which is closed, or
// unresolved, which is open.
func NormalStatus(word string) string {
	switch word {
	case "resolved":
		return closed
	case "unresolved":
		return StatusOpen
	}
	return word
}

// IsEntry reports whether the type is a kind of the journal.
func (v *Values) IsEntry() bool {
	_, ok := ParseKind(v.Type)
	return ok
}

// IsMemory reports whether the commands take the file for a memory: it is one of the tree
// or an entry, and no record.
func (v *Values) IsMemory() bool { return !IsRecord(v.Type) }

// InTree reports whether the file is shown in the tree and in lists that are asked for
// nothing in particular. An entry is once it has got its place there.
func (v *Values) InTree() bool { return v.Type == TypeMemory || v.IsEntry() && !v.LongTerm.IsZero() }
