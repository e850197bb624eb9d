// Package transfer brings trees of Markdown into a vault, and memories out of it.
//
// [Import] is a verb: it puts each file at its relative path, so that relative
// links keep working, gives it an id, and gives every parent its pointers, all in
// one commit. A text comes in byte for byte; at most a header of ours is added. A
// file that was imported before is found again by its place and its text, and
// left as it is: a second import changes nothing, and sync finds nothing to do
// after one. [Export] gives the memories one by one, parents first, with the
// bytes of their files in the vault. [CS] gives the entries of the journal in the form of
// another program.
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
// How the plan is made: import.go defines the rows, plan.go decides about one file,
// names.go about its place and name, again.go whether the vault has it already, text.go
// about additions to its text, and tree.go about the pointers.
package transfer
