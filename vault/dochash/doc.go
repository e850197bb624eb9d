// Package dochash gives what a memory says one name: two that say the same have the same.
//
// It is the SHA-256, in hex, of a JSON object in UTF-8 with the keys context, decisions,
// rationale and topic, in this order and without white space. The context is the prose: the
// text without front matter and pointer block. Topic and context are trimmed of white space
// as Go's strings.TrimSpace does, line ends are LF, and only quotation marks, backslashes and
// control characters are escaped, the usual way. Labels, phrase, metadata, source and the
// file's name are no part of it. The topic is the title of front matter or heading; a
// memory that has its file's name for a title has an empty one, so that a rename changes
// nothing.
//
//	{"context":"Nomad runs it.","decisions":[],"rationale":[],"topic":"Deployment"}
//	fd90540cee0bc67fb020669560dd1c196bd5e292731dc950f12e40f023aa6381
//
// The way in:
//
//	m := vault.Parse("deployment.md", doc)
//	name := dochash.Of(m)
package dochash
