package cli

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
)

// editorFile fits what editors put beside a file while they have it open or
// save it, and leave there when they crash: vim's .x.md.swp and 4913, emacs's
// .#x.md, #x.md# and x.md~, gedit's .goutputstream-X, KDE's x.md.part, JetBrains'
// x.md___jb_tmp___, Word's ~$x.
var editorFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\..+\.sw[a-z]|4913|\.#.+|#.+#|.+~|\.goutputstream-.+|.+\.md\.part|.+___jb_(?:tmp|old)___|~\$.+)$`)
})

// checkEditors finds what editors keep or left in the vault. cp never takes any
// of it for a memory.
func checkEditors(root string) vault.Check {
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // the contents have a check for what cannot be read
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return fs.SkipDir
		case !d.IsDir() && editorFile().MatchString(d.Name()):
			rel, _ := filepath.Rel(root, path)
			found = append(found, rel)
		}
		return nil
	})
	switch {
	case err != nil:
		return failed("editor_files", err)
	case len(found) == 0:
		return vault.Check{Check: "editor_files", Severity: sevOK, Evidence: "no swap, lock or backup files of editors"}
	}
	shown := found[:min(len(found), 5)]
	return vault.Check{
		Check: "editor_files", Severity: sevInfo,
		Evidence: fmt.Sprintf("%s that editors keep or left, and cp passes over: %s", counted(len(found), "file", "files"), strings.Join(shown, ", ")),
		Fix:      "close the editor; what is left of one that crashed, look at and delete",
	}
}
