package header

import (
	"slices"
	"strings"
	"time"
)

// Field is one key of the front matter.
type Field struct {
	Key    string
	Kind   ValueKind
	Merge  Rule
	With   string // the key whose value it tells about: in a merge it comes with that
	Alone  bool   // with With: it stands without that key, too
	Joint  bool   // with With: where both sides of a merge have that key, it merges by its own rule
	Ours   bool   // the program writes it: nobody's words are lost with it
	Column string // of the mirror's table of memories; empty where it has none

	or    string               // what an absent Text counts as, and is written as
	also  string               // the key of other programs that is read in its place, or of a List beside it; of a Time several, the first one that is there
	words bool                 // by its words a memory is found
	only  bool                 // a List: one text under the key is another program's
	clean func(string) string  // what is taken of a Text; nil takes it all
	read  func(*Header) string // what is read of the key and its kin, in place of all that; nil for most
	at    func(*Values) any    // where its value is kept: by kind a *string, *time.Time, *[]string or *Map
}

// ValueKind tells what a field's value is.
type ValueKind int

// The kinds.
const (
	IDValue         ValueKind = iota // the identity, which the hall reads even from a broken header
	TextValue                        // one line
	PlainValue                       // a number or a bool, kept as a Text
	TimeValue                        // a point in time or a day
	ListValue                        // strings, each once
	ReferencesValue                  // a List of other memories
	TextsValue                       // whole sentences; one that stands alone is one of them, commas and all
	MappingValue                     // of names to values of any shape
)

// Rule tells which value stays where both sides of a merge have set one.
type Rule int

// The rules. Earlier and Later compare points in time. United keeps what both sides have
// and what either has added. Newest does so with texts whose last word is a time, and of
// those with the same first word it keeps the latest.
const (
	Greater Rule = iota
	Earlier
	Later
	United
	Newest
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
	Project   string    // of a part of the vault that is a project of its own: its name
	Code      string    // of such a part: the folder of the repository that it is about, as it stands there
	Deferred  time.Time // zero when unset
	Resolved  time.Time // likewise
	Replaced  time.Time // when another memory took its place; likewise
	About     []string  // the code that it is about: bindings, see package about
	AboutAt   []string  // what that code was, a stamp for each binding; likewise
	Protected string    // [Protected], [AppendOnly] or empty: whether agents change it

	Record
	Entry
}

// Entry holds what the header of an entry of the journal says. All of it may be absent.
type Entry struct {
	Journal    string // "true" in the journal's root
	Pointers   string // "none" in a parent that keeps no pointers to its direct children
	Source     string // where an imported one comes from
	SourceOf   string // the beginnings of two hashes: of what was read there, and of what was made of it
	Spec       string // the work it belongs to
	Phase      string // of that work
	Resolution string // the first line of what resolved it
	Severity   string
	Category   string
	File       string // a finding's, relative to the code's top
	Line       string // in File
	WantsPlace string // "true" asks a person for a place in the tree

	Anchor // the commit that it tells of

	Sessions   []string // that observed it
	SeenBefore string   // how often it was seen elsewhere before it was imported, a number
	FirstSeen  time.Time
	LastSeen   time.Time

	Approved     time.Time
	ApprovedBy   string
	Denied       time.Time
	DeniedBy     string
	DeniedReason string
	LongTerm     time.Time // since when it has its place in the tree
	Core         time.Time // since when it is in the agents' own files
	CoreTargets  []string  // which of them
}

