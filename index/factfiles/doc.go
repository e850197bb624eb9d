// Package factfiles keeps the rows of the facts files: it finds which of them have changed,
// reads those, and has package graph derive what they say.
//
// What a facts file says counts while its memory is there. So the rows follow when a file
// changes, and also when a memory comes, goes, or is made to be of another time.
//
//	w, err := factfiles.Look(t, src, folders, scope)  // in a read transaction: what is to be done
//	if !w.Empty() {
//		w.Apply(t, src, ids)                      // in a write transaction, after the memories' rows
//	}
package factfiles
