package target

import (
	"context"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// findVault has the target be in the vault that has what the command names. Where nobody can have it
// but the current vault, nothing is looked up.
func (t Target) findVault(ctx context.Context) (Target, error) {
	if len(t.asked.Refs) == 0 || t.asked.Sought == Text || t.Find.Lone(t.Settings) {
		return t, nil
	}
	here, err := t.hasMemory(ctx, t.asked.Refs[0])
	if err != nil {
		return t, nil // the command says it
	}
	if !here {
		found, ok, err := t.findInFamily(ctx, t.asked.Refs[0])
		if err != nil || !ok {
			return t, err
		}
		if t, err = t.switchVault(ctx, found); err != nil {
			return t, err
		}
	}
	return t, t.checkOneVault(ctx, t.asked.Verb, t.asked.Refs, nil)
}

// switchVault has the target be in the vault in which the memory was found. That stays open.
func (t Target) switchVault(ctx context.Context, to Match) (Target, error) {
	t.Find.App.Debugf("%s is in the project %s (%s)", t.asked.Refs[0], to.Name, to.Project.Path)
	t.finish()
	t.Session, t.moved, t.finish = to.Session, true, closing(t.Find.App, nil, to.Session)
	t.Find = t.Find.For(t.Find.About.AboutVault(to.Vault))
	if err := t.Find.Sign(ctx, t.Session); err != nil {
		return t, err
	}
	t.asked.Door.Enter(ctx, t.Session, t.asked.reportTended)
	t.Find.NoteSeen(ctx, t.Settings)
	return t, nil
}

// hasMemory reports whether the vault has what ref names, as the command takes it.
func (t Target) hasMemory(ctx context.Context, ref string) (bool, error) {
	var err error
	switch t.asked.Sought {
	case Folder:
		_, _, err = t.Place(ctx, ref)
	case Subtree:
		_, _, err = t.PlaceBelow(ctx, ref)
	default:
		_, err = t.Locate(ctx, ref)
	}
	if vault.CodeOf(err) != vault.CodeNotFound {
		return err == nil, err
	}
	return t.asked.Sought == Gone && had(ctx, t.Session, ref), nil
}

// had reports whether a vault once had a memory.
func had(ctx context.Context, s *app.Session, ref string) bool {
	log, err := s.History().Log(ctx, past.Log{Ref: ref, Limit: 1})
	return err == nil && len(log) > 0
}

// findInFamily looks in the vaults of the family for what ref names. The session of the one that has it
// is open. The error is CodeAmbiguous where several have it.
func (t Target) findInFamily(ctx context.Context, ref string) (found Match, ok bool, err error) {
	kin := t.Find.Kin(ctx, t.Settings)
	open := t.matches(ctx, kin, ref, t.asked.Sought.lookup())
	if len(open) == 0 && t.asked.Sought == Gone {
		open = t.firstWithPast(ctx, kin, ref)
	}
	all := Distinct(open, ref)
	for _, m := range open {
		if len(all) != 1 || m.Session != all[0].Session {
			t.Find.App.Close(m.Session)
		}
	}
	switch len(all) {
	case 0:
		return found, false, nil
	case 1:
		return all[0], true, nil
	}
	var said []string
	for _, m := range all {
		said = append(said, fmt.Sprintf("%s in %s (%s)", m.idOrFolder(), m.Name, m.Project.Path))
	}
	return found, false, vault.Errorf(vault.CodeAmbiguous, t.choiceHint("say which", all[0].Project.Path), "'%s' is in several projects: %s", vault.Clip(ref, 80), strings.Join(said, ", "))
}

// choiceHint says how a project is chosen: by whom this serves, or else on the command line.
func (t Target) choiceHint(what, path string) string {
	if t.asked.Hint != nil {
		return t.asked.Hint(path)
	}
	return what + ": --project " + vault.Path(path).QuoteForShell()
}
