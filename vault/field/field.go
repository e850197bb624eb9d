package field

import (
	"slices"
	"strings"
	"time"
)

// Field is one key of the front matter.
type Field struct {
	Key    string
	Kind   Kind
	Merge  Rule
	With   string // the key whose value it tells about: it comes and goes with that
	Ours   bool   // the program writes it: nobody's words are lost with it
	Column string // of the mirror's table of memories; empty where it has none

	or    string              // what an absent Text counts as, and is written as
	also  string              // the key of other programs that is read in its place, or of a List beside it
	words bool                // by its words a memory is found
	clean func(string) string // what is taken of a Text; nil takes it all
	at    func(*Values) any   // where its value is kept: by kind a *string, *time.Time or *[]string
}

// Kind tells what a field's value is.
type Kind int

// The kinds.
const (
	ID         Kind = iota // the identity, which the hall reads even from a broken header
	Text                   // one line
	Time                   // a point in time or a day
	List                   // strings, each once
	References             // a List of other memories
)

// Rule tells which value stays where both sides of a merge have set one.
type Rule int

// The rules. United keeps what both sides have and what either has added.
const (
	Greater Rule = iota
	Earlier
	United
)

// Values holds what a header says, except for the identity and the references.
type Values struct {
	Title     string
	Type      string
	Status    string
	Labels    []string // trimmed, without repetitions, in the order of the file; tags without their #
	Aliases   []string // other names
	Summary   string   // the trigger phrase; may be empty
	SummaryOf string   // the beginning of the content's hash that a model wrote Summary for; empty for a person's
	Created   time.Time
	Creator   string
	Deferred  time.Time // zero when unset
	Resolved  time.Time // likewise; the mirror does not know it
}

// All are the fields, in the order in which a new memory has them.
var All = [...]Field{
	{Key: OwnID, Kind: ID, Ours: true},
	{Key: OurID, Kind: ID, Ours: true},
	{Key: "title", Kind: Text, Column: "title", clean: OneLine, at: func(v *Values) any { return &v.Title }},
	{Key: "type", Kind: Text, Column: "type", or: Memory, clean: inTree, at: func(v *Values) any { return &v.Type }},
	{Key: "status", Kind: Text, Column: "status", or: Open, at: func(v *Values) any { return &v.Status }},
	{Key: "labels", Kind: List, Merge: United, also: "tags", at: func(v *Values) any { return &v.Labels }},
	{Key: "aliases", Kind: List, Merge: United, words: true, at: func(v *Values) any { return &v.Aliases }},
	{Key: "summary", Kind: Text, Column: "summary", also: "description", at: func(v *Values) any { return &v.Summary }},
	{Key: "summary_of", Kind: Text, Column: "summary_of", With: "summary", Ours: true, clean: strings.ToLower, at: func(v *Values) any { return &v.SummaryOf }},
	{Key: "created", Kind: Time, Merge: Earlier, Column: "created", at: func(v *Values) any { return &v.Created }},
	{Key: "creator", Kind: Text, Column: "creator", at: func(v *Values) any { return &v.Creator }},
	{Key: "deferred_until", Kind: Time, Column: "deferred", at: func(v *Values) any { return &v.Deferred }},
	{Key: "resolved_at", Kind: Time, at: func(v *Values) any { return &v.Resolved }},
	{Key: "references", Kind: References, Merge: United},
	{Key: "supersedes", Kind: References, Merge: United},
	{Key: "superseded_by", Kind: References, Merge: United},
}

// The values that a memory has where its header is silent.
const (
	Memory = "memory" // the type of what the tree holds
	Open   = "open"   // the status
)

// Records are the types of the files that the tree does not hold. Any other word
// is some other program's ("type: daily-note" in an Obsidian vault, "type: docs"
// in a site): it is kept in the file, and the file is a memory like the rest.
var Records = [...]string{"task", "bug", "epic", "backlog", "requirement", "knowledge", "message", "session"}

// inTree returns the name of a type.
func inTree(word string) string {
	if slices.Contains(Records[:], word) {
		return word
	}
	return Memory
}

// At returns where v keeps the field's value: a *string, a *time.Time or a
// *[]string by its kind; nil for an ID and for References.
func (f Field) At(v *Values) any {
	if f.at == nil {
		return nil
	}
	return f.at(v)
}

// Columns returns the fields that the mirror's table of memories has a column of.
func Columns() []Field {
	return slices.DeleteFunc(slices.Clone(All[:]), func(f Field) bool { return f.Column == "" })
}

// Rank returns the place of a key in [All]; of one that is not there -1.
func Rank(key string) int {
	return slices.IndexFunc(All[:], func(f Field) bool { return f.Key == key })
}

// Of returns the field of a key, ours or the other programs' for it; of one that is not in
// the table a Text that merges by [Greater].
func Of(key string) Field {
	if f := known(key); f != nil {
		return *f
	}
	return Field{Key: key, Kind: Text}
}

// known returns the field that is read from a key; nil for none.
func known(key string) *Field {
	i := slices.IndexFunc(All[:], func(f Field) bool { return key != "" && (f.Key == key || f.also == key) })
	if i < 0 {
		return nil
	}
	return &All[i]
}

// About returns the keys that tell about a key's value.
func About(key string) (keys []string) {
	for _, f := range All {
		if f.With == key {
			keys = append(keys, f.Key)
		}
	}
	return keys
}
