package header

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Anchor is the commit of the code that an entry tells of.
type Anchor struct {
	Commit    string `json:"commit,omitempty"`               // its full id
	CommitKey string `json:"commit_key,omitempty" batch:"-"` // a [CommitKey]; empty where nobody has seen the commit
}

// CommitKey finds a commit again whose history was rewritten. commit_key: holds it as one text,
// here of a commit of Mon, 05 Feb 2024:
//
//	1707123456 1a2b3c4d 9f86d081
//
// These are the author's time in seconds since 1970, and the beginnings of the SHA-256 of the
// author's e-mail and of the subject, in hex. A rebase keeps all three, an amended commit the
// first two. Neither the address nor the subject can be read from it.
type CommitKey struct {
	Time           int64
	Email, Subject string
}

// hashedKey is how many hex digits of a hash are kept.
const hashedKey = 8

// NewCommitKey returns the key of a commit by what it says.
func NewCommitKey(authored int64, email, subject string) CommitKey {
	return CommitKey{authored, shortHash(email), shortHash(subject)}
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:hashedKey/2])
}

// ParseCommitKey reads a key; ok is false for a text that is none.
func ParseCommitKey(text string) (k CommitKey, ok bool) {
	words := strings.Split(text, " ")
	if len(words) != 3 || !isShortHash(words[1]) || !isShortHash(words[2]) {
		return k, false
	}
	authored, err := strconv.ParseInt(words[0], 10, 64)
	if k = (CommitKey{authored, words[1], words[2]}); err != nil || k.String() != text {
		return CommitKey{}, false
	}
	return k, true
}

func isShortHash(word string) bool {
	return len(word) == hashedKey && strings.Trim(word, "0123456789abcdef") == ""
}

// String returns the text that ParseCommitKey reads.
func (k CommitKey) String() string {
	return strconv.FormatInt(k.Time, 10) + " " + k.Email + " " + k.Subject
}

// WithoutSubject returns what an amended commit keeps: the author, and the time at which they made it.
func (k CommitKey) WithoutSubject() CommitKey {
	k.Subject = ""
	return k
}
