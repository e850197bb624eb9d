package pointer

import (
	"errors"
	"fmt"
	"strings"
)

// The faults of a block. Find wraps one of them in a [Damage].
var (
	ErrJSON     = errors.New("invalid sub-memories JSON")
	ErrUnclosed = errors.New("sub-memories block: missing closing marker " + End)
	ErrReversed = errors.New("sub-memories block: closing marker without an opening one before it")
	ErrSeveral  = errors.New("sub-memories block: several blocks or stray markers")
	ErrShown    = errors.New("sub-memories block: an entry holds -->, which ends the comment around it")
	ErrConflict = errors.New("sub-memories block: git conflict markers inside")

	// ErrHidden is returned by the writers when the prose ends inside an unclosed
	// code fence or HTML comment, which would swallow a block put after it.
	ErrHidden = errors.New("the text ends inside an unclosed code fence or HTML block, which would hide the sub-memories block")
)

// errUnclosedHidden is ErrUnclosed in the words for a hidden block.
var errUnclosedHidden = worded{ErrUnclosed, "sub-memories block: missing closing marker " + HiddenEnd}

// worded is an error of a class with words of its own.
type worded struct {
	class error
	words string
}

func (w worded) Error() string { return w.words }
func (w worded) Unwrap() error { return w.class }

// Damage is a block that cannot be read, or not without guessing.
type Damage struct {
	Err    error  // one of the errors above
	Line   int    // 1-based, in the content
	Detail string // may be empty
}

// Error returns the sentence with the line in front.
func (d *Damage) Error() string {
	if d.Detail == "" {
		return fmt.Sprintf("line %d: %v", d.Line, d.Err)
	}
	return fmt.Sprintf("line %d: %v: %s", d.Line, d.Err, d.Detail)
}

// Unwrap returns the class.
func (d *Damage) Unwrap() error { return d.Err }

// newDamage returns the damage err at a byte of the content.
func newDamage(err error, content string, at int) *Damage {
	return &Damage{Err: err, Line: lineAt(content, at)}
}

// lineAt returns the 1-based line of the byte at.
func lineAt(content string, at int) int {
	return 1 + strings.Count(content[:min(at, len(content))], "\n")
}

// conflictLine reports whether line is one of git's conflict markers.
func conflictLine(line string) bool {
	line = strings.TrimRight(line, "\r\n")
	for _, mark := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}
