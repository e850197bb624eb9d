// Package anchors finds the commits of the code that entries of the journal tell of, also after
// their history was rewritten.
//
// An entry keeps a commit's id and its key: author time, and hashes of the author's e-mail and of
// the subject (see header.CommitKey). A commit that HEAD reaches stands for itself. Another one is
// looked for among those that HEAD reaches: by time and e-mail, which rebase and amend keep; of
// several, by subject; of several still, by the change they make, if the old commit is in the
// repository yet. One that is left is its successor. With none or several the commit is lost, and
// nothing is guessed.
//
// Revisions that people type reach git on its standard input, or as ids: never as options.
//
//	set, err := anchors.ListRange(ctx, top, "v1.1..v1.2")
//	known, err := anchors.Follow(ctx, top, header.Successors{}, all)
//	is := known.Next[all[0].Commit].Commit
package anchors
