// Package kind names the kinds of entries that the journal holds.
//
// A kind is what `type:` says of an entry, in the singular. Its namespace is the
// plural. Wherever a person or a program names a kind, [Of] takes both words:
//
//	k, ok := kind.Of("decisions") // kind.Decision, true
//	k.Namespace()                 // "decisions"
//
// Any other word is no kind: it is "memory", one of the records that other programs keep in
// the vault, or a word that only its writer knows.
package kind
