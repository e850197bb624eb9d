// Package index is the derived side of a vault: a SQLite mirror of the files
// that answers what the files alone could only answer slowly. It implements
// [vault.Mirror] ([DB]). What it does not derive from the files has rooms of its
// own: package usage the telemetry, package vectors the vectors; package sqlite is
// what the three share.
//
// # The rule
//
// index.db may be deleted, damaged or left behind at any moment. It is never
// migrated and never repaired: a mirror of another schema version, or one that
// SQLite finds damaged, is set aside as index.db.bad and built again from the
// files; one that cannot be opened or written, because the folder is read-only,
// the disk is full or another program keeps it locked, is replaced for the life
// of this process by a private one in memory. No command fails for its sake.
// Only one that this clone made is believed (made.go).
//
// # How it stays true
//
// What a file says by itself (its title, labels, links, block) is stored when
// the file is read. What depends on other files is kept so that it follows from
// the rows alone, and a random history of changes ends in the same tables, and in
// the same answers to the last bit of a score, as a rebuild (tests hold this):
//
//   - the parent is the nearest file above that stands for its folder; a file
//     that appears or goes re-places only the rows in the folder it stands for;
//   - of several files with one id, a committed one has it before an
//     uncommitted one, then the one with the smaller path; the others go by
//     provisional ids until sync has settled it;
//   - which memory a link means is not stored at all: it is the first of the
//     link's key in the table names, so a target that appears later is found.
//
// One writer holds all rules and columns (writer.go). What there is already it looks
// up in the tables (tables.go), or in memory where a mirror without rows is filled
// (catalog.go), in a file of its own that then takes its place (build.go).
//
// One thing is remembered and not derived: a file that was emptied keeps the row of
// what it held for two seconds, since editors empty a file for a moment when they save.
//
// # Freshness
//
// A catch-up compares the scan with each row's mark (size, mtime, ctime, inode).
// A file written so shortly before we looked that another write could leave the
// same mark gets none and is looked at again: git's racy rule. A catch-up that
// finds nothing to do takes no write lock, and readers never wait for a writer
// (WAL). A writer checks that nobody else wrote since it looked, and else looks
// again.
//
//	source := store.Ports().Source
//	db, err := index.Open(path, index.Options{Source: source})
//	report, err := db.CatchUp(ctx, source, vault.Scope{}) // the rows are those of the files now
//	hits, total, err := db.Search(ctx, "lost commits", vault.ListOptions{Limit: 10})
package index
