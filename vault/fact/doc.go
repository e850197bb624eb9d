// Package fact is the codec of facts files: what was drawn from one memory, or written by
// hand about it, beside the memory in .cp/facts.
//
// One file belongs to one memory. Its name is made of the memory's id, which may hold what
// no file name may, and differ from another id in case alone. Each entry stands on a line of
// its own, in order, so that git diffs, merges and blames by entries:
//
//	{"id": "pf-7k2m9qx4", "of": "3f2a91c04b7e", "by": "google/gemini-2.0-flash", "prompt": 1,
//	"entities": [
//	{"name": "PostgreSQL 17", "type": "technology", "description": "the primary database"},
//	{"name": "db2", "type": "host", "description": "streaming replica of db1"}
//	],
//	"relations": [
//	{"from": "db2", "relation": "runs", "to": "PostgreSQL 17", "hand": true}
//	]}
//
// of is what the facts were drawn from: the first 12 digits of the memory's hash. An entry
// by hand survives that they are drawn again; a removed one says that a person does not want
// it, however often it is drawn.
//
// Facts of no memory stand in [UntrackedDir], an entry a line.
//
// Parse and Bytes are inverses on what Bytes has written. A file that Parse refuses is used
// in no part, and stays as it is. The package does no I/O, and knows nothing of vaults:
//
//	f, err := fact.Parse(text)
//	f.Entities = append(f.Entities, fact.Entity{Name: "db2", Type: "host", Hand: true})
//	text = f.Bytes()
//	name := fact.Path(f.ID) // ".cp/facts/3f/3f2a….json"
package fact
