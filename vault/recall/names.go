package recall

import (
	"strings"

	"github.com/cp-memory/cp/vault"
)

// projectFolders returns for each member the folders below the topmost project that is asked in which its
// own lies, as "a/b/": the parts of a vault answer as it would.
func projectFolders(members []Member) []string {
	paths, top := make([]string, len(members)), ""
	for i := range members {
		if paths[i] = members[i].From("").ProjectPath; i == 0 || len(paths[i]) < len(top) {
			top = paths[i]
		}
	}
	for i := range paths {
		if below, ok := strings.CutPrefix(paths[i], top+"/"); ok {
			paths[i] = below + "/"
		} else {
			paths[i] = ""
		}
	}
	return paths
}

// pathWords are the names of a path as words.
func pathWords(path vault.Path) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("/-_.", c) {
			return ' '
		}
		return c
	}, string(path))
}
