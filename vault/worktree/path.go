package worktree

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// inVault turns a path of the repository into one of the vault.
func (s *Store) inVault(name string) (vault.Path, bool) {
	if s.prefix != "" {
		rest, ok := strings.CutPrefix(name, s.prefix+"/")
		if !ok {
			return "", false
		}
		name = rest
	}
	if !files.Plain(name) {
		return "", false
	}
	return vault.Path(name), true
}

func blobSHA1(b []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}
