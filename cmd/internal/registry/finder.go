package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/family"
)

// About says what a command is about, as it was asked for. It is a value: a command about
// something else has another one.
type About struct {
	Flags settings.Flags
	Of    *family.Project // the project that --project named, or that a face knows; nil leaves it to the vault and the folder
}

// AboutVault is the same about a vault.
func (a About) AboutVault(root string) About {
	a.Flags = a.Flags.ForVault(root)
	return a
}

// In is the same about a project that is known.
func (a About) In(p family.Project) About {
	a.Of, a.Flags = &p, a.Flags.ForVault(p.Vault)
	if a.isAboutAll() {
		a.Flags = a.Flags.ForProject("")
	}
	return a
}

// isAboutAll reports whether all projects are asked.
func (a About) isAboutAll() bool { return a.Flags.Project == All }

// Exact reports whether the project answers alone, with the settings of the current vault.
func (a About) Exact(s settings.Settings) bool { return a.Flags.Exact || s.Families.Exact }

// Finder finds the projects of a command. What it has looked up holds for the whole command.
type Finder struct {
	App *app.App
	About

	*lookups
}

// lookups are what was looked up once.
type lookups struct {
	once sync.Once
	list List // of the registry

	ignores map[string]func(dir string) string // by the top of a work tree: see [app.App.IgnoredFolders]; nil is a failure
	tops    map[string]apart                   // by the top of a work tree: whether that stands apart
	trees   checkouts                          // around the folders that were looked at
	found   map[string][]family.Project        // by a project's path: the vaults below it that were found without the list
}

// New returns the finder of a command, which a runs.
func New(a *app.App, about About) *Finder {
	return &Finder{a, about, &lookups{tops: map[string]apart{}, trees: checkouts{}}}
}

// For returns the finder of the same command once more is known of what it is about.
func (f *Finder) For(about About) *Finder { return &Finder{f.App, about, f.lookups} }

// All is the value of --project that means every registered project.
const All = "all"

// Known are the projects of a machine, as far as they are known without opening a vault.
type Known struct {
	Rules    family.Rules
	Projects []family.Project // in the order of the registry; the current vault's is among them
	Here     family.Project   // of the current vault
	Warnings []string
}

// registryOf returns the registry of the settings.
func registryOf(s settings.Settings) Registry { return Registry{Path: s.Families.Registry} }

// readRegistry reads the registry, once a command.
func (f *Finder) readRegistry(s settings.Settings) List {
	f.once.Do(func() { f.list = registryOf(s).Read() })
	return f.list
}

// FindKnown returns the projects that are known. s are the settings of the current vault; without
// a Root there is none.
func (f *Finder) FindKnown(s settings.Settings) Known {
	k := f.FindListed(s)
	k.Projects = append(f.findUnlisted(k, s), k.Projects...)
	return k.global(f, s)
}

// FindListed returns the projects on the list, and the current one. It looks for no others.
func (f *Finder) FindListed(s settings.Settings) Known {
	k := Known{}
	if s.Root != "" {
		k.Here = f.project(s)
		if folds(k.Here.Path) {
			k.Rules.Fold = strings.ToLower
		}
	}
	if s.Families.Registry != "" {
		l := f.readRegistry(s)
		if l.Why != nil {
			k.Warnings = append(k.Warnings, s.Families.Registry+": "+l.Why.Error()+"; what it does not tell, no family has")
		}
		for _, e := range l.Entries {
			if e.Vault != s.Root && !(s.Root != "" && k.Rules.Fold != nil && k.Rules.IsSamePath(e.Vault, s.Root)) {
				k.Projects = append(k.Projects, ofEntry(e))
			}
		}
	}
	if s.Root != "" {
		k.Projects = append(k.Projects, k.Here)
	}
	return k
}

// global adds the vault that is in every family, or marks it. One that is not there is told:
// its owner has named it.
func (k Known) global(f *Finder, s settings.Settings) Known {
	if s.Families.Global == "" {
		return k
	}
	p, err := f.everywhere(s)
	switch {
	case err != nil:
		k.Warnings = append(k.Warnings, "the global vault "+s.Families.Global+" does not answer: "+err.Error())
	case p.Vault == s.Root:
	default:
		at := slices.IndexFunc(k.Projects, func(o family.Project) bool { return o.Vault == p.Vault })
		if at < 0 {
			k.Projects, at = append(k.Projects, p), len(k.Projects)
		}
		k.Projects[at].Global = true
	}
	return k
}

// everywhere returns the project of the global vault.
func (f *Finder) everywhere(s settings.Settings) (family.Project, error) {
	type answer struct {
		family.Project
		err error
	}
	a, ok := inTime(func() (a answer) {
		root, err := filepath.EvalSymlinks(s.Families.Global)
		if err == nil {
			err = checkVault(family.Project{Vault: root})
		}
		switch {
		case errors.Is(err, errGone) || errors.Is(err, fs.ErrNotExist):
			a.err = errors.New("there is no vault")
		case err != nil:
			a.err = disk.Cause(err)
		case root == s.Root:
			a.Vault = root
		default:
			var own settings.Settings
			if own, a.err = f.Load(root, s); a.err == nil {
				a.Project = f.project(own)
			}
		}
		return a
	})
	if !ok {
		a.err = errSlow
	}
	return a.Project, a.err
}

// ofEntry is an entry as a project.
func ofEntry(e Entry) family.Project {
	p := family.Project{Name: e.Name, Path: e.Path, Vault: e.Vault}
	if p.Joins = e.Added; !p.Joins {
		p.Apart, p.Within = e.Apart, e.Within
	}
	return p
}

// project returns the project of a vault that is there.
func (f *Finder) project(s settings.Settings) family.Project {
	return family.Project{Name: s.Project, Path: f.serves(s), Vault: s.Root}
}

// serves returns the folder that a vault serves: of one on a branch of its own the top of the
// code's main work tree.
func (f *Finder) serves(s settings.Settings) string {
	if info, err := os.Lstat(filepath.Join(s.Root, ".git")); err == nil && info.Mode().IsRegular() && f.App.Branches != nil {
		if _, root, err := f.App.Branches.Name(s.Root); err == nil && root == s.Root {
			if common := checkoutOf(s.Root).common; filepath.Base(common) == ".git" {
				return filepath.Dir(common)
			}
		}
	}
	return s.Families.Serves(s.Root)
}
