package index

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
)

// oid is a hash in hex, the way git and people write it; the tables hold its
// bytes. The empty one is an empty blob.
type oid string

// Value returns the bytes.
func (o oid) Value() (driver.Value, error) { return hex.AppendDecode([]byte{}, []byte(o)) }

// unhexed returns the bytes of a hash in hex; of anything else none.
func unhexed(hash string) string {
	b, _ := hex.DecodeString(hash)
	return string(b)
}

// Scan is the inverse of Value.
func (o *oid) Scan(column any) error {
	b, ok := column.([]byte)
	if !ok && column != nil {
		return fmt.Errorf("%T is no hash", column)
	}
	*o = oid(hex.EncodeToString(b))
	return nil
}
