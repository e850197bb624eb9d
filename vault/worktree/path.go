package worktree

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
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
	if !plainName(name) {
		return "", false
	}
	return vault.Path(name), true
}

// candidate reports whether a scan would look at a file of that path.
func candidate(p vault.Path) bool {
	if !p.IsMarkdown() {
		return false
	}
	for part := range strings.SplitSeq(string(p), "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	return true
}

func blobSHA1(b []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}
