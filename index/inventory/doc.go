// Package inventory lists and counts what the tables of the mirror hold, as they stand.
//
// It reads no file. [Rows] is for a comparison with the files, and [Totals] for people who
// want to know how much there is of what.
//
//	totals, err := inventory.Totals(t)
//	fmt.Println(totals.Kinds["decisions"], totals.Levels.Pending)
package inventory
