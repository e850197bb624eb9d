package render

import (
	"fmt"

	"github.com/cp-memory/cp/vault/doctor"
)

// Findings lists what the checks of doctor say.
func Findings(s Screen, all []doctor.Finding) {
	for _, f := range all {
		place := ""
		switch {
		case f.Path != "" && f.Line > 0:
			place = fmt.Sprintf("%s:%d: ", f.Path, f.Line)
		case f.Path != "":
			place = string(f.Path) + ": "
		}
		s.Printf("%-8s %-19s %s\n", f.Severity, f.Check, place+f.Evidence)
		if f.Fix != "" {
			s.Printf("%-8s %-19s → %s\n", "", "", f.Fix)
		}
	}
}

// Damage tells what is wrong with a repository, and what a repair does.
func Damage(s Screen, d doctor.Damage) {
	for _, line := range d.Found {
		s.Println(line)
	}
	for _, line := range d.Steps {
		s.Println("  → " + line)
	}
}

// ToFix tells what doctor --fix is about to do.
func ToFix(s Screen, f doctor.Fix) {
	fixes(s, f, "remove the lock %s\n", "make git in this clone merge memories with this program", "build the index again")
	if len(f.Sync.Discrepancies) > 0 {
		Sync(s, f.Sync, true)
	}
}

// Repaired tells what was done to the repository; nil is nothing, and then
// nothing at all was to be done.
func Repaired(s Screen, d *doctor.Damage) {
	if d == nil {
		s.Println("There is nothing to mend.")
		return
	}
	Damage(s, *d)
	s.Println("Git's reflog has what the branch named before.")
}

// Fixed tells what doctor --fix has done.
func Fixed(s Screen, f doctor.Fix) {
	if f.Repository != nil {
		Repaired(s, f.Repository)
	}
	fixes(s, f, "Removed the lock %s\n", "Git in this clone now merges memories with this program.", "Built the index again.")
	Sync(s, f.Sync, false)
}

// fixes tells of a plan all but what sync does, in the words given.
func fixes(s Screen, f doctor.Fix, lock, driver, index string) {
	for _, path := range f.Locks {
		s.Printf(lock, path)
	}
	if f.Driver {
		s.Println(driver)
	}
	if f.Reindex {
		s.Println(index)
	}
}
