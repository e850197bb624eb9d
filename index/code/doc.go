// Package code keeps in the mirror which code the memories are about, and what was last found
// of it.
//
// The rows of about_bindings follow the files, in the same transaction as the rest. Those of
// about_now are verdicts of package about, for each work tree of the code: nothing depends on
// them but how much has to be read again.
//
//	code.Store(tx, n, memory)                    // the rows of a memory, in the transaction of its others
//	rows, err := db.Code().OfFile(ctx, "src/auth.py") // whose memories are about it
package code
