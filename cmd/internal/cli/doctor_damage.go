package cli

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// checkDamage finds what a power cut or a foreign prune has left of the repository.
func (f face) checkDamage(ctx context.Context, root string) []vault.Check {
	d, err := f.GitDamage(ctx, root)
	if err != nil {
		return []vault.Check{failed("git_files", err)}
	}
	if d.Sound() {
		return []vault.Check{{Check: "git_files", Severity: sevOK, Evidence: "the branch's commit is whole, the index can be read, no ref or object is empty"}}
	}
	fix := "cp doctor --fix goes back to the newest whole commit and keeps every file on disk"
	if len(d.Commands) > 0 {
		fix = "run, then look again with cp doctor: " + strings.Join(d.Commands, " && ")
	}
	var checks []vault.Check
	for _, found := range d.Found {
		checks = append(checks, vault.Check{Check: "git_files", Severity: sevError, Evidence: found, Fix: fix})
		fix = ""
	}
	return checks
}

// repair takes the branch back to its newest whole commit and makes the index
// anew, after showing it: everything else needs a repository that git reads. What
// takes more than that is for a person: the error has the commands.
func (f face) repair(ctx context.Context, o mend) (*vault.Damage, error) {
	s, err := settings.Load(f.Flags, f.Place())
	if err != nil {
		return nil, err
	}
	d, err := f.GitDamage(ctx, s.Root)
	if err != nil || d.Sound() {
		return nil, err
	}
	if len(d.Commands) > 0 {
		return nil, vault.Errorf(vault.CodeDamaged, "run these, then `cp doctor --fix` again:\n"+strings.Join(d.Commands, "\n"),
			"git cannot read its own files: %s; nothing was changed", strings.Join(d.Found, "; "))
	}
	if lost := d.Lost(); lost != "" {
		return nil, noCommit(lost)
	}
	if !o.Yes {
		question := func(s render.Screen) {
			damageText(s, d)
			s.Printf("Do this? [y/N] ")
		}
		if err := f.ask(ctx, question, "--yes", "nothing was changed"); err != nil {
			return nil, err
		}
	}
	return &d, f.GitRepair(ctx, d)
}

// noCommit is the error of a branch that has to come from elsewhere.
func noCommit(ref string) error {
	return vault.Errorf(vault.CodeDamaged, "get the commits from a clone or a remote with `git fetch`; or begin anew with the files as they are: git update-ref -d "+ref+" && git read-tree --empty && cp memory sync",
		"no whole commit of %s is left in this clone; the files on disk are as they were", ref)
}

func damageText(s render.Screen, d vault.Damage) {
	for _, line := range d.Found {
		s.Println(line)
	}
	for _, line := range d.Steps {
		s.Println("  → " + line)
	}
}
