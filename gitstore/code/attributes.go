package code

import (
	"bytes"
	"os"
	"path"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// mayHave reports whether one of the files of attributes that hold for a path has the word in
// it, or a macro, which may hide it. Most repositories have none, and git need not be asked.
func (f files) mayHave(name, attribute string) bool {
	for _, file := range f.attributeFiles(name) {
		text, err := os.ReadFile(file)
		if err == nil && (bytes.Contains(text, []byte(attribute)) || bytes.Contains(text, []byte("[attr]"))) {
			return true
		}
	}
	return false
}

// attributeFiles are the files of attributes that may hold for a path.
func (f files) attributeFiles(name string) (all []string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		all = append(all, filepath.Join(f.top, filepath.FromSlash(dir), ".gitattributes"))
		if dir == "." || dir == "/" {
			break
		}
	}
	return append(all, filepath.Join(f.repo.CommonDir(), "info", "attributes"),
		filepath.Join(plumb.PersonalDir(os.Getenv), "attributes"), filepath.Join(plumb.SystemDir(), "gitattributes"))
}
