package registry

import (
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/family"
)

// AboutProject returns the project that a command is about, of those in the current vault unless it
// was named.
func (f *Finder) AboutProject(k Known, held []family.Project) family.Project {
	switch {
	case f.Of != nil:
		return *f.Of
	case f.Flags.Vault == "" && f.App.Env("CP_VAULT") == "":
		return f.currentIn(k, held)
	}
	return k.Here
}

// Lone reports whether no vault but the current one can answer, as far as is known without
// opening any.
func (f *Finder) Lone(s settings.Settings) bool {
	if f.Exact(s) {
		return true
	}
	k := f.FindKnown(s)
	return len(k.Near(k.Here, f.isAboutAll())) == 0
}
