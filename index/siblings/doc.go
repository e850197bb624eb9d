// Package siblings finds the children of a memory in the order in which they are shown, without
// reading more of them than that needs, and the titles of all memories one by one. It reads
// rows of the mirror and never files.
//
//	numbers, page, err := siblings.Page(t, branch.Options{Most: 200}, &parent, &id, &file)
package siblings
