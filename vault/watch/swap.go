package watch

import (
	"os"
	"path/filepath"
)

// swapFiles are the files that editors keep beside a file while it is open or being saved.
// * is the file's name.
var swapFiles = [...]string{
	".*.swp", ".*.swo", ".*.swn", "4913", // vim, nano
	".#*", "#*#", // emacs
	".*.kate-swp", ".~lock.*#", "*___jb_tmp___", "*___jb_old___",
}

// isOpenInEditor reports whether an editor seems to have the file open.
func isOpenInEditor(file string) bool {
	dir, base := filepath.Split(file)
	for _, form := range swapFiles {
		if _, err := os.Lstat(dir + expand(form, base)); err == nil {
			return true
		}
	}
	return false
}

func expand(form, base string) string {
	for i := range form {
		if form[i] == '*' {
			return form[:i] + base + form[i+1:]
		}
	}
	return form
}
