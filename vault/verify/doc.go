// Package verify compares the index with the files, byte for byte.
//
// A command that reads the vault looks at sizes and times to learn which files it must read
// again. Here every file is read: what an index that lost a row, or a file that changed
// without a trace in its times, gets wrong, shows.
//
// Its promise: it changes nothing. A report without differences means that each readable file
// has its row, each row its file, and that both have the same bytes and the same content.
//
//	r, err := verify.Compare(ctx, v.Store, mirror)
//	for _, d := range r.Differences { // missing notes/new.md
//		fmt.Println(d.Kind, d.Path)
//	}
package verify
