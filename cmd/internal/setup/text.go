package setup

import (
	"crypto/sha256"
	_ "embed" // the texts
	"encoding/hex"
	"strings"
)

// opencodeText is opencode's plugin, but for the command and the events.
//
//go:embed text/opencode.js
var opencodeText string

// digest tells one text from another.
func digest(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:6])
}

// QuotePath is a path as a shell reads it.
func QuotePath(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@%:,", r))
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