// Fields are the fields, in the order in which a new memory has them.
var Fields = [...]Field{
	{Key: OwnID, Kind: IDValue, Ours: true},
	{Key: OurID, Kind: IDValue, Ours: true},
	{Key: "title", Kind: TextValue, Column: "title", clean: OneLine, at: func(v *Values) any { return &v.Title }},
	{Key: "type", Kind: TextValue, Column: "type", or: TypeMemory, clean: typeOf, at: func(v *Values) any { return &v.Type }},
	{Key: "status", Kind: TextValue, Column: "status", With: "resolved_at", Alone: true, or: StatusOpen, clean: NormalStatus, at: func(v *Values) any { return &v.Status }},
	{Key: "labels", Kind: ListValue, Merge: United, also: "tags", at: func(v *Values) any { return &v.Labels }},
	{Key: "aliases", Kind: ListValue, Merge: United, words: true, at: func(v *Values) any { return &v.Aliases }},
	{Key: "summary", Kind: TextValue, Column: "summary", also: "description", at: func(v *Values) any { return &v.Summary }},
	{Key: "summary_of", Kind: TextValue, Column: "summary_of", With: "summary", Ours: true, clean: strings.ToLower, at: func(v *Values) any { return &v.SummaryOf }},
	{Key: "created", Kind: TimeValue, Merge: Earlier, Column: "created", also: "timestamp date", at: func(v *Values) any { return &v.Created }},
	{Key: "creator", Kind: TextValue, Column: "creator", at: func(v *Values) any { return &v.Creator }},
	{Key: "project", Kind: TextValue, Column: "project", clean: OneLine, at: func(v *Values) any { return &v.Project }},
	{Key: "code", Kind: TextValue, Column: "code", With: "project", at: func(v *Values) any { return &v.Code }},
	{Key: "deferred_until", Kind: TimeValue, Column: "deferred", at: func(v *Values) any { return &v.Deferred }},
	{Key: "protected", Kind: PlainValue, Column: "protected", also: "read_only", read: textProtection, at: func(v *Values) any { return &v.Protected }},
	{Key: "decisions", Kind: TextsValue, Merge: United, Column: "decisions", at: func(v *Values) any { return &v.Decisions }},
	{Key: "rationale", Kind: TextsValue, Merge: United, Column: "rationale", at: func(v *Values) any { return &v.Rationale }},
	{Key: "metadata", Kind: MappingValue, Column: "metadata", at: func(v *Values) any { return &v.Metadata }},
	{Key: "about", Kind: ListValue, Merge: United, only: true, at: func(v *Values) any { return &v.About }},
	{Key: "about_at", Kind: TextsValue, Merge: Newest, With: "about", Joint: true, Ours: true, at: func(v *Values) any { return &v.AboutAt }},
	{Key: "journal", Kind: PlainValue, at: func(v *Values) any { return &v.Journal }},
	{Key: "pointers", Kind: TextValue, Column: "keeps", at: func(v *Values) any { return &v.Pointers }},
	{Key: "source", Kind: TextValue, Column: "source", at: func(v *Values) any { return &v.Source }},
	{Key: "source_of", Kind: TextValue, With: "source", Ours: true, clean: strings.ToLower, at: func(v *Values) any { return &v.SourceOf }},
	{Key: "spec", Kind: TextValue, Column: "spec", at: func(v *Values) any { return &v.Spec }},
	{Key: "phase", Kind: TextValue, at: func(v *Values) any { return &v.Phase }},
	{Key: "commit", Kind: TextValue, Column: "anchor", at: func(v *Values) any { return &v.Commit }},
	{Key: "commit_key", Kind: TextValue, Column: "anchor_key", With: "commit", Ours: true, at: func(v *Values) any { return &v.CommitKey }},
	{Key: "relates_to", Kind: ReferencesValue, Merge: United},
	{Key: "resolution", Kind: TextValue, With: "resolved_at", Alone: true, at: func(v *Values) any { return &v.Resolution }},
	{Key: "resolved_at", Kind: TimeValue, Merge: Later, at: func(v *Values) any { return &v.Resolved }},
	{Key: "severity", Kind: TextValue, at: func(v *Values) any { return &v.Severity }},
	{Key: "category", Kind: TextValue, at: func(v *Values) any { return &v.Category }},
	{Key: "file", Kind: TextValue, at: func(v *Values) any { return &v.File }},
	{Key: "line", Kind: PlainValue, at: func(v *Values) any { return &v.Line }},
	{Key: "wants_place", Kind: PlainValue, Column: "wants_place", at: func(v *Values) any { return &v.WantsPlace }},
	{Key: "sessions", Kind: ListValue, Merge: United, at: func(v *Values) any { return &v.Sessions }},
	{Key: "seen_before", Kind: PlainValue, at: func(v *Values) any { return &v.SeenBefore }},
	{Key: "first_seen", Kind: TimeValue, Merge: Earlier, at: func(v *Values) any { return &v.FirstSeen }},
	{Key: "last_seen", Kind: TimeValue, Merge: Later, at: func(v *Values) any { return &v.LastSeen }},
	{Key: "approved_at", Kind: TimeValue, Merge: Later, Column: "approved_at", at: func(v *Values) any { return &v.Approved }},
	{Key: "approved_by", Kind: TextValue, With: "approved_at", Alone: true, at: func(v *Values) any { return &v.ApprovedBy }},
	{Key: "denied_at", Kind: TimeValue, Merge: Later, Column: "denied_at", at: func(v *Values) any { return &v.Denied }},
	{Key: "denied_by", Kind: TextValue, With: "denied_at", Alone: true, at: func(v *Values) any { return &v.DeniedBy }},
	{Key: "denied_reason", Kind: TextValue, With: "denied_at", Alone: true, at: func(v *Values) any { return &v.DeniedReason }},
	{Key: "long_term_at", Kind: TimeValue, Merge: Later, Column: "long_term_at", at: func(v *Values) any { return &v.LongTerm }},
	{Key: "core_at", Kind: TimeValue, Merge: Later, Column: "core_at", at: func(v *Values) any { return &v.Core }},
	{Key: "core_targets", Kind: ListValue, Merge: United, With: "core_at", Alone: true, Joint: true, at: func(v *Values) any { return &v.CoreTargets }},
	{Key: "references", Kind: ReferencesValue, Merge: United},
	{Key: "supersedes", Kind: ReferencesValue, Merge: United},
	{Key: "superseded_by", Kind: ReferencesValue, Merge: United},
	{Key: "superseded_at", Kind: TimeValue, Merge: Earlier, at: func(v *Values) any { return &v.Replaced }},
}

