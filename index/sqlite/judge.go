package sqlite

import (
	"errors"
	"os"

	"github.com/mattn/go-sqlite3"
)

var (
	// ErrVersion is found where another version of the program made the file.
	ErrVersion = errors.New("the index has another schema version")

	// ErrDamaged is found where the rows are not what we wrote.
	ErrDamaged = errors.New("the index is damaged")

	// ErrSwapped is met where another file has taken the place of the one that is open.
	ErrSwapped = errors.New("the index was replaced by another process")
)

// Verdict is what an error says about a file.
type Verdict int

const (
	Fine    Verdict = iota // nothing: the error, if any, is not the file's
	Damaged                // it has to be made again
	Blocked                // it is sound but cannot be used now
)

// Judge tells damage from a lock. A file that is only locked or read-only is
// never set aside: two programs would take turns throwing sound ones away.
func Judge(err error) Verdict {
	var e sqlite3.Error
	switch {
	case errors.Is(err, ErrVersion), errors.Is(err, ErrDamaged):
		return Damaged
	case errors.Is(err, ErrSwapped):
		return Blocked
	case !errors.As(err, &e):
		if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
			return Blocked
		}
		return Fine
	case e.ExtendedCode == sqlite3.ErrIoErrShortRead:
		return Damaged
	}
	switch e.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrConstraint, sqlite3.ErrMismatch, sqlite3.ErrFormat, sqlite3.ErrError, sqlite3.ErrSchema, sqlite3.ErrTooBig, sqlite3.ErrNomem:
		// Our statements are fixed and tested, so a constraint that fails, a table
		// that is missing (ErrError) or a row of a gigabyte was not of our making either, nor is one
		// for which there is no memory (ErrNomem).
		return Damaged
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrReadonly, sqlite3.ErrIoErr, sqlite3.ErrFull, sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrProtocol, sqlite3.ErrAuth:
		return Blocked
	}
	return Fine
}

// Busy reports whether err is that of a file that another process has locked.
func Busy(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked)
}

// IsSwapped reports whether err is the error of a connection whose file another process
// deletes or sets aside at that moment: a new connection then works. A broken disk gives
// the same codes, so tries have to be bounded.
func IsSwapped(err error) bool {
	var e sqlite3.Error
	return errors.Is(err, ErrSwapped) || errors.Is(err, os.ErrNotExist) || errors.As(err, &e) && (e.Code == sqlite3.ErrIoErr || e.Code == sqlite3.ErrProtocol || e.Code == sqlite3.ErrCantOpen)
}
