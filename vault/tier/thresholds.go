package tier

import (
	"fmt"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Thresholds are what a promotion asks for.
type Thresholds struct {
	ToLongTerm Threshold
	ToCore     Threshold
}

// Threshold is what one step asks for, at the least.
type Threshold struct {
	MinCount   int  // sessions that made the observation
	MinDays    int  // whole days in long-term; of the step to core alone
	Unapproved bool // a person's approval is not asked for
}

// Default returns the thresholds that hold where nobody has set others: 2 sessions for
// long-term, 3 sessions and 7 days for core, and an approval for each.
func Default() Thresholds {
	return Thresholds{ToLongTerm: Threshold{MinCount: 2}, ToCore: Threshold{MinCount: 3, MinDays: 7}}
}

// Stricter returns the thresholds that satisfy both a team's rule and a user's: of each
// number the larger one. Only the user may say that no approval is needed.
func Stricter(team, user Thresholds) Thresholds {
	both := func(a, b Threshold) Threshold {
		return Threshold{max(a.MinCount, b.MinCount), max(a.MinDays, b.MinDays), b.Unapproved}
	}
	return Thresholds{both(team.ToLongTerm, user.ToLongTerm), both(team.ToCore, user.ToCore)}
}

// errRefused returns the reason for which a promotion is refused.
func errRefused(hint, format string, args ...any) error {
	return vault.Errorf(vault.CodeRefused, hint, format, args...)
}

// Why an item is not promotable, beside its counts.
const (
	NotApproved     = "Not approved"
	WasDenied       = "Denied"
	AlreadyPromoted = "Already promoted"
	NotLongTerm     = "Not in long-term memory"
	NoTargets       = "No core memory targets configured"
)

// LongTerm returns nil if an entry may be promoted to long-term, else the reason. Only an
// observation is counted.
func (t Thresholds) LongTerm(h *vault.Header) error {
	switch level := LevelOf(h); {
	case IsDenied(h):
		return errRefused("`cp memory approve <id>` lifts the denial", WasDenied)
	case level == LongTerm || level == Core:
		return errRefused("", AlreadyPromoted)
	}
	if h.Type == string(header.Observation) {
		if err := t.ToLongTerm.checkCount(CountSessions(h)); err != nil {
			return err
		}
	}
	return t.ToLongTerm.checkApproved(h)
}

// Core returns nil if a long-term memory may be promoted to core at the given time, else the
// reason. A memory that was no observation is not counted.
func (t Thresholds) Core(h *vault.Header, now time.Time) error {
	switch level := LevelOf(h); {
	case IsDenied(h):
		return errRefused("`cp memory approve <id>` lifts the denial", WasDenied)
	case level == Core:
		return errRefused("", AlreadyPromoted)
	case level != LongTerm:
		return errRefused("`cp memory promote <id> --to long-term` comes first", NotLongTerm)
	}
	if err := t.ready(h, now); err != nil {
		return err
	}
	return t.ToCore.checkApproved(h)
}

// ready returns nil if counts and days are enough for core.
func (t Thresholds) ready(h *vault.Header, now time.Time) error {
	if h.Type == string(header.Observation) {
		if err := t.ToCore.checkCount(CountSessions(h)); err != nil {
			return err
		}
	}
	since := h.LongTerm
	if since.IsZero() { // a memory of the tree is long-term since it was made
		since = h.Created
	}
	if days := Days(since, now); days < t.ToCore.MinDays {
		return errRefused("", "Not enough time in long-term: %d/%d days", days, t.ToCore.MinDays)
	}
	return nil
}

// EligibleForCore reports whether only an approval may be missing for a promotion to core.
func (t Thresholds) EligibleForCore(h *vault.Header, now time.Time) bool {
	return LevelOf(h) == LongTerm && !IsDenied(h) && t.ready(h, now) == nil
}

// checkCount returns nil if a count is enough.
func (t Threshold) checkCount(n int) error {
	if n < t.MinCount {
		return errRefused("", "Count too low: %d/%d", n, t.MinCount)
	}
	return nil
}

// Needs says what a count lacks, as in "2/3, needs 1 more"; empty if it is enough.
func (t Threshold) Needs(n int) string {
	if n >= t.MinCount {
		return ""
	}
	return fmt.Sprintf("%d/%d, needs %d more", n, t.MinCount, t.MinCount-n)
}

// checkApproved returns nil if a person has approved, or nobody needs to.
func (t Threshold) checkApproved(h *vault.Header) error {
	if t.Unapproved || IsApproved(h) {
		return nil
	}
	return errRefused("`cp memory approve <id>`, or --approve for both", NotApproved)
}
