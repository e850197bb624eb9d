package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Finding is one result of a check. Its fields are promises.
type Finding struct {
	Check    string     `json:"check"`          // a stable name
	Type     string     `json:"type,omitempty"` // of what is wrong with a file, as sync has it: see [sync.Kinds]
	Severity string     `json:"severity"`       // "ok", "info", "warning", "error"
	Evidence string     `json:"evidence"`
	Fix      string     `json:"fix"` // the command or step to take; empty when there is nothing to do
	Path     vault.Path `json:"path,omitempty"`
	Line     int        `json:"line,omitempty"`
}

// The severities of a Finding.
const (
	OK      = "ok"
	Info    = "info"
	Warning = "warning"
	Error   = "error"
)

// Check is one examination. Its name is a promise: add, never change.
type Check struct {
	Name     string
	Severity string // of a finding that has none
	Fix      string // of such a finding, unless it has one
	OK       string // the evidence when nothing is found; without it, nothing is said then
	NoGit    bool   // it is made also where there is no repository

	// Look returns what it finds. An error is a finding, too: the check failed.
	Look func(ctx context.Context, p *Patient) ([]Finding, error)
}

// runChecks makes the checks, in their order.
func (p *Patient) runChecks(ctx context.Context, checks ...Check) (all []Finding) {
	for _, c := range checks {
		found, err := c.Look(ctx, p)
		if err != nil {
			found = []Finding{NewFailure("", err)}
		}
		all = append(all, c.report(found)...)
	}
	return all
}

// report completes the findings of a check.
func (c Check) report(found []Finding) []Finding {
	if len(found) == 0 && c.OK != "" {
		found = sound("%s", c.OK)
	}
	for i := range found {
		f := &found[i]
		f.Check = c.Name
		if f.Severity == "" {
			f.Severity = c.Severity
			if f.Fix == "" {
				f.Fix = c.Fix
			}
		}
	}
	return found
}

// NewFailure returns the finding for a check that could not be made.
func NewFailure(name string, err error) Finding {
	f := Finding{Check: name, Severity: Error, Evidence: err.Error()}
	var e *vault.Error
	if errors.As(err, &e) {
		f.Fix = e.Hint
		if f.Evidence == e.Error() {
			f.Evidence = e.Msg
		}
	}
	return f
}

// Errors counts the checks that end in an error.
func Errors(all []Finding) (n int) {
	for _, f := range all {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// sound returns a finding that all is well, and how.
func sound(format string, args ...any) []Finding { return newFinding(OK, "", format, args...) }

// newFinding returns one finding. Without a severity it has that of its check.
func newFinding(severity, fix, format string, args ...any) []Finding {
	return []Finding{{Severity: severity, Fix: fix, Evidence: fmt.Sprintf(format, args...)}}
}

// when returns one finding where something is bad, else none.
func when(bad bool, severity, fix, format string, args ...any) []Finding {
	if !bad {
		return nil
	}
	return newFinding(severity, fix, format, args...)
}

// worst reports whether a check finds something of that severity.
func (p *Patient) worst(ctx context.Context, c Check, severity string) bool {
	return slices.ContainsFunc(p.runChecks(ctx, c), func(f Finding) bool { return f.Severity == severity })
}
