//go:build !linux

package gitstore

import "os"

// Committing reports whether we run in a hook of a git commit: git then names its index. Of a
// commit that is none of our ancestors nothing is known here.
func (r *Repo) Committing() bool { return os.Getenv("GIT_INDEX_FILE") != "" }
