// Package batch reads many writes as JSON lines, one write in each, and knows the verbs that a line
// and the outbox can have.
//
//	lines, err := batch.Read(ctx, session, os.Stdin, with)
//	done, err := tree.Batch{Lines: lines}.Do(ctx, session.Vault)
package batch
