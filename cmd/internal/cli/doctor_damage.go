package cli

import (
	"context"
	"path/filepath"

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
	var checks []vault.Check
	for _, found := range d.Found {
		checks = append(checks, vault.Check{Check: "git_files", Severity: sevError, Evidence: found, Fix: "cp doctor --fix goes back to the newest whole commit and keeps every file on disk"})
	}
	return checks
}

// rescue mends the repository itself, after showing how: everything else needs
// one that git reads. HEAD comes first, since git reads nothing without it, then
// come the packs; what they hide is looked at after that.
func (f face) rescue(ctx context.Context, o mend) ([]vault.Damage, error) {
	done := []vault.Damage{}
	s, err := settings.Load(f.Flags, f.Place())
	if err != nil {
		return done, err
	}
	for range 3 {
		d, err := f.GitDamage(ctx, s.Root)
		if err != nil || d.Sound() {
			return done, err
		}
		if lost := d.Lost(); lost != "" && len(d.Aside)+len(d.Packs) == 0 {
			return done, noCommit(lost)
		}
		if !o.Yes {
			question := func(s render.Screen) {
				damageText(s, d)
				s.Printf("Mend this? [y/N] ")
			}
			if err := f.ask(ctx, question, "--yes", "nothing was changed"); err != nil {
				return done, err
			}
		}
		if err := f.GitRescue(ctx, d, f.Now()); err != nil {
			return done, err
		}
		done = append(done, d)
	}
	return done, nil
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

func rescuedText(s render.Screen, done []vault.Damage) {
	for _, d := range done {
		damageText(s, d)
		s.Println("What was there is kept in " + filepath.Join(d.Common, "cp", "rescue"))
	}
}
