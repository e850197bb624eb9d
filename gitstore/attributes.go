package gitstore

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// hasNoConversion reports that no attribute can make git convert one of the files:
// none of the attribute files that could be meant for them has such a word in
// it. Where one has, only git can tell, and likewise where its files are not in
// their usual places.
func (r *Repo) hasNoConversion(s plumb.Settings, staged func(name string) bool, paths []string) bool {
	outer, ok := r.OuterAttributes(s)
	if !ok {
		return false
	}
	for _, file := range outer {
		if found, ok := harmless(file); found && !ok {
			return false
		}
	}
	for folder := range foldersOf(paths) {
		name := path.Join(folder, ".gitattributes")
		found, ok := harmless(filepath.Join(r.Top(), filepath.FromSlash(name)))
		if found && !ok {
			return false
		}
		if !found && staged(name) {
			return false // git then takes it from the index
		}
	}
	return true
}

// OuterAttributes returns the files of attributes outside of the work tree: the system's, the person's own
// (core.attributesFile) and the repository's. ok is false where they are not in their usual places.
func (r *Repo) OuterAttributes(s plumb.Settings) (files []string, ok bool) {
	dir := plumb.SystemDir()
	if dir == "" {
		return nil, false
	}
	personal := filepath.Join(plumb.PersonalDir(os.Getenv), "attributes")
	if named := s["core.attributesfile"]; named != "" {
		if !filepath.IsAbs(named) {
			return nil, false
		}
		personal = named
	}
	return []string{filepath.Join(dir, "gitattributes"), personal, filepath.Join(r.CommonDir(), "info", "attributes")}, true
}

// foldersOf returns the folders of the paths and all above them, the top as ".".
func foldersOf(paths []string) map[string]bool {
	folders := map[string]bool{".": true}
	for _, p := range paths {
		for dir := p; dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true // p itself, too: a folder may move
		}
	}
	return folders
}

// harmless looks through a file of attributes for words that may mean a
// conversion. A macro may hide one.
func harmless(file string) (found, ok bool) {
	info, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) || sysfile.IsNotDir(err) {
		return false, true
	}
	if err != nil || !info.Mode().IsRegular() {
		return true, false
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return true, false
	}
	for _, word := range append([]string{"binary", "[attr]"}, converting...) {
		if bytes.Contains(text, []byte(word)) {
			return true, false
		}
	}
	return true, true
}
