package vault

import (
	"crypto/sha256"
	"encoding/hex"
)

// MaxEmbedded is how many characters of a memory are embedded.
const MaxEmbedded = 32_000

// Content is what the memory says by itself, and so what a model reads of it:
// type, title and prose as "<type>: <title>\n\n<prose>", without front matter
// and without the block, which is about its children.
func (m *Memory) Content() string { return m.Type + ": " + m.Title + "\n\n" + m.Prose }

// ContentHash names Content: the first 128 bits of its SHA-256, in hex. What is
// derived from a memory's content at a price, a vector or a trigger phrase, is
// kept with it to tell when it is out of date. A new child, a label or a status
// does not change it.
func (m *Memory) ContentHash() string {
	sum := sha256.Sum256([]byte(m.Content()))
	return hex.EncodeToString(sum[:16])
}

// Embedded returns Content cut at MaxEmbedded characters.
func (m *Memory) Embedded() string {
	text, n := m.Content(), 0
	if len(text) <= MaxEmbedded {
		return text
	}
	for at := range text {
		if n++; n > MaxEmbedded {
			return text[:at]
		}
	}
	return text
}
