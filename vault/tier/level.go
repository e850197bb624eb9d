package tier

import (
	"strconv"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Level is how far a memory has come.
type Level string

// The levels. An entry that asks for nothing, such as a captured decision, has none.
const (
	None     Level = ""
	Pending  Level = "pending"
	LongTerm Level = "long-term"
	Core     Level = "core"
)

// LevelOf returns the level that a header tells of.
func LevelOf(h *vault.Header) Level {
	switch {
	case !h.Core.IsZero():
		return Core
	case h.InTree():
		return LongTerm
	case h.Type == string(header.Observation) || h.WantsPlace == "true":
		return Pending
	}
	return None
}

// IsDenied reports whether a person's last word was no. A tie of approval and denial denies.
func IsDenied(h *vault.Header) bool { return !h.Denied.IsZero() && !h.Approved.After(h.Denied) }

// IsApproved reports whether a person's last word was yes, and whether it is about the level
// at hand: a promotion to core needs an approval that came after the one to long-term.
func IsApproved(h *vault.Header) bool {
	return !h.Approved.IsZero() && !IsDenied(h) && (h.LongTerm.IsZero() || h.Approved.After(h.LongTerm))
}

// CountSessions returns how many sessions have made an observation, those of another system that it
// was imported from included.
func CountSessions(h *vault.Header) int { return len(header.UniqueItems(h.Sessions)) + countBefore(h) }

// countBefore returns how often it was seen before it was imported; 0 if that is no number.
func countBefore(h *vault.Header) int {
	n, err := strconv.Atoi(h.SeenBefore)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// MostSessions is how many sessions a memory names. Later ones are counted in the telemetry
// alone, and the count is shown as [FormatSessions] does.
const MostSessions = 20

// FormatSessions returns a count as people see it: from [MostSessions] named sessions on "20+".
func FormatSessions(h *vault.Header) string {
	if len(header.UniqueItems(h.Sessions)) >= MostSessions {
		return strconv.Itoa(CountSessions(h)) + "+"
	}
	return strconv.Itoa(CountSessions(h))
}

// Days returns how many whole days have passed since a point in time; 0 for one to come,
// and for none.
func Days(since, now time.Time) int {
	if since.IsZero() || now.Before(since) {
		return 0
	}
	return int(now.Sub(since) / (24 * time.Hour))
}

// Standing is what an answer tells of an entry beside its type.
type Standing struct {
	Namespace string `json:"namespace,omitempty"` // the plural of its type
	Level     Level  `json:"level,omitempty"`
	Denied    bool   `json:"denied,omitempty"` // by a person's last word
}

// Denial is a person's last word where that is no.
type Denial struct {
	Denied bool      `json:"denied,omitempty"`
	At     time.Time `json:"denied_at,omitzero"`
	Reason string    `json:"denied_reason,omitempty"`
}

// DenialOf returns what there is to tell: nothing of a memory that is not denied.
func DenialOf(h *vault.Header) Denial {
	if !IsDenied(h) {
		return Denial{}
	}
	return Denial{true, h.Denied, h.DeniedReason}
}

// StandingOf returns what there is to tell: nothing of an ordinary memory.
func StandingOf(h *vault.Header) Standing {
	level := LevelOf(h)
	if !h.IsEntry() && level != Core {
		return Standing{Denied: IsDenied(h)}
	}
	return Standing{header.Kind(h.Type).Namespace(), level, IsDenied(h)}
}
