package gitstore

import (
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// format holds the repository's settings about its own storage.
type format struct {
	bare     bool
	worktree string // core.worktree, absolute; usually empty
	ids      object.IDs
	reftable bool
	shared   bool // core.sharedRepository: other people write here, whatever the umask
	strange  bool // the native engine cannot handle it
}

// plainExtensions are those that change nothing about objects, refs or the index,
// with the only value for which that holds; empty for any.
var plainExtensions = map[string]string{
	"noop": "", "noop-v1": "", "preciousobjects": "", "worktreeconfig": "", "relativeworktrees": "",
	"objectformat": "sha1", "refstorage": "files",
}

// readFormat reads the format of the repository of a git directory.
func readFormat(own plumb.Settings, gitDir string) format {
	refs := own["extensions.refstorage"]
	f := format{
		bare:     plumb.IsTrue(own["core.bare"]),
		worktree: own["core.worktree"],
		ids:      object.IDs{SHA256: strings.EqualFold(own["extensions.objectformat"], "sha256")},
		reftable: refs != "" && !strings.EqualFold(refs, "files"),
	}
	if f.worktree != "" && !filepath.IsAbs(f.worktree) {
		f.worktree = filepath.Join(gitDir, f.worktree)
	}
	if shared := own["core.sharedrepository"]; shared != "" {
		f.shared = !contains("umask false no off 0", shared)
	}
	for key, value := range own {
		if name, ok := strings.CutPrefix(key, "extensions."); ok {
			plain, known := plainExtensions[name]
			f.strange = f.strange || !known || plain != "" && !strings.EqualFold(plain, value)
		}
		if strings.HasPrefix(key, "remote.") && strings.HasSuffix(key, ".promisor") && plumb.IsTrue(value) { // objects may be at that remote
			f.strange = true
		}
	}
	return f
}
