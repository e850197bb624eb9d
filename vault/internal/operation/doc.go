// Package operation keeps the files that writes replace or remove, for a day to a
// week: an editor that held one open may still write to it.
//
// A file is kept in a folder for each operation, under a name that says all about it:
//
//	displaced/<op>/<op>.<n>.<mtime, base 36>.<digest>.<path, escaped>
//
// The time and digest are those of its text when it was kept. Each file is looked at
// twice, by the next command and just before it is removed (see the ledger). A file that
// was written to by then is kept anew and reported.
//
//	f := operation.KeptFiles{Dir: dir, Vault: root, Names: names}
//	kept, err := f.Keep(op, "/v/.cp-….tmp", "deploy.md", digest)
//	notes, err := f.Inspect() // under the next lock
//
// # Operation
//
// This part names the operations of a vault. Each write is an operation. Its
// intent, the files that it replaced and the trailer Cp-Op carry the name.
//
// A name is the moment in UTC and 40 random bits, so that names sort by time:
//
//	names := operation.Names{Now: time.Now, Random: rand.Reader}
//	op, err := names.New() // 20261102T140247.120-k3v9q2m1
//	at, ok := operation.MomentOf(op)
package operation
