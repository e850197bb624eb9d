// Package filter selects rows of the mirror's table memories, named m, by the options of a
// list or a search.
//
//	f := filter.Of(vault.ListOptions{Labels: []string{"deploy"}}, now)
//	rows := t.rows(f.Where(), f.Args...) // WHERE TRUE AND m.held = 2 AND …
package filter
