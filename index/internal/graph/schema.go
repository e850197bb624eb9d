package graph

import _ "embed"

// Tables makes the tables and views of the graph, and Indexes its indexes, which a rebuild
// makes after the rows.
var (
	//go:embed graph.sql
	Tables string
	//go:embed indexes.sql
	Indexes string
)
