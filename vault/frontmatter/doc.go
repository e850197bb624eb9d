// Package frontmatter reads and edits the YAML header of a Markdown document.
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
//	header, body := frontmatter.Split(doc)
//	title, ok := header.Get("title") // "Troubleshooting"
//	doc, err := frontmatter.Set(doc, "status", "closed")
package frontmatter
