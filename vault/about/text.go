package about

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Bounds of the texts whose lines are compared.
const (
	MaxBytes = 4 << 20
	MaxLines = 100_000
)

// SplitLines returns the lines without their ends, LF or CRLF. A last line without an end counts.
func SplitLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

// SumLines returns TEXT of a stamp: the first 16 hex digits of the SHA-256 of the lines with LF between them, and
// none behind the last one.
func SumLines(lines []string) string {
	h := sha256.New()
	for i, line := range lines {
		if i > 0 {
			h.Write([]byte{'\n'})
		}
		h.Write([]byte(line))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// IsText reports whether the lines of a blob can be bound and compared. It is not binary, by git's rule (a NUL in the
// first 8,000 bytes), and within MaxBytes and MaxLines.
func IsText(blob []byte) bool {
	if len(blob) > MaxBytes || bytes.IndexByte(blob[:min(len(blob), 8000)], 0) >= 0 {
		return false
	}
	lines := bytes.Count(blob, []byte{'\n'})
	if !bytes.HasSuffix(blob, []byte{'\n'}) {
		lines++
	}
	return lines <= MaxLines
}
