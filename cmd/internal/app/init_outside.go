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
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// outside returns the top of the repository in which we stand, if the vault lies outside of
// it and it has no other one; empty otherwise. mapped reports whether the user's own
// settings say so already.
func (a *maker) outside(at site) (top string, mapped bool, err error) {
	top, err = a.GitTop(a.Dir)
	if err != nil {
		return "", false, nil
	}
	if rel, err := filepath.Rel(top, at.root); err != nil || filepath.IsLocal(rel) {
		return "", false, nil
	}
	other, err := settings.FindMappedVault(top, a.flags, a.Place())
	if err != nil {
		return "", false, err
	}
	if real, err := filepath.EvalSymlinks(other); err == nil {
		other = real
	}
	if _, above := settings.Above(a.Dir); above || other != at.root && other != "" && settings.IsVault(other) {
		return "", false, nil
	}
	if name, _, err := a.Branches.Name(top); err != nil || name != "" {
		return "", false, nil
	}
	return top, other == at.root, nil
}

// mapOutside has the user's own settings say which vault the code has in which we stand,
// if that vault lies outside. It returns the top of that code.
func (a *maker) mapOutside(at site) (string, error) {
	code, mapped, err := a.outside(at)
	if code == "" || mapped || err != nil {
		return code, err
	}
	return code, a.mapVault(code, at.root)
}

// mapVault has the user's own settings say which vault a folder has: no file that others
// pull may name a path outside.
func (a *maker) mapVault(folder, root string) error {
	name := settings.UserFile(a.flags, a.Place())
	names := func(key string) bool {
		return settings.Absolute(key, settings.Place{Dir: filepath.Dir(name), Env: a.Env}) == folder
	}
	real, err := filepath.EvalSymlinks(name)
	if to, lerr := os.Readlink(name); err != nil && lerr == nil {
		return vault.Errorf(vault.CodeConfig, "make that file or remove the link, then run `cp init` again",
			"the vault %s is made, but %s cannot be told of it: %s is a link to %s, which is not there", root, folder, name, to)
	}
	if err == nil {
		name = real
	}
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return settings.ErrUnreadable(name, err)
	}
	text, ok := withVault(string(old), folder, root, names)
	if !ok || name == "" {
		return vault.Errorf(vault.CodeConfig, "add to "+name+", below vaults: "+header.Scalar(folder)+": "+header.Scalar(root), "the vault is made, but %s cannot be told that it belongs to %s", name, folder)
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

// withVault sets a folder's line in the section vaults of a settings file, that whose key
// names the folder: everything else in it stays. ok is false if the file is of a form in
// which that cannot be done.
//
//	vaults:
//	  /home/pat/code: /home/pat/mem
func withVault(text, folder, root string, names func(key string) bool) (with string, ok bool) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return text, false
	}
	text = endLastLine(text)
	eol := prose.LineEnd([]byte(text), nil)
	lines := strings.SplitAfter(text, "\n")
	section, all := vaultsOf(doc)
	indent, set := "  ", false
	for i := 0; i+1 < len(all.Content); i += 2 {
		if key := all.Content[i]; names(key.Value) && all.Content[i+1].Value != "" {
			lines[key.Line-1], _ = header.SetValue(lines[key.Line-1], root)
			set = true
		}
	}
	if len(all.Content) > 0 {
		indent = strings.Repeat(" ", all.Content[0].Column-1)
	}
	entry := indent + header.Scalar(folder) + ": " + header.Scalar(root) + eol
	switch {
	case set:
	case section == 0:
		lines = append(lines, "vaults:"+eol+entry)
	default:
		lines = slices.Insert(lines, section, entry)
	}
	with = strings.Join(lines, "")
	return with, mapsAlso(text, with, root, names)
}

// vaultsOf finds the section vaults: its line, from 1, and what it holds. The line is 0
// if there is none.
func vaultsOf(doc yaml.Node) (line int, all yaml.Node) {
	if len(doc.Content) == 0 {
		return 0, yaml.Node{}
	}
	top := doc.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		if top[i].Value == "vaults" {
			return top[i].Line, *top[i+1]
		}
	}
	return 0, yaml.Node{}
}

// mapsAlso reports whether with maps what the settings in text map, and the named folder
// to root.
func mapsAlso(text, with, root string, names func(key string) bool) bool {
	var was, is struct{ Vaults map[string]string }
	if yaml.Unmarshal([]byte(text), &was) != nil || yaml.Unmarshal([]byte(with), &is) != nil {
		return false
	}
	named := false
	for key, value := range is.Vaults {
		switch old, there := was.Vaults[key]; {
		case names(key):
			named = value == root
		case !there || value != old:
			return false
		}
		delete(was.Vaults, key)
	}
	return named && len(was.Vaults) == 0
}
