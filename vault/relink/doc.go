// Package relink keeps relative links leading where they led when files move, and the paths
// under references: in front matter, which begin at the vault's root.
//
// It decides on paths and texts alone, so a table tests it; the verbs that move files ask
// it, and make of its answer a step of the write that moves them ([vault.OpRelink]).
//
//	m := &relink.Mender{Moves: []relink.Move{{From: "x.md", To: "p/x.md"}}, Stands: stands}
//	links, _, err := m.Text(ctx, "x.md", "See [a](a.md).", true) // a.md is ../a.md then
package relink
