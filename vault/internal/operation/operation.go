package operation

import (
	"io"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Names makes names.
type Names struct {
	Now    func() time.Time
	Random io.Reader
}

// New returns the name of an operation that begins now.
func (n Names) New() (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(n.Random, b[:]); err != nil {
		return "", vault.Errorf(vault.CodeInternal, "", "cannot name the operation: %w", err)
	}
	return NameAt(n.Now(), header.Base32(b[:])), nil
}

const layout = "20060102T150405.000"

// NameAt returns the name of an operation from its moment and a part that no other operation
// of that moment has.
func NameAt(at time.Time, which string) string { return at.UTC().Format(layout) + "-" + which }

// MomentOf returns when an operation was named; false for what is no name.
func MomentOf(op string) (time.Time, bool) {
	at, _, _ := strings.Cut(op, "-")
	t, err := time.Parse(layout, at)
	return t, err == nil
}
