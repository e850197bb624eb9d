package settings

import (
	"os"
	"path/filepath"
	"slices"
)

// Families says which vaults answer beside the one that is asked. They are the user's alone: a
// shared file could have others read what is theirs.
type Families struct {
	Exact    bool   // a project answers alone unless told otherwise
	Registry string // the file that lists the vaults of this machine; empty where there is none to be
	Global   string // the vault that answers in every project; empty for none

	mapped map[string]string // the vaults of folders, by the folder
}

// exactly is the value of projects that has each project answer alone.
const exactly = "exact"

func familiesOf(p Place, user file) Families {
	f := Families{Exact: user.Projects == exactly, mapped: user.Vaults}
	if off := user.Registry != nil && !*user.Registry || p.Env("CP_REGISTRY") == "off"; !off && home(p) != "" {
		f.Registry = filepath.Join(home(p), ".cp", "projects.yaml")
	}
	if user.Global != "" {
		f.Global = Absolute(user.Global, p)
	}
	return f
}

// Serves returns the folder that a vault serves, and so the full path of its project: where
// the user's own settings map a folder to it, that folder; else the nearest above it whose
// .cp.yaml names it; else its own. A vault on a branch of its own is not known here.
func (f Families) Serves(root string) string {
	if mapped := f.ListMappedFolders(root); len(mapped) > 0 {
		return mapped[0]
	}
	for dir := range upwards(root) {
		if _, err := os.Lstat(filepath.Join(dir, ".cp.yaml")); err == nil {
			if to, err := ReadVaultName(dir); err == nil && to == root {
				return dir
			}
		}
	}
	return root
}

// ListMappedFolders returns the folders that the user's own settings map to a vault, in order, links
// resolved.
func (f Families) ListMappedFolders(root string) (folders []string) {
	for folder, to := range f.mapped {
		to, err := filepath.EvalSymlinks(to)
		if folder, ferr := filepath.EvalSymlinks(folder); err == nil && ferr == nil && to == root {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return folders
}
