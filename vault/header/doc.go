// Package header reads and edits the YAML header of a Markdown document.
//
//	---
//	id: pf-7k2m9qx4
//	title: Troubleshooting    # a comment
//	labels: [deployment, nomad]
//	---
//	The body.
//
// The header starts on the first line, after a byte order mark if there is one,
// and ends with the first line that is --- or ..., both without indent. Trailing
// spaces do not matter. A header in TOML or JSON, as other programs write one, is read and
// edited in its own form.
//
// Writes edit the lines of the key they mean and no other byte: unknown keys,
// comments, order, quoting, line ends and the byte order mark stay. A header
// that cannot be read without guessing (broken YAML, a repeated key, aliases, a
// flow mapping, no end) is reported with its line, and every write to it is
// refused with the same error.
//
// The shape that nearly all headers have, flat keys with plain or simply quoted
// values and lists of them, is read without the YAML library ([flat]); that is
// ten times faster, and a fuzz test holds it to the library's reading.
//
// A settings file, which is YAML throughout, is edited by the line: [SetLine], [SetValue] and
// [AddLine] keep every other byte, whatever the rest of the file is like.
//
//	header, body := header.Split(doc)
//	title, ok := header.Get("title") // "Troubleshooting"
//	doc, err := header.Set(doc, "status", "closed")
//
// # Field
//
// This part is the table of the front matter's keys that cp knows.
//
// A key is added here and nowhere else: a row of [Fields] says its name, its kind,
// how two versions of it merge, and which column of the mirror holds it.
// The codec ([ReadValues], [WriteValues]), the merge driver, the importer and the index
// walk the table.
//
//	{Key: "creator", Kind: Text, Column: "creator", at: func(v *Values) any { return &v.Creator }},
//
// The values of a header come as [Values]; its pointers to other memories, under any key,
// as one list of [Reference]:
//
//	h, _ := header.Split(doc)
//	values, references, keywords := header.ReadValues(h)
//
// # Kind
//
// This part names the kinds of entries that the journal holds.
//
// A kind is what `type:` says of an entry, in the singular. Its namespace is the
// plural. Wherever a person or a program names a kind, [ParseKind] takes both words:
//
//	k, ok := header.ParseKind("decisions") // header.Decision, true
//	k.Namespace()                 // "decisions"
//
// Any other word is no kind: it is "memory", one of the records that other programs keep in
// the vault, or a word that only its writer knows.
//
// # Readonly
//
// This part knows the notes of other kinds of Markdown than *.md, as *.mdc, the rule
// files of agents. Other programs own such a file. So it is a read-only note: it is found
// and shown, and keeps each byte.
//
//   - Its id is "f-" and a hash of its path, whatever id: says: a file that moves is a new
//     memory.
//   - It has no children, and stands in no pointer block.
//   - Its header is read with patience: agents write globs: *.go, which is no YAML.
//   - Git's side of it is its person's affair: no command of ours commits it.
//
// Where the vault's setting extensions: lists its kind, sync gives the file an id of ours
// under cp_id:, a key that no other program writes. From then on it is a memory like others.
// The file alone tells, so each clone, each commit and the index agree whatever the setting
// is at the moment: where it is taken back, such a file stays a memory until somebody takes
// the line out. Its header is still read with patience, and an edit leaves the lines as
// they are that are no YAML.
//
// Worked example:
//
//	header.IsReadOnlyName("rules/go.mdc")                           // true
//	header.ReadOnlyID("rules/go.mdc")                           // "f-" and 8 characters
//	header.LegibleText([]byte("---\nglobs: *.go\n---\nText\n")) // the value in quotes
package header
