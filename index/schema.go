package index

import _ "embed"

// schema makes the tables and views of an empty mirror, indexes the rest.
var (
	//go:embed schema.sql
	schema string
	//go:embed indexes.sql
	indexes string
)

// schemaVersion is the mirror's PRAGMA user_version. It grows with every change
// of the SQL beside it, of the analyser or of what is put into the tables: a mirror of
// another version is not migrated but built again.
const schemaVersion = 17

// Schema is the version of what a mirror's file holds. Programs with different
// ones replace each other's files.
func Schema() int { return schemaVersion }
