// Package readonly knows the notes of other kinds of Markdown than *.md, as *.mdc, the rule
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
//	readonly.Is("rules/go.mdc")                           // true
//	readonly.ID("rules/go.mdc")                           // "f-" and 8 characters
//	readonly.Text([]byte("---\nglobs: *.go\n---\nText\n")) // the value in quotes
package readonly
