package families

import (
	"context"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/past"
)

// backward are the commands about memories that may be gone.
var backward = []string{"restore", "log", "diff", "blame"}

// Elsewhere has a command be about the vault of the family that has the memories which it
// names, and the current vault lacks. missing is what the current vault said, and the error
// where no vault of the family has them; where another one has, the error names it, and the
// way there. verb is the command's name.
func (f *Finder) Elsewhere(ctx context.Context, verb string, refs []string, missing error) error {
	s, err := Here(f.App)
	if err != nil || s.Root == "" {
		return missing
	}
	here, err := f.Has(ctx, s, refs[0])
	switch {
	case err != nil:
		return missing
	case here:
		return f.split(ctx, s, verb, refs, missing)
	}
	err = f.Locate(ctx, s, refs[0], missing)
	switch {
	case err == missing && slices.Contains(backward, verb):
		return f.gone(ctx, s, refs[0], missing)
	case err != nil:
		return err
	}
	if s, err = Here(f.App); err != nil { // of the vault that has the first
		return err
	}
	return f.split(ctx, s, verb, refs, nil)
}

// Batch is the name of the verb of many lines.
const Batch = "batch"

// Batched explains why a batch whose lines name the memories refs lacks one of them: it is in
// another vault. A batch is not taken there: its other lines may be about this one.
func (f *Finder) Batched(ctx context.Context, refs []string, missing error) error {
	s, err := Here(f.App)
	if err != nil || s.Root == "" {
		return missing
	}
	return f.split(ctx, s, Batch, append([]string{""}, refs...), missing)
}

// split explains why a verb about several memories finds only the first of them: another one
// is in another vault, and no verb writes in two. It returns missing where that is not why.
func (f *Finder) split(ctx context.Context, s settings.Settings, verb string, refs []string, missing error) error {
	k := f.Known(s)
	for _, other := range refs[1:] {
		if here, err := f.Has(ctx, s, other); err != nil || here {
			continue
		}
		found := exactly(f.holding(ctx, s, k.far(s, nil), other, memory), other)
		if len(found) == 0 {
			return missing
		}
		h := found[0]
		why, hint := two(verb, refs[0], h, vault.Path(k.Here.Path).Quoted())
		if f.Reach != nil {
			hint = f.Reach(h.Project.Path)
		}
		return vault.Errorf(vault.CodeRefused, hint, "'%s' is in the project %s (%s), another vault: %s", vault.Clip(other, 80), h.Name, h.Project.Path, why)
	}
	return missing
}

// two says why a verb is refused about memories of two vaults, and the way to do it.
func two(verb, ref string, h holder, from string) (why, hint string) {
	to := vault.Path(h.Project.Path).Quoted()
	switch verb {
	case "move":
		return "memories are not moved between vaults",
			fmt.Sprintf("cp memory import \"$(cp memory path %s --project %s)\" --under %s --project %s && cp memory delete %s --project %s", ref, from, h.Node.ID, to, ref, from)
	case "supersede":
		return "no memory supersedes one of another vault",
			fmt.Sprintf("cp memory resolve %s --resolution \"Superseded by %s in %s\"", ref, h.Node.ID, h.Name)
	}
	if verb == Batch {
		return "a batch writes in one vault", "cp memory batch --project " + to + ", with the lines about that one"
	}
	return "one command writes in one vault", fmt.Sprintf("cp memory %s %s --project %s", verb, h.Node.ID, to)
}

// far returns the vaults beside the current one and those of near, as many as are asked.
func (k Known) far(s settings.Settings, near []family.Project) (far []family.Project) {
	for _, p := range k.Projects {
		if p.Vault != s.Root && len(far) < elsewhere && !slices.ContainsFunc(near, func(n family.Project) bool { return n.Vault == p.Vault }) {
			far = append(far, p)
		}
	}
	return far
}

// gone has a command be about the vault of the family that once had a memory.
func (f *Finder) gone(ctx context.Context, s settings.Settings, ref string, missing error) error {
	if f.Exact(s) {
		return missing
	}
	k := f.Known(s)
	near := f.kin(ctx, k)
	for i, p := range append(near, reachable(k.far(s, near))...) {
		if !f.had(ctx, s, p, ref) {
			continue
		}
		if i < len(near) {
			f.App.Flags.Vault = p.Vault
			return nil
		}
		return vault.Errorf(vault.CodeNotFound, f.reach("reach it there", p.Path),
			"'%s' was no memory of %s or of a project below it; it was one of the project %s (%s)", vault.Clip(ref, 80), k.Here.Name, p.Name, p.Path)
	}
	return missing
}

// had reports whether a vault once had a memory.
func (f *Finder) had(ctx context.Context, s settings.Settings, p family.Project, ref string) bool {
	m, err := f.open(ctx, s, p)
	if err != nil {
		return false
	}
	defer f.App.Close(m)
	log, err := m.History().Log(ctx, past.Log{Ref: ref, Limit: 1})
	return err == nil && len(log) > 0
}

// Beyond refuses an observation whose text is the id of a memory that is neither the current
// vault's nor one of a project below: it would be taken for a text.
func (f *Finder) Beyond(ctx context.Context, s settings.Settings, text string) error {
	id := vault.ID(text)
	if !id.Drawn("") {
		return nil
	}
	k := f.Known(s)
	for _, h := range f.holding(ctx, s, k.far(s, nil), text, memory) {
		if h.Node.ID.Is(id) {
			return f.reachThere(k.Here.Name, text, h)
		}
	}
	return nil
}
