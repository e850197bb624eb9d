package page

// Key is a key of the pages and what it does. The script gets the table from the page, and
// the help of the page is the same table.
type Key struct {
	Keys string // as they are pressed, separated by spaces
	Do   string // a word for the script
	Help string
}

// Keys returns the keys.
func Keys() []Key {
	return []Key{
		{"/", "search", "search"},
		{"j", "next", "the next line of a list"},
		{"k", "previous", "the line before it"},
		{"h", "parent", "the memory above"},
		{"e", "edit", "edit this memory"},
		{"g h", "history", "the history of this memory"},
		{"g r", "review", "what waits for a decision"},
		{"g g", "graph", "the graph around this memory"},
		{"[", "tree", "to the tree"},
		{"?", "help", "these keys"},
	}
}
