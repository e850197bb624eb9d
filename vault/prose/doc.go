// Package prose reads and edits the text of a memory: what stands below the front
// matter, the pointer block aside.
//
// It is Markdown, and goldmark decides what counts: [Links] and [Title] see
// nothing in code, [Section] sees top-level headings only, and [Conflict] passes
// over a conflict that is shown in a code block. Texts that were made to be slow
// for a Markdown parser are read in pieces, or not at all.
//
// The edits keep every byte that they do not mean, and take the line ends of the
// document:
//
//	text = prose.AddToSection(text, "Resolution", "Fixed in v2.3.", "\n", false)
package prose
