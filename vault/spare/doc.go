// Package spare decides which files sync leaves alone: what is empty or no text gets no id,
// what is not to be adopted stays uncommitted, and so does a new file with a likely secret.
//
//	rules := spare.Rules{None: tx.NoAdopt()}
//	why := rules.Of(tx, drift) // of one file; its Problem may keep it from an id, see Nameless
package spare
