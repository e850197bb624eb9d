package index

import (
	_ "embed"
	"strings"

	"github.com/cp-memory/cp/index/code"
	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// tablesSQL makes the tables and views of an empty mirror, indexes the rest.
var (
	//go:embed schema.sql
	tablesSQL string
	//go:embed indexes.sql
	indexesSQL string
)

// indexes returns the SQL of the indexes and of what is counted.
func indexes() string {
	return indexesSQL + query.AnchorIndexes + code.Indexes + graph.Indexes + query.ChangeIndexes()
}

// schema returns the SQL of the tables, with the columns of the table of fields, what a
// memory's state is, the rule by which links are resolved, and the words that stand where
// there is no phrase.
func schema() string {
	state := strings.ReplaceAll("(held > 0) + 2 * (status <> 'closed') + 4 * "+query.IsDenied+" + 8 * ("+pending+")", "m.", "")
	return strings.NewReplacer("  -- and here the columns of the table of fields (columns.go)\n", columnTypes(), "(STATE)", "("+state+")",
		"MEANT", query.MeantTarget, "PLACEHOLDER", strings.ReplaceAll(vault.Placeholder, "'", "''")).Replace(tablesSQL) + query.AnchorTables + code.Tables + graph.Tables + query.ChangeTables
}

// schemaVersion is the mirror's PRAGMA user_version. It grows with every change of the SQL
// beside it, of the analyser or of the tables' content: a mirror of another version is not
// migrated but built again.
const schemaVersion = 48

// Schema returns the version of the mirror's file format. Programs with different versions
// replace each other's files.
func Schema() int { return schemaVersion }

// SchemaOf returns the schema version of the mirror in a file, as [sqlite.VersionOf] does.
func SchemaOf(path string) int { return sqlite.VersionOf(path) }
