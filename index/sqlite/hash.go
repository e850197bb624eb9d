package sqlite

import (
	"database/sql/driver"
	"encoding/hex"
)

// Hash is a hash in hex, the way git and people write it; the tables hold its
// bytes. The empty one is an empty blob.
type Hash string

// Value returns the bytes.
func (h Hash) Value() (driver.Value, error) { return hex.AppendDecode([]byte{}, []byte(h)) }

// Hash takes the next column, the bytes of a hash.
func (r *Row) Hash() Hash { return Hash(hex.EncodeToString(r.Blob())) }
