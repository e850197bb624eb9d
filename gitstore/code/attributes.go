package code

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
)

// mayHave reports whether one of the files of attributes that hold for a path has the word in
// it, or a macro, which may hide it. Most repositories have none, and git need not be asked.
func (f files) mayHave(ctx context.Context, name, attribute string) bool {
	s, err := f.repo.Settings(ctx)
	all, ok := f.repo.OuterAttributes(s)
	if err != nil || !ok {
		return true
	}
	for _, file := range append(all, f.innerAttributes(name)...) {
		text, err := os.ReadFile(file)
		if err == nil && (bytes.Contains(text, []byte(attribute)) || bytes.Contains(text, []byte("[attr]"))) {
			return true
		}
	}
	return false
}

// innerAttributes returns the files of attributes in the folders above a path.
func (f files) innerAttributes(name string) (all []string) {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		all = append(all, filepath.Join(f.top, filepath.FromSlash(dir), ".gitattributes"))
		if dir == "." || dir == "/" {
			return all
		}
	}
}
