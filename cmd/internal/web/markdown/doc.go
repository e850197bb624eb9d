// Package markdown turns the text of a memory into HTML that a page may hold.
//
// The text is not trusted. goldmark in its safe mode decides what counts as Markdown; what is
// raw HTML in it is shown as text. A link keeps its destination if that is a web page, a mail
// address, a heading of the page or a place in the vault, and is text otherwise. A picture
// from elsewhere is a link, so that looking at a page tells nobody. Control characters, and
// those that turn the direction of writing, are made visible.
//
//	html := markdown.New().HTML(prose, markdown.At{Path: "deployment/rollback.md", Title: "Rollback"})
package markdown
