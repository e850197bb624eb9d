package index

import _ "embed"

// schema makes an empty mirror.
//
//go:embed schema.sql
var schema string

// schemaVersion is the mirror's PRAGMA user_version. It grows with every change
// of schema.sql, of the analyser or of what is put into the tables: a mirror of
// another version is not migrated but built again.
const schemaVersion = 9

// Schema is the version of what a mirror's file holds. Programs with different
// ones replace each other's files.
func Schema() int { return schemaVersion }
