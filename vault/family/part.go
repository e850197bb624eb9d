package family

import (
	"path"
	"strings"
)

// Part is a memory whose header makes it and all below it a project of its own: it says
// "project: NAME", and maybe "code: FOLDER" for the folder of the repository that it is about.
type Part struct {
	Name string
	Code string // as it stands there; empty for none
	File string // below the vault
}

// Project returns the part as a project. vault is the root of its vault, and top that of the
// repository. A code that leads out of the repository is none: no vault names a path outside
// of its own.
func (p Part) Project(vault, top string) Project {
	folder := strings.TrimSuffix(p.File, path.Ext(p.File))
	switch strings.ToLower(path.Base(folder)) {
	case "index", "_index", "readme":
		if dir := path.Dir(folder); dir != "." {
			folder = dir
		}
	}
	at := path.Join(vault, folder)
	if code := path.Clean(strings.ReplaceAll(p.Code, "\\", "/")); p.Code != "" && !path.IsAbs(code) && code != "." && code != ".." && !strings.HasPrefix(code, "../") {
		at = path.Join(top, code)
	}
	return Project{Name: p.Name, Path: at, Vault: vault, Part: p.File, Folder: folder}
}
