// Package transfer brings trees of Markdown into a vault, and memories out of it.
//
// [Import] is a verb: it puts each file at its relative path, so that relative
// links keep working, gives it an id, and gives every parent its pointers, all in
// one commit. A text comes in byte for byte, below at most a header of ours. A
// file that was imported before is found again by its place and its text, and
// left as it is: a second import changes nothing, and sync finds nothing to do
// after one. [Export] gives the memories one by one, parents first, with the
// bytes of their files; what was imported comes out as it is in the vault.
//
// Neither opens a file outside the vault: the caller reads the sources, and
// writes what export gives.
//
//	out, err := transfer.Import{
//		Under: "pf-7k2m9qx4",
//		Files: []transfer.SourceFile{{Rel: "docs/api.md", Text: text}},
//	}.Do(ctx, v)
//	for _, row := range out.Rows { // created docs/api.md → deployment/docs/api.md
//		fmt.Println(row.Action, row.Source, "→", row.Path)
//	}
//
// How the plan is made: import.go says what a row may say, plan.go decides about
// one file, names.go where it goes and under which name, again.go whether it is in
// the vault already, text.go what is added to its text, and tree.go which pointers
// follow from that.
package transfer
