// Package operation names the operations of a vault. Each write is an operation. Its
// intent, the files that it replaced and the trailer Cp-Op carry the name.
//
// A name is the moment in UTC and 40 random bits, so that names sort by time:
//
//	names := operation.Names{Now: time.Now, Random: rand.Reader}
//	op, err := names.New() // 20261102T140247.120-k3v9q2m1
//	at, ok := operation.Moment(op)
package operation
