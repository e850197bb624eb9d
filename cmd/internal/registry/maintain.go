package registry

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Add registers the vault at a path, or that the folder there names: from then on it is in
// the families above it, whoever its files belong to.
func (f *Finder) Add(ctx context.Context, s settings.Settings, path string) (family.Project, error) {
	as := settings.Absolute(path, f.App.Place())
	if real, err := filepath.EvalSymlinks(as); err == nil {
		as = real
	}
	p, err := f.projectAt(as, s)
	if err != nil {
		return p, err
	}
	if s.Families.Registry == "" {
		return p, off()
	}
	p = spellAsListed(p, f.readRegistry(s))
	return p, f.noteProject(ctx, s, p, true, settings.LockTimeout)
}

// RegisterBelow registers the vaults in a folder and below it, and returns those that are new.
func (f *Finder) RegisterBelow(ctx context.Context, s settings.Settings, dir string) (found []family.Project, err error) {
	if s.Families.Registry == "" {
		return nil, off()
	}
	at, err := filepath.EvalSymlinks(settings.Absolute(dir, f.App.Place()))
	if err != nil {
		return nil, vault.Errorf(vault.CodeNotFound, "check the path", "there is no folder %s", dir)
	}
	found = []family.Project{}
	var entries []Entry
	for _, root := range walk(at, scanned) {
		own, err := f.Load(root, s)
		if err != nil {
			f.App.Debugf("%s: %v", root, err)
			continue
		}
		p := f.project(own)
		entries = append(entries, f.makeEntry(ctx, p))
	}
	err = registryOf(s).Update(settings.LockTimeout, func(l *List) (changed bool) {
		for _, e := range entries {
			if e.Usable() && l.Of(e.Vault) == nil {
				found = append(found, ofEntry(e))
			}
			changed = l.PutEntry(e) || changed
		}
		return changed
	})
	return found, err
}

// scanned bounds the folders that Scan looks at.
const scanned = 500_000

// Prune drops the entries whose vaults are gone, or are behind a link, and returns them.
func (f *Finder) Prune(s settings.Settings, dry bool) (gone []family.Project, err error) {
	if s.Families.Registry == "" {
		return nil, off()
	}
	gone = []family.Project{}
	l := f.readRegistry(s)
	if l.Why != nil {
		return nil, ErrUnchanged(s.Families.Registry, l.Why)
	}
	var all []family.Project
	for _, e := range l.Entries {
		all = append(all, ofEntry(e))
	}
	for i, err := range probeAll(all) { // before the lock: a disk may be slow, and is then not gone
		if isLost(all[i], err) {
			gone = append(gone, all[i])
		}
	}
	if dry {
		return gone, nil
	}
	err = registryOf(s).Update(settings.LockTimeout, func(l *List) bool {
		return l.Drop(func(e Entry) bool {
			return slices.ContainsFunc(gone, func(p family.Project) bool { return p.Vault == e.Vault }) && isLost(ofEntry(e), checkVault(ofEntry(e)))
		})
	})
	return gone, err
}

// today is the day, as the list notes it.
func (f *Finder) today() string { return f.App.Now().Format(time.DateOnly) }

// back takes the note that it is gone from each vault that is there again.
func (f *Finder) back(s settings.Settings, there []family.Project) {
	var back []string
	for _, e := range f.readRegistry(s).Entries {
		if e.Gone != "" && slices.ContainsFunc(there, func(p family.Project) bool { return p.Vault == e.Vault }) {
			back = append(back, e.Vault)
		}
	}
	f.markGone(s, back, "")
}

// markGone notes the day from which on vaults are gone, by one change of the list; empty for those
// that are there.
func (f *Finder) markGone(s settings.Settings, roots []string, gone string) {
	if len(roots) == 0 {
		return
	}
	err := registryOf(s).Update(50*time.Millisecond, func(l *List) (changed bool) {
		for i := range l.Entries {
			e := &l.Entries[i]
			if (e.Gone == "") != (gone == "") && slices.Contains(roots, e.Vault) {
				e.Gone, changed = gone, true
			}
		}
		return changed
	})
	if err != nil {
		f.App.Debugf("the list of projects: %v", err)
	}
}

func off() error {
	return vault.Errorf(vault.CodeConfig, "unset CP_REGISTRY, and take registry: false out of ~/.cp/config.yaml", "the list of projects is switched off")
}
