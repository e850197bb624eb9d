// Package relink keeps links leading where they led when files move: by a relative path, by one
// from the vault's top, or by a name that the index resolves; and so the paths under references:
// in front matter.
//
// It decides on paths and texts alone, so a table tests it; the verbs that move files ask
// it, and make of its answer a step of the write that moves them ([vault.OpRelink]).
//
//	m := &relink.Mender{Moves: []relink.Move{{From: "x.md", To: "p/x.md"}}, Stands: stands, Leads: leads}
//	links, _, err := m.Text(ctx, "x.md", "See [a](a.md).", true) // a.md is ../a.md then
package relink
