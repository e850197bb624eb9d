// Package index keeps a SQLite mirror of a vault's files, for questions that the
// files alone would answer slowly. [DB] implements [vault.Mirror]. Two packages keep
// what does not follow from the files: usage the telemetry, vectors the vectors. All
// three use package sqlite.
//
// # The rule
//
// index.db may be deleted, damaged or outdated at any moment, and no command fails
// because of it. It is never migrated and never repaired. A file of another schema
// version is removed, one that SQLite finds damaged is renamed to index.db.bad, and
// both are built again from the files. If the file cannot be opened or written,
// because the folder is read-only, the disk is full or another program holds a lock,
// the process uses a private mirror in memory. A file that this clone did not make is
// not believed (made.go).
//
// # How it stays true
//
// When a file is read, the mirror stores what the file says by itself: its title,
// labels, links and block. What depends on other files follows from the rows alone.
// So any history of changes ends in the same tables and the same answers as a
// rebuild, to the last bit of a score. Tests hold this. The rules are:
//
//   - The parent of a memory is the nearest file above it that stands for a folder.
//     When such a file appears or goes, only the rows in its folder are placed anew.
//   - If several files claim one id, a committed file gets it before an uncommitted
//     one, and then the smaller path. The others have provisional ids until sync
//     gives them new ones.
//   - The target of a link is not stored. It is the first row for the link's key in
//     the table names, so a target that appears later is found.
//
// One writer has all rules and columns (writer.go). It looks existing rows up in the
// tables (tables.go). A mirror without rows is filled in a new file (build.go), and
// then the writer looks rows up in memory (catalog.go).
//
// One thing does not follow from the files: an emptied file keeps its old row for two
// seconds, since editors empty a file for a moment when they save.
//
// # Freshness
//
// A catch-up scans the files and compares each with the mark in its row (size, mtime,
// ctime, inode). A file that was written shortly before the scan could change again
// without another mark. It gets no mark and is read again the next time, as git does
// with racy entries. A catch-up without changes takes no write lock. Readers never
// wait for a writer (WAL). A writer checks that nobody has written since its scan, and
// scans again if somebody has.
//
//	source := store.Ports().Source
//	db, err := index.Open(path, index.Options{Source: source})
//	report, err := db.CatchUp(ctx, source, vault.Scope{}) // the rows are those of the files now
//	hits, total, err := db.Search(ctx, "lost commits", vault.ListOptions{Limit: 10})
package index
