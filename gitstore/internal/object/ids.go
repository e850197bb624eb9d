package object

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
	KindBlob   = "blob"
	KindTree   = "tree"
	KindCommit = "commit"
)

// IDs makes the ids of a repository's objects; the zero value those by SHA-1.
type IDs struct{ SHA256 bool }

// HashObject returns the id of an object: the hash of "<kind> <size>\0" and its bytes.
func (i IDs) HashObject(kind string, b []byte) string {
	h := i.newHash()
	h.Write(objectHeader(kind, len(b)))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// objectHeader returns the beginning of an object, for its hash and for its loose file.
func objectHeader(kind string, size int) []byte {
	return []byte(kind + " " + strconv.Itoa(size) + "\x00")
}

func (i IDs) newHash() hash.Hash {
	if i.SHA256 {
		return sha256.New()
	}
	return sha1.New()
}

// Len returns the length of an id in hex digits.
func (i IDs) Len() int {
	if i.SHA256 {
		return 2 * sha256.Size
	}
	return 2 * sha1.Size
}

// Zero returns the id that means no object.
func (i IDs) Zero() string { return strings.Repeat("0", i.Len()) }

// EmptyTree returns the id of the tree that holds nothing.
func (i IDs) EmptyTree() string { return i.HashObject(KindTree, nil) }
