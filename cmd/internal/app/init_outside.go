package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// outside returns the top of the repository in which we stand, if the vault lies outside of
// it and it has no vault yet; empty otherwise.
func (a *App) outside(at site) string {
	top, err := a.GitTop(a.Dir)
	if err != nil {
		return ""
	}
	if rel, err := filepath.Rel(top, at.root); err != nil || filepath.IsLocal(rel) {
		return ""
	}
	other, err := settings.Mapped(top, a.Flags, a.Place())
	if _, above := settings.Above(a.Dir); err != nil || above || other == at.root || other != "" && settings.Marked(other) {
		return ""
	}
	if name, _, err := a.Branches.Name(top); err != nil || name != "" {
		return ""
	}
	return top
}

// mapVault has the user's own settings say which vault a folder has: no file that others
// pull may name a path outside.
func (a *App) mapVault(folder, root string) error {
	name := settings.UserFile(a.Flags, a.Place())
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sourceError(name, err)
	}
	text, ok := withVault(string(old), folder, root)
	if !ok || name == "" {
		return vault.Errorf(vault.CodeConfig, "add to "+name+", below vaults: "+scalar(folder)+": "+scalar(root), "the vault is made, but %s cannot be told that it belongs to %s", name, folder)
	}
	untold := func(err error) error {
		return vault.Errorf(vault.CodeIO, "make that possible and run `cp init` again, or name the vault with --vault or CP_VAULT",
			"the vault %s is made, but %s cannot be told of it: cannot write %s: %w", root, folder, name, disk.Cause(err))
	}
	if err := disk.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return untold(err)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	if err := disk.ReplaceSync(name, []byte(text), mode); err != nil {
		return untold(err)
	}
	return nil
}

// withVault adds a line to the section vaults of a settings file: everything else in it
// stays. ok is false if the file is of a form in which that cannot be done.
//
//	vaults:
//	  /home/pat/code: /home/pat/mem
func withVault(text, folder, root string) (with string, ok bool) {
	entry := scalar(folder) + ": " + scalar(root) + "\n"
	lines := strings.SplitAfter(closed(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "vaults:") })
	if at < 0 {
		lines = append(lines, "vaults:\n  "+entry)
	} else {
		first := lines[min(at+1, len(lines)-1)]
		indent := first[:len(first)-len(strings.TrimLeft(first, " "))]
		if indent == "" {
			indent = "  "
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, indent+scalar(folder)+": ") })
		lines = slices.Insert(lines, at+1, indent+entry)
	}
	with = strings.Join(lines, "")
	var was, is struct{ Vaults map[string]string }
	if yaml.Unmarshal([]byte(text), &was) != nil || yaml.Unmarshal([]byte(with), &is) != nil || is.Vaults[folder] != root {
		return text, false
	}
	for key, value := range was.Vaults {
		ok = is.Vaults[key] == value || key == folder
		if !ok {
			return text, false
		}
	}
	return with, true
}
