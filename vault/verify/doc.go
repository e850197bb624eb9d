// Package verify compares the index with the files, byte for byte.
//
// A command that reads the vault looks at sizes and times to learn which files it must read
// again. Here every file is read: what an index that lost a row, or a file that changed
// without a trace in its times, gets wrong, shows. All rows are compared with those that the
// files would give now, so that one which something else has written into shows as well.
//
// Its promise: it changes nothing. A report without differences means that each readable file
// has its rows, each row its file, and that they say the same.
//
//	r, err := verify.Compare(ctx, v.Store, mirror)
//	for _, d := range r.Differences { // missing notes/new.md
//		fmt.Println(d.Kind, d.Path)
//	}
package verify
