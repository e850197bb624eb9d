// Package converge decides what puts a merge right that git made by itself: files in
// two places, texts merged as texts, two memories at one path, children left behind
// by a parent that moved, memories that lie below each other.
//
// # What goes in, what comes out
//
// The input is the versions of the files that either side changed: the base's, both
// sides', git's merge of them, and HEAD's. The output is edits, and a description of what
// they put right. The package does no I/O and knows no port: it asks for facts that only
// the repository or the disk knows ([Facts]) as values, and decides again with the answers.
//
// # What it promises
//
// A decision follows from the commits alone: the base, the two sides and git's merge. It
// does not depend on which side is whose. So every clone comes to the same tree, in any
// order of merges. It touches only files that git itself made and that are still as the
// merge left them: if a person has settled something by hand, in the merge or after it,
// that stands.
//
//	d, err := converge.Decide(converge.Input{Merge: m, Changed: paths, Head: tip}, func(f *converge.Facts) error {
//		for _, commit := range f.Commits() {
//			f.Tell(commit, texts(commit, f.Paths), others(commit, f.Folders))
//		}
//		return f.Clean.Each(func(p vault.Path) (bool, error) { return true, nil }) // … and the other questions
//	})
//	for _, e := range d.Edits {
//		fmt.Println(e.Path, e.To) // deploy/x.md infra/deploy/x.md
//	}
package converge
