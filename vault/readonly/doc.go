// Package readonly knows the notes that are memories and are never written into: those of
// other kinds of Markdown than *.md, as *.mdc, the rule files of agents. Other programs own
// such a file; it is found and shown, and keeps each byte.
//
//   - Its id is "f-" and a hash of its path, whatever its header says: a file that moves is
//     a new memory.
//   - It has no children, and stands in no pointer block.
//   - Its header is read with patience: agents write globs: *.go, which is no YAML.
//   - Git's side of it is its person's affair: no command of ours commits it.
//
// Worked example:
//
//	readonly.Is("rules/go.mdc")                           // true
//	readonly.ID("rules/go.mdc")                           // "f-" and 8 characters
//	readonly.Text([]byte("---\nglobs: *.go\n---\nText\n")) // the value in quotes
package readonly
