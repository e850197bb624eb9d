package files

import (
	"path"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Leaves are the patterns of what a scan leaves out: names as *, ? and [a-z] match them.
// One without a slash before its end fits a file or folder of that name anywhere, one with
// a slash the path from the vault's top. A slash at the end means folders alone. What lies
// in a folder that fits is left out too.
type Leaves []string

// Out reports whether a pattern fits the file or a folder above it.
func (l Leaves) Out(file vault.Path) bool {
	for _, pattern := range l {
		at := file
		if strings.HasSuffix(pattern, "/") {
			at = file.Dir()
		}
		pattern = strings.TrimSuffix(pattern, "/")
		rooted := strings.Contains(pattern, "/")
		for pattern = strings.TrimPrefix(pattern, "/"); at != ""; at = at.Dir() {
			name := string(at)
			if !rooted {
				name = at.Base()
			}
			if fits, _ := path.Match(pattern, name); fits {
				return true
			}
		}
	}
	return false
}
