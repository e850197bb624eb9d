// Package naming makes the keys by which links and references name memories.
//
// A link is resolved by its key. Keys are lower case and in Unicode form NFC,
// and of two sorts:
//
//	/deploy/rollback   a Markdown link, made absolute: the file deploy/rollback.md
//	deploy/rollback    a wikilink: an id, a path or the end of one, or a title
//
// A memory offers all its keys, each with a rank. A link means the memory with the smallest
// rank, then with the smallest path. So of two files with the name a wikilink means the
// shallower one, and a file's name comes before another one's title. A references key is
// resolved as the reference of a command is ([References]); of the names it takes ids and titles.
//
//	key := naming.Hash(naming.Link("deploy.md", link)) // what a link says
//	names := naming.Of("deploy/rollback.md", "pf-7k2m9qx4", "Rollback") // what a memory offers
package naming