// PointerIn returns where v keeps the field's value: a *string, a *time.Time, a
// *[]string or a *Map by its kind; nil for an ID and for References.
func (f Field) PointerIn(v *Values) any {
	if f.at == nil {
		return nil
	}
	return f.at(v)
}

// Columns returns the fields that the mirror's table of memories has a column of.
func Columns() []Field {
	return slices.DeleteFunc(slices.Clone(Fields[:]), func(f Field) bool { return f.Column == "" })
}

// RankOf returns the place of a key in [Fields]; of one that is not there -1.
func RankOf(key string) int {
	return slices.IndexFunc(Fields[:], func(f Field) bool { return f.Key == key })
}

// FieldOf returns the field of a key, ours or the other programs' for it; of one that is not in
// the table a Text that merges by [Greater].
func FieldOf(key string) Field {
	if f := knownField(key); f != nil {
		return *f
	}
	return Field{Key: key, Kind: TextValue}
}

// knownField returns the field that is read from a key; nil for none.
func knownField(key string) *Field {
	i := slices.IndexFunc(Fields[:], func(f Field) bool { return key != "" && (f.Key == key || f.isAlso(key)) })
	if i < 0 {
		return nil
	}
	return &Fields[i]
}

// isAlso reports whether other programs have the key for the field.
func (f *Field) isAlso(key string) bool {
	for also := range strings.FieldsSeq(f.also) {
		if also == key {
			return true
		}
	}
	return false
}

// KeysAbout returns the keys that tell about a key's value.
func KeysAbout(key string) (keys []string) {
	for _, f := range Fields {
		if f.With == key {
			keys = append(keys, f.Key)
		}
	}
	return keys
}
