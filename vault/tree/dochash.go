package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// HashOf returns the doc hash of a memory: 64 hex digits.
func HashOf(m *vault.Memory) string {
	sum := sha256.Sum256([]byte(canonical(m)))
	return hex.EncodeToString(sum[:])
}

// HashNumber returns the first 64 bits of a doc hash, which an index can find. Of those that
// have the same one the hash decides.
func HashNumber(hash string) int64 {
	n, _ := strconv.ParseUint(hash[:min(len(hash), 16)], 16, 64)
	return int64(n)
}

// canonical returns what is hashed.
func canonical(m *vault.Memory) string {
	topic := m.Title
	if m.Untitled {
		topic = ""
	}
	var b strings.Builder
	b.WriteString(`{"context":`)
	writeJSONString(&b, strings.TrimSpace(m.Prose))
	b.WriteString(`,"decisions":`)
	writeItems(&b, m.Decisions)
	b.WriteString(`,"rationale":`)
	writeItems(&b, m.Rationale)
	b.WriteString(`,"topic":`)
	writeJSONString(&b, strings.TrimSpace(topic))
	b.WriteByte('}')
	return b.String()
}

func writeItems(b *strings.Builder, items []string) {
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		writeJSONString(b, item)
	}
	b.WriteByte(']')
}

// writeJSONString writes a JSON string. Package encoding/json escapes U+2028 and U+2029, which other
// languages do not.
func writeJSONString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		if short := strings.IndexRune("\"\\\b\f\n\r\t", r); short >= 0 {
			b.WriteByte('\\')
			b.WriteByte(`"\bfnrt`[short])
		} else if r < ' ' {
			fmt.Fprintf(b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
