package registry

import (
	"context"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/family"
)

// check is the name of doctor's check of projects.
const check = "projects"

// Findings are what doctor says of the projects of this machine: that the list of them cannot
// be read, that the global vault is not there, that a project of the current vault has the
// path of another one, and which projects stand apart from one above them.
func (f *Finder) Findings(ctx context.Context, s settings.Settings) (found []doctor.Finding) {
	k := f.FindKnown(s)
	for _, w := range k.Warnings {
		found = append(found, doctor.Finding{Check: check, Severity: doctor.Warning, Evidence: w, Fix: "correct it, or move it away"})
	}
	if s.Root == "" {
		return found
	}
	for _, p := range k.Rules.ListApart(k.Here, f.Standing(ctx, k.wholes())) {
		found = append(found, doctor.Finding{Check: check, Severity: doctor.Info, Evidence: p.Name + " (" + p.Path + ") stands apart: " + p.Apart + "; it does not answer here", Fix: newAside(p).JoinCommand()})
	}
	if self, above, ok := f.From(ctx, s); ok {
		found = append(found, doctor.Finding{Check: check, Severity: doctor.Info, Evidence: "this project stands apart: " + self.Apart + "; " + above.Name + " (" + above.Path + ") is not answered from it", Fix: self.JoinCommand()})
	}
	m, err := f.MemberOf(ctx, s, k.Here, vault.Scope{})
	if err != nil { // another check tells
		return found
	}
	defer f.App.Close(m.Session)
	return append(found, clashing(k, m.Held)...)
}

// clashing tells of the projects in the current vault that share a path with another one.
func clashing(k Known, held []family.Project) (found []doctor.Finding) {
	all := slices.Concat(held, k.wholes())
	lost := k.Rules.Clashes(all)
	for _, p := range lost {
		wins := all[slices.IndexFunc(all, func(o family.Project) bool {
			return k.Rules.IsSamePath(o.Path, p.Path) && !slices.Contains(lost, o)
		})]
		if p.Vault != k.Here.Vault && wins.Vault != k.Here.Vault {
			continue
		}
		found = append(found, doctor.Finding{Check: check, Severity: doctor.Warning, Evidence: sayWhichWins(p, wins), Fix: clashFix(p)})
	}
	return found
}

// sayWhichWins says that a project's path is another one's that wins.
func sayWhichWins(p, wins family.Project) string {
	if p.IsVault() {
		return fmt.Sprintf("the vaults %s and %s both serve %s: a question there or above is answered by the first alone", wins.Vault, p.Vault, p.Path)
	}
	of := wins.Vault
	if !wins.IsVault() {
		of = "the project " + wins.Name + ", " + wins.Part
	}
	return fmt.Sprintf("%s is to be the project %s at %s, which is that of %s: it stays a memory of the project around it", p.Part, p.Name, p.Path, of)
}

// clashFix is what to do about it.
func clashFix(p family.Project) string {
	if p.IsVault() {
		return "give one of them another folder, or take the vault: line of .cp.yaml away"
	}
	return "take project: and code: out of its header, or name another folder"
}

// wholes are the known vaults that are there.
func (k Known) wholes() (all []family.Project) {
	for _, p := range k.Projects {
		if p.Vault != k.Here.Vault {
			all = append(all, p)
		}
	}
	return Reachable(all)
}
