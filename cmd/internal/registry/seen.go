package registry

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// spellAsListed returns the project of a vault as the list spells its path, where the file system
// takes upper and lower case for one: how it was typed today makes no second project.
func spellAsListed(p family.Project, l List) family.Project {
	if l.Of(p.Vault) != nil || !folds(p.Path) {
		return p
	}
	for _, e := range l.Entries {
		if strings.EqualFold(e.Vault, p.Vault) && strings.EqualFold(e.Path, p.Path) {
			p.Path, p.Vault = e.Path, e.Vault
		}
	}
	return p
}

// NoteSeen notes in the registry that a command was run in a vault: where that is new there, or
// has changed, and once a day. Whatever stands in the way is told with --debug only.
func (f *Finder) NoteSeen(ctx context.Context, s settings.Settings) {
	if s.Families.Registry == "" || s.Root == "" {
		return
	}
	l := f.readRegistry(s)
	p, today := spellAsListed(f.project(s), l), f.today()
	e := l.Of(p.Vault)
	if l.Why != nil || e != nil && e.Path == p.Path && e.Name == p.Name && e.Seen == today && e.Gone == "" {
		return
	}
	wait := 50 * time.Millisecond
	if e == nil { // a day that is not noted is nothing, a vault that is not there is missed
		wait = 2 * time.Second
	}
	_ = f.noteProject(ctx, s, p, false, wait) // told with --debug
}

// noteProject puts a project into the
func (f *Finder) noteProject(ctx context.Context, s settings.Settings, p family.Project, added bool, wait time.Duration) error {
	e := f.makeEntry(ctx, p)
	e.Added = added
	if !e.Usable() {
		return vault.Errorf(vault.CodeInvalid, "rename the folder", "the list of projects cannot hold the path %q", e.Path)
	}
	err := registryOf(s).Update(wait, func(l *List) bool { return l.PutEntry(e) })
	if err != nil {
		f.App.Debugf("the list of projects: %v", err)
	}
	return err
}

// makeEntry is the line of a project in whose vault a command is run now.
func (f *Finder) makeEntry(ctx context.Context, p family.Project) Entry {
	e := Entry{Path: p.Path, Name: p.Name, Vault: p.Vault, Seen: f.today()}
	e.Apart, e.Within = f.whyApart(ctx, p.Path, p.Vault)
	return e
}

// NoteNewVault notes a vault that init has made. It returns what there is to tell: that the vault stands
// apart from a project above it.
func (f *Finder) NoteNewVault(ctx context.Context, root string) (told []string) {
	s, err := f.Load(root, settings.Settings{Families: settings.Families{}})
	if err != nil {
		return nil
	}
	f.NoteSeen(ctx, s)
	if self, above, ok := f.From(ctx, s); ok {
		told = append(told, self.below(above))
	}
	return told
}
