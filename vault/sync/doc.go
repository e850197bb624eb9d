// Package sync brings a vault into agreement with what happened outside of it:
// files that a person made, moved, edited or deleted by hand, and merges that git
// made.
//
// # What agrees after it
//
//   - HEAD has the files that are on disk, in their places. Of a committed file's text
//     only sync's own edits are committed.
//   - Every memory has an id, and no two have the same.
//   - Every parent's block names the memories in its folder, each with the title and
//     the phrase that the memory has itself.
//   - After a merge every clone has the same tree, no matter who merged what, and in which
//     order (see package converge).
//
// A case that cannot be decided without guessing is reported with path and line and left
// as it is. Nothing that a person typed is lost: a dropped value stands in the commit's
// message or in a commit that is named. A second run finds nothing to do.
//
//	s := &sync.Syncer{Vault: v, Merges: merges, Conflicts: merges}
//	out, err := s.Sync(ctx, sync.Options{})
//	for _, d := range out.Discrepancies {
//		fmt.Println(d.Type, d.Path, d.Fixed) // moved_file infra/x.md followed it here from x.md
//	}
package sync
