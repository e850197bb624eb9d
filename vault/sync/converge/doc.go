// Package converge decides what puts a merge right that git made by itself: files in
// two places, texts merged as texts, two memories at one path, children left behind
// by a parent that moved, memories that lie below each other.
//
// # What goes in, what comes out
//
// In go the versions of the files that either side changed: the base's, both sides',
// what git made of them, and HEAD's. Out come edits, and in words what they put right.
// The package does no I/O and knows no port: what only the repository or the disk can
// tell ([Facts]) it asks as values, and decides again when that is answered.
//
// # What it promises
//
// A decision follows from the commits alone: the base, the two sides and what git made
// of them, alike whichever of them is whose. So every clone comes to the same tree, in
// whatever order it merges. It touches only what is as git by itself made it, and still
// is as the merge left it: a person who has settled something by hand, in the merge or
// after it, has decided.
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
