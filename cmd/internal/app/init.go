package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Init are the options of init.
type Init struct {
	Dir    string // as given; empty lets init choose
	Branch string `flag:"branch" help:"a <branch> of its own for the vault, beside the code's history"`
	Prefix string `flag:"prefix" help:"of new ids: 2 to 8 of a-z and 0-9, a letter first"` // empty lets init choose
	Force  bool   `flag:"force" help:"again, on an existing vault"`

	Flags settings.Flags // where the vault is to be, its project, and who writes
}

// Initialized is the outcome of init.
type Initialized struct {
	Vault   string   `json:"vault"`
	Existed bool     `json:"existed,omitempty"` // the vault was there, and a repository was told of it
	Branch  string   `json:"branch,omitempty"`  // that holds it beside the code's history
	Began   string   `json:"began,omitempty"`   // where that came from: new, local, remote, converted
	Project string   `json:"project"`
	Prefix  string   `json:"prefix"`
	Agent   string   `json:"agent"`
	GitInit bool     `json:"git_init"` // the repository is new
	Files   []string `json:"files"`    // written, relative to the top of the repository
	Commit  string   `json:"commit"`   // empty when everything was there already
	Found            // what there is to take in

	FoundFrom string `json:"found_from,omitempty"` // the code outside of which the vault lies, and which ~/.cp/config.yaml maps to it

	vault.Warned
}

// Init makes the vault. It writes nothing before everything was checked; git's
// repository comes first, then the marker and all else in one commit.
func (a *App) Init(ctx context.Context, o Init) (Initialized, error) {
	return (&maker{a, o.Flags}).make(ctx, o)
}

// maker makes a vault.
type maker struct {
	*App
	flags settings.Flags
}

func (a *maker) make(ctx context.Context, o Init) (Initialized, error) {
	if o = a.onBranch(ctx, o); o.Branch != "" {
		return a.initBranch(ctx, o)
	}
	site, err := a.site(ctx, o)
	if errors.Is(err, errConfigured) {
		return a.initAgain(ctx, o, site, err)
	}
	if err != nil {
		return Initialized{}, err
	}
	own, err := a.initSettings(ctx, o, site)
	if err != nil {
		return Initialized{}, err
	}
	if err := disk.MkdirAll(site.root, 0o777); err != nil {
		return Initialized{}, cannotMake(site.root, err)
	}
	done := Initialized{Vault: site.root, Project: own.Project, Prefix: own.Prefix, Files: []string{}}
	if site.top == "" {
		if err := a.GitInit(ctx, site.root); err != nil {
			return Initialized{}, err
		}
		site.top, done.GitInit = site.root, true
	}
	if done, err = a.commitInit(ctx, done, site, own); err == nil {
		outgrown(site)
		done.FoundFrom, err = a.mapOutside(site)
	}
	return done, err
}

// initAgain is init on a vault that is there. It maps one outside of the code in which we
// stand, if that has no other one; else the error is why, which wraps errConfigured.
func (a *maker) initAgain(ctx context.Context, o Init, at site, why error) (Initialized, error) {
	if err := a.finishInit(ctx, o, at); err != nil {
		return Initialized{}, err
	}
	code, err := a.mapOutside(at)
	if err == nil && code == "" {
		err = why
	}
	if err != nil {
		return Initialized{}, err
	}
	own, err := settings.Marker(at.root) // what is given changes no vault that is there
	return Initialized{Vault: at.root, Existed: true, Project: own.Project, Prefix: own.Prefix, Files: []string{}, FoundFrom: code}, err
}

// finishInit finishes what a killed init left: a second init says that the vault is there,
// so it has to be. An error is one of the settings; a failure here is reported by the next
// write.
func (a *maker) finishInit(ctx context.Context, o Init, at site) error {
	own, err := a.initSettings(ctx, o, at)
	if err != nil || at.top == "" {
		return err
	}
	s, err := a.Open(ctx, own)
	if err != nil {
		return nil
	}
	defer a.Close(s)
	finishLeft(ctx, s)
	return nil
}

// finishLeft finishes what a killed command left, as each lock does.
func finishLeft(ctx context.Context, s *Session) {
	if unlock, err := s.Store.Lock(ctx, "init"); err == nil {
		unlock()
	}
}

func cannotMake(dir string, err error) error {
	return vault.Errorf(vault.CodeIO, "", "cannot make the folder %s: %w", dir, disk.Cause(err))
}

// initSettings decides on project, prefix and agent: what is given, else what
// an existing vault says, else what fits the place.
func (a *maker) initSettings(ctx context.Context, o Init, at site) (settings.Settings, error) {
	own, err := settings.Personal(a.flags, a.Place())
	if err != nil {
		return own, err
	}
	old, err := settings.Marker(at.root)
	if err != nil {
		return own, err
	}
	own.Root, own.Format = at.root, old.Format
	if own.Project = cmp.Or(a.flags.Project, a.Env("CP_PROJECT"), old.Project); own.Project == "" {
		own.Project = a.projectName(ctx, at)
	}
	own.Prefix = cmp.Or(o.Prefix, old.Prefix, settings.PrefixFor(own.Project))
	if !vault.ValidPrefix(own.Prefix) {
		return own, vault.Errorf(vault.CodeInvalid, "like --prefix pf", "the prefix %q is not 2 to 8 of a-z and 0-9 with a letter first", own.Prefix)
	}
	return own, settings.CheckName("project", own.Project)
}

// projectName is the repository's name at its remote, else the folder's.
func (a *maker) projectName(ctx context.Context, at site) string {
	name := filepath.Base(at.root)
	if folder, err := at.ownerFolder(); err == nil && folder != "" {
		name = filepath.Base(folder)
	} else if at.top != "" {
		name = filepath.Base(cmp.Or(at.code, at.top))
		if url, err := a.Git(ctx, at.top, "config", "--get", "remote.origin.url"); err == nil {
			name = cmp.Or(remoteName(url), name)
		}
	}
	if settings.CheckName("project", name) != nil {
		return "memory"
	}
	return name
}
