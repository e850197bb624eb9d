// Package splice changes one thing in the settings file of another program and keeps every
// other byte: comments, order, indentation, line ends, a byte order mark, a missing end of
// the last line.
//
// The promise: what comes out parses, and says what the file said before but for the one
// thing. A file that cannot be parsed, or has something else at the place, is an error, and
// nothing comes out. A removal takes out what an insertion put in; what it left empty goes
// too.
//
//	text, err = splice.Set(text, []string{"mcpServers", "cp-memory"}, []byte(`{"command":"cp-memory"}`))
//	text, err = splice.Delete(text, []string{"mcpServers", "cp-memory"})
//
// [Set], [Append], [Get] and [Delete] are for JSON, with comments and trailing commas or
// without. [SetYAML] and [DeleteYAML] are for a key of a mapping at the top of a YAML file.
// [Region] is a part of a TOML or YAML file between two comments of ours.
package splice
