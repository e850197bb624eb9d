package target

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Explain returns why the command fails, which said err. Where that is that there is no such
// memory, and another vault has it, it names the project and the way there. It runs nothing.
func (t Target) Explain(ctx context.Context, err error) error {
	return t.addNearest(ctx, t.asked.Refs, t.explainMissing(ctx, err))
}

func (t Target) explainMissing(ctx context.Context, err error) error {
	if vault.CodeOf(err) != vault.CodeNotFound || len(t.asked.Refs) == 0 || t.asked.Sought == Text || t.moved {
		return err
	}
	here, failed := t.hasMemory(ctx, t.asked.Refs[0])
	switch {
	case failed != nil:
		return err
	case here:
		return t.checkOneVault(ctx, t.asked.Verb, t.asked.Refs, err)
	case t.Find.Exact(t.Settings):
		return err
	}
	return t.explainOutside(ctx, err)
}

// explainOutside names the project outside of the family that has what the command names; missing is
// the error where none has it.
func (t Target) explainOutside(ctx context.Context, missing error) error {
	k := t.Find.FindKnown(t.Settings)
	ref, far := t.asked.Refs[0], k.Far(t.Settings, t.Find.Kin(ctx, t.Settings))
	if m, ok := t.findElsewhere(ctx, far, ref, t.asked.Sought.lookup()); ok {
		return t.errElsewhere(k.Here.Name, ref, m)
	}
	if t.asked.Sought != Gone {
		return missing
	}
	for _, m := range t.firstWithPast(ctx, far, ref) {
		t.Find.App.Close(m.Session)
		return vault.Errorf(vault.CodeNotFound, t.choiceHint("reach it there", m.Project.Path),
			"'%s' was no memory of %s or of a project below it; it was one of the project %s (%s)", vault.Clip(ref, 80), k.Here.Name, m.Name, m.Project.Path)
	}
	return missing
}

// errElsewhere says that what ref names is outside of the family of a project, and where.
func (t Target) errElsewhere(here, ref string, m Match) error {
	what, one := "memory", "one"
	if m.Node.ID == "" {
		what, one = "folder", "a folder"
	}
	return vault.Errorf(vault.CodeNotFound, t.choiceHint("reach it there", m.Project.Path),
		"'%s' is no %s of %s or of a project below it; it is %s of the project %s (%s)", vault.Clip(ref, 80), what, here, one, m.Name, m.Project.Path)
}

// Batch is the name of the verb of many lines.
const Batch = "batch"

// ExplainBatch explains why a batch whose lines name the memories refs lacks one of them: it is in
// another vault. A batch is not taken there: its other lines may be about this one.
func (t Target) ExplainBatch(ctx context.Context, refs []string, missing error) error {
	return t.addNearest(ctx, refs, t.checkOneVault(ctx, Batch, append([]string{""}, refs...), missing))
}

// mostNear is how many memories an error names in place of one that there is not.
const mostNear = 3

// addNearest has the error of a reference that names nothing say first which memories may be meant.
func (t Target) addNearest(ctx context.Context, refs []string, err error) error {
	i := slices.IndexFunc(refs, func(ref string) bool {
		return err != nil && strings.HasSuffix(err.Error(), vault.NotFound(ref).Error())
	})
	if i < 0 {
		return err
	}
	near, failed := tree.Nearest(ctx, t.Vault, t.Titles, refs[i], mostNear)
	var said []string
	for _, n := range near {
		said = append(said, fmt.Sprintf("%s (%s)", n.ID, vault.Clip(n.Title, 60)))
	}
	if failed != nil || len(said) == 0 {
		return err
	}
	return vault.Errorf(vault.CodeNotFound, "near to it: "+strings.Join(said, ", ")+"; "+vault.NotFound("").Hint, "%w", err)
}

// checkOneVault refuses a verb about several memories of which the vault has the first and another vault
// one of the others: no verb writes in two. It returns missing where that is not so.
func (t Target) checkOneVault(ctx context.Context, verb string, refs []string, missing error) error {
	for _, other := range refs[1:] {
		if here, err := t.hasMemory(ctx, other); err != nil || here {
			continue
		}
		k := t.Find.FindKnown(t.Settings)
		m, ok := t.findElsewhere(ctx, k.Far(t.Settings, nil), other, locateMemory)
		if !ok {
			return missing
		}
		why, hint := two(verb, refs[0], m, vault.Path(k.Here.Path).QuoteForShell())
		if t.asked.Hint != nil {
			hint = t.asked.Hint(m.Project.Path)
		}
		return vault.Errorf(vault.CodeRefused, hint, "'%s' is in the project %s (%s), another vault: %s", vault.Clip(other, 80), m.Name, m.Project.Path, why)
	}
	return missing
}

// two says why a verb is refused about memories of two vaults, and the way to do it.
func two(verb, ref string, m Match, from string) (why, hint string) {
	to := vault.Path(m.Project.Path).QuoteForShell()
	switch verb {
	case "move":
		return "memories are not moved between vaults",
			fmt.Sprintf("cp memory import \"$(cp memory path %s --project %s)\" --under %s --project %s && cp memory delete %s --project %s", ref, from, m.Node.ID, to, ref, from)
	case "supersede":
		return "no memory supersedes one of another vault",
			fmt.Sprintf("cp memory resolve %s --resolution \"Superseded by %s in %s\"", ref, m.Node.ID, m.Name)
	case Batch:
		return "a batch writes in one vault", "cp memory batch --project " + to + ", with the lines about that one"
	}
	return "one command writes in one vault", fmt.Sprintf("cp memory %s %s --project %s", verb, m.Node.ID, to)
}

// Beyond refuses an observation whose text is the id of a memory that is neither the vault's nor
// one of a project below: it would be taken for a text.
func (t Target) Beyond(ctx context.Context, text string) error {
	id := vault.ID(text)
	if !id.IsDrawn("") {
		return nil
	}
	k := t.Find.FindKnown(t.Settings)
	m, ok := t.findElsewhere(ctx, k.Far(t.Settings, nil), text, locateMemory)
	if !ok || !m.Node.ID.Is(id) {
		return nil
	}
	return t.errElsewhere(k.Here.Name, text, m)
}
