package console

// MaxLimit is the most rows that --limit may ask for, and DefaultLimit the number of rows of
// a list unless a flag says otherwise.
const (
	MaxLimit     = 1000
	DefaultLimit = 20
)
