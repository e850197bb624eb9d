// Package adopt tells which file is the memory of a folder, among files that are known by
// their paths alone.
//
//	all := make(adopt.FolderNotes)
//	all.Add("infra.md")
//	up, ok := all.Above("infra/deploy.md") // "infra.md", true
//
// # Spare
//
// This part decides which files sync leaves alone: what is empty or no text gets no id,
// what is not to be adopted stays uncommitted, and so does a new file with a likely secret.
//
//	rules := adopt.Unadopted{None: tx.NoAdopt()}
//	why := rules.Of(tx, drift) // of one file; its Problem may keep it from an id, see Nameless
package adopt
