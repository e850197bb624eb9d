// Package brief cuts what is told of a memory, for an answer that has little room. It does no I/O.
//
//	row.Title, row.Summary = brief.Line(row.Title, row.Summary, func(title, phrase string) bool {
//		return vault.Tokens(title)+vault.Tokens(phrase) <= 30
//	})
package brief
