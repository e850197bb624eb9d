package families

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// holder is a memory found in another vault than the current one, or a folder without one.
type holder struct {
	family.Project
	vault.Node
	text string
}

// named is the holder's id, or its folder.
func (h holder) named() string { return cmp.Or(string(h.Node.ID), string(h.Node.Path)+"/") }

// lookup finds what ref names in an open vault.
type lookup func(ctx context.Context, m *app.Session, ref string) (vault.Node, error)

// memory looks for a memory.
func memory(ctx context.Context, m *app.Session, ref string) (vault.Node, error) {
	return m.Locate(ctx, ref)
}

// folder looks for a folder that has no memory yet.
func folder(ctx context.Context, m *app.Session, ref string) (vault.Node, error) {
	n, dir, err := m.Place(ctx, ref)
	if err == nil && dir != "" {
		n = vault.Node{Path: dir}
	}
	return n, err
}

// elsewhere bounds the vaults that are asked for an id that the family has not.
const elsewhere = 200

// Locate finds the vault of a memory that the current vault has not, and has the command be
// about it: s are the current vault's settings, ref is what the person typed. The error is
// CodeNotFound where no vault of the family has it; it names the project that has, and the way
// there. It is CodeAmbiguous where several have. missing is what the current vault said.
func (f *Finder) Locate(ctx context.Context, s settings.Settings, ref string, missing error) error {
	return f.locate(ctx, s, ref, memory, missing)
}

// Folder is Locate for a folder: who gives it a memory writes in the vault that it lies in.
func (f *Finder) Folder(ctx context.Context, ref string, missing error) error {
	s, err := Here(f.App)
	if err != nil || s.Root == "" {
		return missing
	}
	return f.locate(ctx, s, ref, folder, missing)
}

func (f *Finder) locate(ctx context.Context, s settings.Settings, ref string, find lookup, missing error) error {
	if f.Exact(s) {
		return missing
	}
	k := f.Known(s)
	near := f.kin(ctx, k)
	found := exactly(once(f.holding(ctx, s, near, ref, find)), ref)
	switch len(found) {
	case 0:
		return f.beyond(ctx, s, k, near, ref, find, missing)
	case 1:
		f.App.Flags.Vault = found[0].Vault
		f.App.Debugf("%s is in the project %s (%s)", ref, found[0].Name, found[0].Project.Path)
		return nil
	}
	var said []string
	for _, h := range found {
		said = append(said, fmt.Sprintf("%s in %s (%s)", h.named(), h.Name, h.Project.Path))
	}
	return vault.Errorf(vault.CodeAmbiguous, f.reach("say which", found[0].Project.Path), "'%s' is in several projects: %s", vault.Clip(ref, 80), strings.Join(said, ", "))
}

// kin returns the vaults beside the current one that are there and may have a project of the
// family that a command is about.
func (f *Finder) kin(ctx context.Context, k Known) []family.Project {
	of := k.Here
	if f.chosen != nil {
		of = *f.chosen
	}
	near := f.standing(ctx, reachable(k.near(of, f.everyone())))
	if len(near) == 0 {
		return nil
	}
	return k.others(of, near, f.everyone())
}

// beyond looks for a memory outside of the family.
func (f *Finder) beyond(ctx context.Context, s settings.Settings, k Known, near []family.Project, ref string, find lookup, missing error) error {
	found := exactly(f.holding(ctx, s, k.far(s, near), ref, find), ref)
	if len(found) == 0 {
		return missing
	}
	return f.reachThere(k.Here.Name, ref, found[0])
}

// reachThere says that a memory is outside of the family, and where.
func (f *Finder) reachThere(here, ref string, h holder) error {
	what, one := "memory", "one"
	if h.Node.ID == "" {
		what, one = "folder", "a folder"
	}
	return vault.Errorf(vault.CodeNotFound, f.reach("reach it there", h.Project.Path),
		"'%s' is no %s of %s or of a project below it; it is %s of the project %s (%s)", vault.Clip(ref, 80), what, here, one, h.Name, h.Project.Path)
}

// reach says how a project is chosen: by whom this finder serves, or else on the command line.
func (f *Finder) reach(what, path string) string {
	if f.Reach != nil {
		return f.Reach(path)
	}
	return what + ": --project " + vault.Path(path).Quoted()
}

// holding returns the vaults that have what ref names, in their order.
func (f *Finder) holding(ctx context.Context, s settings.Settings, all []family.Project, ref string, find lookup) []holder {
	all = reachable(all)
	at := make([]*holder, len(all))
	each(len(all), func(i int) {
		m, err := f.open(ctx, s, all[i])
		if err != nil {
			return
		}
		defer f.App.Close(m)
		if n, err := find(ctx, m, ref); err == nil {
			text := []byte(all[i].Path) // folders are no twins
			if n.ID != "" {
				text, _, _ = m.Store.Read(n.Path)
			}
			at[i] = &holder{all[i], n, string(text)}
		}
	})
	return held(at)
}

// held returns the holders that there are, in their order.
func held(at []*holder) (found []holder) {
	for _, h := range at {
		if h != nil {
			found = append(found, *h)
		}
	}
	return found
}

// once leaves of the same memory in several clones the first.
func once(all []holder) (out []holder) {
	for _, h := range all {
		if !slices.ContainsFunc(out, func(o holder) bool { return o.Node.ID == h.Node.ID && o.text == h.text }) {
			out = append(out, h)
		}
	}
	return out
}

// exactly leaves those whose id is what was typed, if there are any: a title of another vault
// says less.
func exactly(all []holder, ref string) []holder {
	var exact []holder
	for _, h := range all {
		if h.Node.ID.Fold() == vault.ID(ref).Fold() {
			exact = append(exact, h)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return all
}

// Missing reports whether an error says that there is no such memory.
func Missing(err error) bool {
	var e *vault.Error
	return errors.As(err, &e) && e.Code == vault.CodeNotFound
}

// Has reports whether the current vault has what ref names.
func (f *Finder) Has(ctx context.Context, s settings.Settings, ref string) (bool, error) {
	m, err := f.open(ctx, s, family.Project{Vault: s.Root})
	if err != nil {
		return false, err
	}
	defer f.App.Close(m)
	_, err = m.Locate(ctx, ref)
	if Missing(err) {
		return false, nil
	}
	return err == nil, err
}
