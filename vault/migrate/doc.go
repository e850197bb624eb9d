// Package migrate brings the memories of other programs into a vault.
//
// It takes what package foreign has read. Each item becomes a memory with `source:` in its
// header, which names the item, and `source_of:`, the beginnings of two hashes: of what was
// read, and of what was made of it. A source that an item's own header names stays, and then the
// id tells which item it is. By these a second import knows what has happened since on either
// side, in any clone:
//
//	nothing there                 unchanged, whatever was edited here
//	changed there, not here       differs; Update takes it
//	changed on both sides         differs; what is here stays, and the row says so
//
// An id follows from the source and from the memory under which the import hangs, so every
// clone draws the same one; an id that the other program gave is kept where it can be one.
// Links between items become links by id. All is one commit, and what cannot come in is named.
//
//	out, err := migrate.Import{Bundle: foreign.Read("beads", files)}.Do(ctx, v)
//	for _, row := range out.Rows { // created beads:bd-a3f2 → beads/fix-the-login.md
//		fmt.Println(row.Action, row.Source, "→", row.Path)
//	}
package migrate
