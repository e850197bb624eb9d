package gitstore

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"
)

// The kinds of objects, as git names them.
const (
	kindBlob   = "blob"
	kindTree   = "tree"
	kindCommit = "commit"
)

// BlobID returns git's object id of b as a blob.
func (r *Repo) BlobID(b []byte) string { return r.objectID(kindBlob, b) }

// objectID returns the id of an object: the hash of "<kind> <size>\0" and its bytes.
func (r *Repo) objectID(kind string, b []byte) string {
	h := r.newHash()
	h.Write([]byte(kind + " " + strconv.Itoa(len(b)) + "\x00"))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

func (r *Repo) newHash() hash.Hash {
	if r.format.sha256 {
		return sha256.New()
	}
	return sha1.New()
}

// idLen is the length of an id in hex digits.
func (r *Repo) idLen() int {
	if r.format.sha256 {
		return 2 * sha256.Size
	}
	return 2 * sha1.Size
}

// zeroID is the id that stands for no object.
func (r *Repo) zeroID() string { return strings.Repeat("0", r.idLen()) }

// isHex reports whether s is an id's worth of lower-case hex digits.
func isHex(s string) bool {
	return (len(s) == 2*sha1.Size || len(s) == 2*sha256.Size) && strings.Trim(s, "0123456789abcdef") == ""
}
