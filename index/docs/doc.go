// Package docs writes the rows of the full-text indexes, and keeps the totals by which FTS5
// ranks.
//
// The rows hold no text: FTS5 knows the terms alone. What is written is gathered in a
// [Batch] and flushed at once, and what a deleted row had is taken out of the totals, which
// FTS5 itself never does.
//
//	var b docs.Batch
//	b.Drop(17)
//	b.Add(t, docs.Row{N: 17, Columns: columns})
//	b.Flush(t)
package docs
