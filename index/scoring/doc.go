// Package scoring ranks the rows of one full-text index among those of several, as if all
// were in one. FTS5's bm25() knows the statistics of its own table alone, so scores of two
// tables cannot be compared. Here the statistics are added up first ([Of], [family.Sums]),
// and then each table scores its rows by the sums.
//
// Likewise, what is asked for below a memory or in a folder is ranked by the statistics of that
// place ([In]).
//
// Its promise: a row has the score that it would have in the one table, to the last bit. An
// index that is asked alone is ranked by bm25() as ever, at the same cost.
//
//	asked := scoring.Asked(question, 64)
//	sums, err := scoring.Of(t, asked.Terms()) // of this table
//	sums.Add(others)                          // and of the others
//	q, err := scoring.Ranked(t, asked, vault.ListOptions{Sums: sums})
//	t.Each(`SELECT rowid, -rank `+q.From()+` ORDER BY rank`, q.Args(), …)
package scoring
