package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// Severities of a check.
const (
	sevOK      = "ok"
	sevInfo    = "info"
	sevWarning = "warning"
	sevError   = "error"
)

func (f face) doctor() *cobra.Command {
	var o mend
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine, the repository, the vault and the index",
		Long: `Check the machine, the repository, the vault and the index. As every command it
first finishes what a killed one left, and changes nothing else. The exit code is 1 when a check ends in an error.

With --fix, show what would be mended and do it after a yes: a branch that a
power cut or a prune has broken goes back to its newest whole commit, files on
disk stay as they are and what is taken away is kept; files and blocks as "cp
memory sync" does, in one commit; a damaged index is built again; and locks that
a git program left behind when it crashed are removed.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Fix {
				return f.mend(cmd.Context(), o)
			}
			checks := f.examine(cmd.Context())
			if err := f.answer(checks, func(s render.Screen) { checksText(s, checks) }); err != nil {
				return err
			}
			return verdict(checks)
		},
	}
	cmd.Flags().BoolVar(&o.Fix, "fix", false, "show what would be mended, ask, and mend it")
	cmd.Flags().BoolVar(&o.Yes, "yes", false, "with --fix: do not ask")
	return cmd
}

// verdict is the error of a vault that is not well.
func verdict(checks []vault.Check) error {
	var errors int
	for _, c := range checks {
		if c.Severity == sevError {
			errors++
		}
	}
	if errors == 0 {
		return nil
	}
	return vault.Errorf(vault.CodeDamaged, "cp doctor --fix mends what can be mended", "%s in an error", counted(errors, "check ends", "checks end"))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func checksText(s render.Screen, checks []vault.Check) {
	for _, c := range checks {
		place := ""
		switch {
		case c.Path != "" && c.Line > 0:
			place = fmt.Sprintf("%s:%d: ", c.Path, c.Line)
		case c.Path != "":
			place = string(c.Path) + ": "
		}
		s.Printf("%-8s %-19s %s\n", c.Severity, c.Check, place+c.Evidence)
		if c.Fix != "" {
			s.Printf("%-8s %-19s → %s\n", "", "", c.Fix)
		}
	}
}

// examine runs all checks: those of the machine, and where there is a vault
// those of its repository, its index and its contents.
func (f face) examine(ctx context.Context) []vault.Check {
	checks := f.machineChecks(ctx)
	s, err := f.Open(ctx)
	if err != nil {
		return append(checks, failed("vault", err))
	}
	defer f.close(s)
	f.tend(ctx, s)
	checks = append(checks, vault.Check{Check: "vault", Severity: sevOK, Evidence: fmt.Sprintf("%s, project %s", s.Root, s.Settings.Project)})
	checks = append(checks, settingsChecks(s)...)
	checks = append(checks, f.repositoryChecks(ctx, s)...)
	checks = append(checks, f.indexChecks(ctx, s)...)
	checks = append(checks, f.checkWatcher(s))
	found, err := s.Doctor(ctx)
	if err != nil {
		found = []vault.Check{failed("contents", err)}
	}
	return append(checks, found...)
}

// failed is the check that could not be made.
func failed(name string, err error) vault.Check {
	fault := render.FaultOf(err)
	return vault.Check{Check: name, Severity: sevError, Evidence: fault.Message, Fix: fault.Hint}
}

func settingsChecks(s *app.Session) []vault.Check {
	var checks []vault.Check
	for _, w := range s.Settings.Warnings {
		checks = append(checks, vault.Check{Check: "settings", Severity: sevWarning, Evidence: w, Fix: "remove the key, or set it in ~/.cp/config.yaml"})
	}
	for _, n := range s.Settings.Notes {
		checks = append(checks, vault.Check{Check: "settings", Severity: sevInfo, Evidence: n, Fix: "correct or remove the key"})
	}
	if len(checks) == 0 {
		checks = append(checks, vault.Check{Check: "settings", Severity: sevOK, Evidence: counted(len(s.Settings.Files), "file", "files") + " read"})
	}
	return checks
}

// checkWatcher tells who keeps the index current. That nobody does is no fault.
func (f face) checkWatcher(s *app.Session) vault.Check {
	who, ok := f.Watcher(s)
	switch {
	case !ok:
		return vault.Check{Check: "watcher", Severity: sevOK, Evidence: "none; commands look for themselves"}
	case who.Polling != "":
		return vault.Check{Check: "watcher", Severity: sevInfo, Evidence: watcherLine(&who)}
	}
	return vault.Check{Check: "watcher", Severity: sevOK, Evidence: watcherLine(&who)}
}
