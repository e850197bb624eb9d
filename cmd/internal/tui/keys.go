package tui

// Key is a row of the table of keys.
type Key struct {
	Keys string // as a person reads them
	Does string
}

// Keys returns what the keys do, in the order in which the help lists them.
func Keys() []Key {
	return []Key{
		{"↑ ↓ j k", "go up and down"},
		{"PgUp PgDn", "a page up and down"},
		{"gg G", "to the first item, to the last one"},
		{"Tab", "from observations to promotions, and back"},
		{"Enter", "all details; it never decides"},
		{"o", "all sessions and sources, and the whole text"},
		{"a", "approve; where the thresholds are met it gets the place that is shown"},
		{"d", "deny"},
		{"s", "skip: decide nothing, go on"},
		{"m", "merge it into the nearest memory; asks first"},
		{"e", "edit the text first, in your editor; where the code has changed that confirms it, too"},
		{"c", "confirm: it is right about its code as it is now"},
		{"b", "unbind it from the code that is gone, or else has changed"},
		{"x", "resolve: close it, since it holds no more"},
		{"p", "choose another parent by typing"},
		{"w", "write the trigger phrase: when one needs it"},
		{"r", "write the reason of a denial, or why it holds no more"},
		{"u", "take back the last decision that was made on this screen"},
		{"/", "filter the list by words"},
		{"Space", "mark"},
		{"A D", "approve or deny what is marked; shows a plan and asks"},
		{"l", "what is left over in agents' files, with the command that takes it out"},
		{"?", "these keys"},
		{"q Esc", "back, and at last out; what was decided stays"},
		{"Ctrl+C", "out at once"},
	}
}

// hints are the keys that the last line of a screen names, by importance.
var hints = map[screen][]string{
	browsing: {"a approve", "d deny", "s skip", "Enter details", "u undo", "e edit", "m merge", "p parent", "/ filter", "Space mark", "Tab other list"},
	reading:  {"a approve", "d deny", "s skip", "Enter back", "u undo", "e edit", "m merge", "p parent", "o sources"},
	sourcing: {"↑ ↓ scroll", "Esc back"},
	helping:  {"↑ ↓ scroll", "Esc back"},
	listing:  {"↑ ↓ scroll", "Esc back"},
	typing:   {"Enter keep", "Esc cancel"},
	choosing: {"type words", "↑ ↓ choose", "Enter keep", "Esc cancel"},
	asking:   {"y yes", "n no", "↑ ↓ scroll"},
	copying:  {"y write", "n no", "1-9 choose files", "↑ ↓ scroll"},
}

// always are named behind the hints of a screen on which they are keys.
var always = map[screen][]string{browsing: {"? keys", "q quit"}, reading: {"? keys", "q back"}}
